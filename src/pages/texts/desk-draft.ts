import { countEnglish, countRomanian, formatNumber, textTable } from './texts.ts'

/** The frame of a draft's page: `/publish/drafts/{id}`. */
export const DRAFT_TEXTS = textTable({
  title: ['Fișier de publicat', 'File to publish'],
  receiving: ['Se preia fișierul', 'The file is being fetched'],
  waiting: ['Fișierul așteaptă să fie citit', 'The file is waiting to be read'],
  reading: ['Se citește fișierul', 'The file is being read'],
  publishing: ['Se publică', 'Being published'],
  progress: ['Stadiu', 'Progress'],
  starting: ['Începe imediat…', 'About to begin…'],
  phase_fetching: ['Se preia de la adresă', 'Fetching'],
  phase_unpacking: ['Se dezarhivează', 'Unpacking'],
  phase_converting: ['Se deschide registrul', 'Opening the workbook'],
  phase_reading: ['Se citesc rândurile', 'Reading rows'],
  phase_writing: ['Se scriu coloanele', 'Writing columns'],
  of: [
    (done: string, total: string) => `${done} din ${total}`,
    (done: string, total: string) => `${done} of ${total}`,
  ],
  mayLeave: [
    'Puteți închide pagina: fișierul rămâne printre ciornele de pe pagina „Publicare”.',
    'You may close this page: the file stays among the drafts on the page “Publish”.',
  ],
  cancel: ['Renunțați', 'Cancel'],
  rows: [
    (count: number) => countRomanian(count, 'rând', 'rânduri'),
    (count: number) => countEnglish(count, 'row', 'rows'),
  ],
  columns: [
    (count: number) => countRomanian(count, 'coloană', 'coloane'),
    (count: number) => countEnglish(count, 'column', 'columns'),
  ],
  publish: ['Publicați', 'Publish'],
  previewed: ['primele rânduri; restul se citește acum', 'the first rows; the rest is being read'],
  rereading: ['se citește din nou…', 'being read again…'],
  noTable: ['nu s-a găsit un tabel', 'no table was found'],
  points: [
    (count: number) =>
      count === 1 ? 'un lucru de lămurit' : `${countRomanian(count, 'lucru', 'lucruri')} de lămurit`,
    (count: number) => (count === 1 ? 'one thing to settle' : `${count} things to settle`),
  ],
  ready: ['gata de publicat', 'ready to publish'],
  end: ['Pentru ediția următoare', 'For the next edition'],
  endText: [
    'Alegerile de pe această pagină se păstrează cu setul de date și se aplică la ediția următoare. Le puteți descărca și ca fișier de definiție, pentru administrator.',
    'The choices on this page are kept with the dataset and used for its next edition. You can also download them as a definition file, for the operator.',
  ],
  definition: ['Descărcați definiția', 'Download the definition'],
  removeDraft: ['Ștergeți ciorna', 'Remove this draft'],
  published: ['Publicat', 'Published'],
  publishedText: [
    (title: string, version: number) => `„${title}” este publicat (versiunea ${version}).`,
    (title: string, version: number) => `“${title}” is published (version ${version}).`,
  ],
  lateNodes: [
    (names: string) => `Încă nu apare pe toate serverele: ${names}.`,
    (names: string) => `Not every server shows it yet: ${names}.`,
  ],
  unchangedTitle: ['Nimic nou', 'Nothing new'],
  unchangedText: [
    (title: string) => `Acest fișier este deja publicat ca „${title}”, citit în același fel.`,
    (title: string) => `This file is already published as “${title}”, read in the same way.`,
  ],
  share: ['Adresa paginii, de dat mai departe', 'Address of the page, to share'],
  api: ['Adresa pentru programe', 'Address for programs'],
  see: ['Deschideți pagina setului', 'Open the page of the dataset'],
  manage: ['Modificați textele, vedeți versiunile', 'Edit texts, see versions'],
  another: ['Publicați alt fișier', 'Publish another file'],
  undo: [
    (version: number) => `Reveniți la versiunea ${version}`,
    (version: number) => `Go back to version ${version}`,
  ],
  undoTitle: ['Reveniți la versiunea anterioară?', 'Go back to the previous version?'],
  undoText: [
    (version: number) =>
      `Se publică din nou versiunea ${version}. Cea de acum se păstrează și se poate publica din nou.`,
    (version: number) =>
      `Version ${version} will be published again. The current one is kept and can also be published again.`,
  ],
  undone: [
    (version: number) => `Versiunea ${version} este publicată din nou.`,
    (version: number) => `Version ${version} is published again.`,
  ],
  failed: ['Fișierul nu a putut fi citit', 'The file could not be read'],
  retry: ['Încercați din nou', 'Try again'],
})

/** What was decided about a file, by kind; the report's own sentence names the values. */
export const DECISION_TEXTS = textTable({
  sheet: [
    'Registrul are mai multe foi; s-a citit cea cu tabelul cel mai mare.',
    'The workbook has several sheets; the one with the largest table was read.',
  ],
  titles: [
    'Rândurile de deasupra antetului sunt titluri și nu se publică.',
    'The rows above the header are titles and are not published.',
  ],
  header: [
    'Antetul lipsește sau are mai multe rânduri, ale căror nume s-au unit.',
    'There is no header, or it has several rows, whose names were joined.',
  ],
  numbering: [
    'Rândul care numerotează coloanele nu este un rând de date.',
    'The row that numbers the columns is not a row of data.',
  ],
  drawn_line: [
    'Linia desenată sub antet nu este un rând de date.',
    'The line drawn below the header is not a row of data.',
  ],
  repeated_header: [
    'Antetul repetat printre rânduri este lăsat deoparte.',
    'The header that is repeated among the rows is left out.',
  ],
  second_table: [
    'Sub primul tabel începe altul, care este lăsat deoparte.',
    'Another table begins below the first one and is left out.',
  ],
  footnotes: ['Notele de sub tabel sunt lăsate deoparte.', 'Notes below the table are left out.'],
  totals: ['Tabelul are un rând de totaluri.', 'The table has a row of totals.'],
  ragged: [
    'Unele rânduri au alt număr de celule decât antetul.',
    'Some rows have a different number of cells than the header.',
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
    'Separatorul zecimal al unor coloane s-a ales după celelalte coloane.',
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

/** What to check before publishing: `/publish/drafts/{id}`. */
export const ADVICE_TEXTS = textTable({
  title: ['De verificat', 'To check'],
  doubt: [
    (share: string) =>
      `Modul de citire este sigur doar în proporție de ${share}: comparați tabelul cu fișierul.`,
    (share: string) => `The way the file is read is only ${share} sure: compare the table with the file.`,
  ],
  seeReading: ['Cum se citește fișierul', 'How the file is read'],
  sheets: [
    (count: number, name: string) =>
      `Registrul are ${countRomanian(count, 'foaie', 'foi')}; se publică „${name}”.`,
    (count: number, name: string) => `The workbook has ${count} sheets; “${name}” is published.`,
  ],
  chooseSheet: ['Alegeți altă foaie', 'Choose another sheet'],
  totals: [
    'Tabelul are un rând de totaluri, care se publică la fel ca celelalte: cine adună toate rândurile numără valorile de două ori.',
    'The table has a row of totals, which is published like the others: adding up the rows counts them twice.',
  ],
  leaveTotals: ['Lăsați deoparte totalurile', 'Leave out the totals'],
  readHidden: ['Publicați și ce este ascuns', 'Publish what is hidden, too'],
  leaveHidden: ['Lăsați deoparte', 'Leave it out'],
  notation: [
    (columns: number) =>
      `${columns === 1 ? 'O coloană are' : countRomanian(columns, 'coloană', 'coloane au')} valori scrise în mai multe feluri.`,
    (columns: number) =>
      `${countEnglish(columns, 'column has', 'columns have')} values written in several ways.`,
  ],
  seeNotation: ['Alegeți cum se citesc', 'Choose how to read them'],
  nulls: [
    (columns: number) =>
      `${columns === 1 ? 'O coloană este' : countRomanian(columns, 'coloană', 'coloane sunt')} text din cauza câtorva celule.`,
    (columns: number) => `${countEnglish(columns, 'column is', 'columns are')} text because of a few cells.`,
  ],
  seeNulls: ['Vedeți celulele', 'See the cells'],
  quarantined: [
    (rows: number) =>
      `${rows === 1 ? 'Un rând nu se publică' : countRomanian(rows, 'rând', 'rânduri nu se publică')}.`,
    (rows: number) => `${countEnglish(rows, 'row is', 'rows are')} not published.`,
  ],
  seeRows: ['Vedeți ce este lăsat deoparte', 'See what is left out'],
})

/** The records of a file and the resulting table: `/publish/drafts/{id}`. */
export const RECORDS_TEXTS = textTable({
  file: ['Ce este în fișier', 'What is in the file'],
  fileText: [
    'Primele rânduri, așa cum sunt în fișier. Bifați rândurile care alcătuiesc antetul, adică numele coloanelor.',
    'The first rows as they are in the file. Tick the rows that make up the header, which names the columns.',
  ],
  header: ['Antet', 'Header'],
  role: ['Rol', 'Role'],
  cells: ['Conținut', 'Contents'],
  isHeader: [
    (number: number) => `Rândul ${number} face parte din antet`,
    (number: number) => `Row ${number} is part of the header`,
  ],
  role_title: ['titlu', 'title'],
  role_header: ['antet', 'header'],
  role_units: ['unități', 'units'],
  role_data: ['date', 'data'],
  role_note: ['notă', 'note'],
  role_blank: ['gol', 'blank'],
  noHeader: ['Fișierul nu are antet', 'The file has no header'],
  findHeader: ['Antetul găsit automat', 'Use the header that was found'],
  table: ['Tabelul care se publică', 'The table that is published'],
  tableText: [
    'Primele rânduri. Apăsați pe numele unei coloane ca să-i schimbați numele, tipul sau descrierea.',
    'The first rows. Choose the name of a column to change its name, type or description.',
  ],
  noValue: ['fără valoare', 'no value'],
  leftOut: [(what: string) => `Lăsate deoparte: ${what}`, (what: string) => `Left out: ${what}`],
  leftOutText: [
    'Se află în jurul tabelului și nu fac parte din date. Nu sunt greșeli și nu se publică.',
    'They surround the table and are not part of the data. They are not errors and are not published.',
  ],
  line: [
    (line: number, raw: string) => `linia ${line}: ${raw}`,
    (line: number, raw: string) => `line ${line}: ${raw}`,
  ],
  keepNotes: ['Notele sunt rânduri de date', 'The notes are rows of data'],
})

/** Rows that are left out or were mended: `/publish/drafts/{id}` and `/publish/datasets/{id}`. */
export const KEPT_TEXTS = textTable({
  title: ['Rânduri cu probleme', 'Rows with problems'],
  quarantine: ['Rânduri care nu se publică', 'Rows that are not published'],
  quarantineText: [
    'Nu se potrivesc cu tabelul. Se păstrează separat, cu motivul fiecăruia.',
    'They do not fit the table. They are kept separately, each with its reason.',
  ],
  repaired: ['Rânduri corectate', 'Mended rows'],
  repairedText: [
    'Aveau alt număr de celule decât antetul și au fost corectate în singurul fel posibil.',
    'They had a different number of cells than the header and were mended in the only possible way.',
  ],
  none: ['Niciunul.', 'None.'],
  line: ['Linie', 'Line'],
  why: ['Motiv', 'Reason'],
  text: ['Textul din fișier', 'Text in the file'],
  shown: [
    (shown: number, total: number) =>
      `Primele ${formatNumber('ro', shown)} din ${formatNumber('ro', total)}.`,
    (shown: number, total: number) =>
      `The first ${formatNumber('en', shown)} of ${formatNumber('en', total)}.`,
  ],
  download: ['Descărcați toate (CSV)', 'Download all (CSV)'],
})

/** Sending a file, or naming its address: `/publish`. */
export const UPLOAD_TEXTS = textTable({
  title: ['Publicați un fișier', 'Publish a file'],
  titleEdition: ['Publicați o ediție nouă', 'Publish a new edition'],
  choose: ['Alegeți fișierul', 'Choose a file'],
  orDrop: ['sau trageți-l în acest chenar.', 'or drop it into this box.'],
  formats: [
    (most: string) =>
      `Tabele în format CSV, Excel (XLSX, XLS), ODS sau JSON, de cel mult ${most}, și în arhive ZIP. O ediție nouă a unui set publicat se recunoaște după numele fișierului sau după coloane. Nimic nu se publică înainte de a confirma.`,
    (most: string) =>
      `Tables as CSV, Excel (XLSX, XLS), ODS or JSON, of at most ${most}, also inside a ZIP archive. A new edition of a published dataset is recognised by the name of the file or by its columns. Nothing is published before you confirm it.`,
  ],
  address: ['sau scrieți adresa la care se află fișierul', 'or give the address of the file'],
  addressHint: [
    'O adresă care începe cu https:// sau, pentru un pachet CKAN, cu ckan:https://',
    'An address that begins with https://, or ckan:https:// for a CKAN package',
  ],
  fetch: ['Preluați fișierul', 'Fetch the file'],
  sending: ['Se încarcă', 'Uploading'],
  of: [
    (sent: string, total: string) => `${sent} din ${total}`,
    (sent: string, total: string) => `${sent} of ${total}`,
  ],
  cancel: ['Renunțați', 'Cancel'],
  empty: ['Fișierul este gol. Alegeți alt fișier.', 'The file is empty. Choose another one.'],
  tooLarge: [
    (most: string) => `Fișierul este prea mare: serviciul primește cel mult ${most}.`,
    (most: string) => `The file is too large: the service takes at most ${most}.`,
  ],
})
