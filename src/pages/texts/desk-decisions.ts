import { textTable } from './texts.ts'

/** What was decided about a file, by kind; the report's own sentence names the values. */
export const DECISION_TEXTS = textTable({
  sheet: [
    'Registrul are mai multe foi; s-a citit cea cu cel mai mare tabel.',
    'The workbook has several sheets; the one with the largest table was read.',
  ],
  titles: [
    'Rândurile de deasupra antetului sunt titluri și nu se publică.',
    'The rows above the header are titles and are not published.',
  ],
  header: [
    'Antetul are mai multe rânduri, ale căror nume sunt unite, sau lipsește.',
    'The header has several rows, whose names are joined, or there is none.',
  ],
  numbering: [
    'Rândul care numerotează coloanele nu este un rând de date.',
    'The row that numbers the columns is no row of data.',
  ],
  drawn_line: [
    'Linia desenată sub antet nu este un rând de date.',
    'The line drawn below the header is no row of data.',
  ],
  repeated_header: [
    'Antetul repetat printre rânduri este lăsat deoparte.',
    'The header that comes again among the rows is left out.',
  ],
  second_table: [
    'Sub primul tabel începe altul, care este lăsat deoparte.',
    'Below the first table another one begins, which is left out.',
  ],
  footnotes: ['Notele de sub tabel sunt lăsate deoparte.', 'Notes below the table are left out.'],
  totals: ['Tabelul are un rând de totaluri.', 'The table has a row of totals.'],
  ragged: [
    'Unele rânduri au alt număr de celule decât antetul.',
    'Some rows have another number of cells than the header.',
  ],
  blank_columns: [
    'Coloanele fără nume și fără nicio valoare sunt lăsate deoparte.',
    'Columns without a name and without any value are left out.',
  ],
  former_names: [
    'Unele coloane păstrează numele sub care sunt deja publicate.',
    'Some columns keep the names under which they are published.',
  ],
  decimal_mark: [
    'Semnul zecimal al unor coloane s-a ales după celelalte coloane.',
    'The decimal mark of some columns follows the other columns.',
  ],
  date_order: [
    'Ordinea zilei și a lunii s-a ales după celelalte coloane.',
    'The order of day and month follows the other columns.',
  ],
  json_array: [
    'Fișierul JSON are mai multe liste; s-a citit prima.',
    'The JSON file has several lists; the first one was read.',
  ],
  archive: ['Fișierul se afla într-o arhivă.', 'The file was inside an archive.'],
  redirect: [
    'Adresa trimite la altă adresă, de unde s-a preluat fișierul.',
    'The address leads to another one, from which the file was fetched.',
  ],
  resource: [
    'Pachetul are mai multe fișiere; s-a ales unul.',
    'The package has several files; one was chosen.',
  ],
})
