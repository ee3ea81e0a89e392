/** Why a file has no readable table. */

import { countEnglish, countRomanian, formatNumber } from '../../../base/text/numbers.ts'
import { row } from './row.ts'

const OTHER_ENCODING = {
  ro: 'Alegeți altceva la „Codificarea caracterelor”.',
  en: 'Choose another one under “Character encoding”.',
}

export const FILE_REFUSALS = {
  empty_file: row({ ro: 'Fișierul este gol. Alegeți altul.', en: 'The file is empty. Choose another one.' }),
  no_text: row({
    ro: 'În fișier nu este niciun text. Verificați că este fișierul potrivit.',
    en: 'The file has no text in it. Check that it is the right one.',
  }),
  blank_sheet: row<{ sheet: string }>({
    ro: ({ sheet }) => `Foaia „${sheet}” este goală.`,
    en: ({ sheet }) => `The sheet “${sheet}” is empty.`,
    desk: {
      ro: 'Alegeți altă foaie la „Cum se citește fișierul”.',
      en: 'Choose another one under “How the file is read”.',
    },
  }),
  not_text: row({
    ro: 'Fișierul nu este un tabel sau un text. Salvați tabelul ca XLSX sau CSV și încărcați-l din nou.',
    en: 'The file is neither a table nor text. Save its table as XLSX or CSV and use that.',
    desk: {
      ro: 'Dacă este un text în UTF-16 sau UTF-32, alegeți codificarea la „Codificarea caracterelor”.',
      en: 'If it is text in UTF-16 or UTF-32, choose that under “Character encoding”.',
    },
    shell: 'If it is text in UTF-16 or UTF-32, say so with --encoding.',
    override: '--encoding',
  }),
  not_a_table: row({
    ro: 'Fișierul nu este un tabel: se pot citi CSV, XLSX, XLS, ODS și JSON. Salvați tabelul într-unul dintre aceste formate și încărcați-l din nou.',
    en: 'The file is not a table: CSV, XLSX, XLS, ODS, JSON and NDJSON can be read, also inside gzip or ZIP. Save its table in one of these formats and use that.',
  }),
  xlsb_workbook: row({
    ro: 'Registrele XLSB nu se pot citi. Salvați fișierul ca XLSX și încărcați-l din nou.',
    en: 'XLSB workbooks cannot be read. Save the file as XLSX and use that.',
  }),
  nested_archive: row({
    ro: 'În arhivă se află altă arhivă. Dezarhivați-o pe cea din afară și încărcați ce este în ea.',
    en: 'The archive holds another archive. Unpack the outer one and use what is in it.',
  }),
  archive_without_table: row({
    ro: 'În arhivă nu este niciun tabel.',
    en: 'There is no table in the archive.',
  }),
  archive_of_several: row<{ names: string }>({
    ro: ({ names }) =>
      `În arhivă sunt mai multe fișiere: ${names}. Dezarhivați-o și încărcați fișierul dorit.`,
    en: ({ names }) => `The archive holds several files: ${names}. Unpack it and use the one you need.`,
  }),
  damaged_file: row({
    ro: 'Fișierul este deteriorat sau incomplet. Deschideți-l în programul în care a fost creat, salvați-l și încărcați-l din nou.',
    en: 'The file is damaged or cut off. Get the whole file, or open it in its program and save it again.',
  }),
  password_file: row({
    ro: 'Fișierul este protejat cu parolă. Salvați-l fără parolă și încărcați-l din nou.',
    en: 'The file is protected with a password. Save it without one and use that.',
  }),
  /** It unpacks to an absurd size, or claims to contain what no table has. */
  unsafe_file: row({
    ro: 'Fișierul declară mult mai mult conținut decât are un tabel obișnuit și nu se citește. Salvați numai tabelul, ca CSV, și încărcați-l.',
    en: 'The file claims far more than any table holds, and is not read. Save the table alone, as CSV, and use that.',
  }),
  needs_memory: row({
    ro: 'Fișierul cere mai multă memorie decât este permis. Salvați numai tabelul, ca CSV, și încărcați-l.',
    en: 'The file needs more memory than a file may take. Save the table alone, as CSV, and use that.',
  }),
  took_too_long: row({
    ro: 'Citirea fișierului a durat prea mult. Salvați numai tabelul, ca CSV, și încărcați-l.',
    en: 'Reading the file took too long. Save the table alone, as CSV, and use that.',
  }),
  /** The process reading it was ended at each attempt. */
  work_ended: row({
    kind: 'failed',
    ro: 'Citirea fișierului s-a întrerupt. Poate fi o problemă a serviciului: încercați din nou, apoi anunțați administratorul.',
    en: 'Reading the file broke off. The service may be at fault: try again, then tell the operator.',
    shell: 'Its log has the reason.',
  }),
  too_large: row({
    ro: 'Tabelul este prea mare pentru acest serviciu. Împărțiți fișierul sau lăsați deoparte unele coloane.',
    en: 'The table is too large for this service. Split the file, or leave columns out.',
    shell: '"other_columns": "drop" in a definition leaves them out.',
  }),
  disk_full: row({
    kind: 'failed',
    ro: 'Serviciul nu mai are loc pe disc. Datele publicate rămân publicate.',
    en: 'The service has no room left on its disk. Published data stays published.',
    desk: { ro: 'Anunțați administratorul.', en: 'Tell the operator.' },
    shell: 'Make room there first.',
  }),
  wrong_encoding: row<{ encoding: string }>({
    ro: ({ encoding }) => `Fișierul nu este scris în ${encoding}.`,
    en: ({ encoding }) => `The file is not written in ${encoding}.`,
    desk: OTHER_ENCODING,
    shell: 'Name its encoding with --encoding.',
    override: '--encoding',
  }),
  json_invalid: row<{ line: number; column: number }>({
    ro: ({ line, column }) =>
      `Fișierul JSON are o greșeală pe linia ${line}, la caracterul ${column}. Corectați-l și încărcați-l din nou.`,
    en: ({ line, column }) =>
      `The JSON file has a mistake on line ${line}, at character ${column}. Correct it and send it again.`,
  }),
  json_without_rows: row({
    ro: 'Fișierul JSON nu conține o listă de obiecte din care să rezulte rândurile.',
    en: 'The JSON file holds no list of objects that could become rows.',
  }),
  json_several_tables: row<{ names: string }>({
    ro: ({ names }) =>
      `Fișierul JSON conține mai multe liste la fel de mari: ${names}. Salvați-o pe cea dorită într-un fișier separat.`,
    en: ({ names }) =>
      `The JSON file holds several lists of the same length: ${names}. Save the one you need as a separate file.`,
  }),
  json_too_many_names: row<{ most: number }>({
    ro: ({ most }) =>
      `Obiectele din fișierul JSON au peste ${formatNumber('ro', most)} de nume diferite; un set de date nu poate avea atâtea coloane.`,
    en: ({ most }) =>
      `The objects of the JSON file have more than ${formatNumber('en', most)} different names; a dataset cannot have that many columns.`,
  }),
  json_long_row: row({
    ro: 'Un rând din fișierul JSON este prea lung.',
    en: 'A row of the JSON file is too long.',
  }),
  endless_line: row({
    ro: 'Fișierul începe cu o linie de mulți megaocteți. Probabil s-au pierdut sfârșiturile de linie: salvați-l din nou.',
    en: 'The file begins with a line of many megabytes. Its line ends were probably lost: save it again.',
  }),
  endless_record: row<{ line: number }>({
    ro: ({ line }) =>
      `Rândul de pe linia ${line} nu se mai termină: probabil lipsesc niște ghilimele. Corectați linia și încărcați din nou fișierul.`,
    en: ({ line }) =>
      `The row on line ${line} has no end: a quote is probably missing. Correct the line and send the file again.`,
  }),
  open_quote: row<{ line: number; cell: number }>({
    ro: ({ line, cell }) =>
      `Ghilimelele deschise pe linia ${line}, în celula ${cell}, nu se mai închid. Verificați că fișierul este complet și corectați linia.`,
    en: ({ line, cell }) =>
      `The quote that opens on line ${line}, in cell ${cell}, is never closed. Check that the file is complete and correct the line.`,
    desk: {
      ro: 'Altfel, alegeți „niciunul” la „Ghilimele în jurul textelor”.',
      en: 'Otherwise choose “none” under “Quotes around texts”.',
    },
    shell: 'Else set --quote none.',
    override: '--quote none',
  }),
  stray_header_quote: row<{ line: number }>({
    ro: ({ line }) => `În antetul de pe linia ${line} sunt niște ghilimele în plus. Corectați linia.`,
    en: ({ line }) => `The header on line ${line} has a stray quote. Correct the line.`,
    desk: {
      ro: 'Altfel, bifați alt antet sau alegeți „niciunul” la „Ghilimele în jurul textelor”.',
      en: 'Otherwise tick another header, or choose “none” under “Quotes around texts”.',
    },
    shell: 'Else name another header with --header-row, or set --quote none.',
    override: '--quote none',
  }),
  too_many_columns: row<{ line: number; cells: number; most: number }>({
    ro: ({ line, cells, most }) =>
      `Linia ${line} are ${countRomanian(cells, 'celulă', 'celule')}, iar un set de date poate avea cel mult ${countRomanian(most, 'coloană', 'coloane')}.`,
    en: ({ line, cells, most }) =>
      `Line ${line} has ${countEnglish(cells, 'cell', 'cells')}, and a dataset may have at most ${countEnglish(most, 'column', 'columns')}.`,
    desk: { ro: 'Verificați „Separatorul celulelor”.', en: 'Check “Cell separator”.' },
    shell: 'Is --delimiter right?',
    override: '--delimiter',
  }),
  columns_hidden: row({
    ro: 'Foaia ascunde toate coloanele. Afișați-le în programul de calcul tabelar și încărcați fișierul din nou.',
    en: 'The sheet hides all of its columns. Show them in a spreadsheet program and send the file again.',
    desk: {
      ro: 'Altfel, alegeți „se citesc” la „Rânduri și coloane ascunse”.',
      en: 'Otherwise choose “read them” under “Hidden rows and columns”.',
    },
    shell: 'Else --hidden reads them.',
    override: '--hidden',
  }),
  header_row_blank: row<{ row: number }>({
    ro: ({ row }) => `Rândul ${row}, ales ca antet, este gol.`,
    en: ({ row }) => `Row ${row}, which was chosen as the header, is blank.`,
    desk: { ro: 'Bifați alt rând.', en: 'Tick another one.' },
  }),
  header_row_missing: row<{ row: number; records: number }>({
    ro: ({ row, records }) =>
      `Rândul ${row}, ales ca antet, nu există: fișierul are ${countRomanian(records, 'rând', 'rânduri')}.`,
    en: ({ row, records }) =>
      `Row ${row}, which was chosen as the header, is not there: the file has ${countEnglish(records, 'row', 'rows')}.`,
    desk: { ro: 'Bifați alt rând.', en: 'Tick another one.' },
  }),
  header_width: row<{ named: number; cells: number; rows: number; all: number }>({
    ro: ({ named, cells, rows, all }) =>
      `Antetul are ${countRomanian(named, 'nume', 'nume')}, dar ${formatNumber('ro', rows)} din ${countRomanian(all, 'rând', 'rânduri')} au ${countRomanian(cells, 'celulă', 'celule')}.`,
    en: ({ named, cells, rows, all }) =>
      `The header has ${countEnglish(named, 'name', 'names')}, but ${formatNumber('en', rows)} of ${formatNumber('en', all)} rows have ${countEnglish(cells, 'cell', 'cells')}: which name belongs to which column cannot be known.`,
    desk: {
      ro: 'Bifați rândul potrivit ca antet, corectați fișierul sau alegeți alt semn la „Separatorul celulelor”.',
      en: 'Tick the row that is the header, correct the file, or choose another “Cell separator”.',
    },
    shell:
      'Name the right record with --header-row, or say --header-row 0 and give the columns their names in a definition ("source": "column_1" …), or correct the header. If the lines are cut at the wrong places, --delimiter and --quote say where.',
    override: '--header-row',
  }),
}
