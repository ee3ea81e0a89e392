import { countEnglish, countRomanian, formatNumber, formatShare, textTable } from './texts.ts'

/** What blocks publishing, and what resolves it: `/publish/drafts/{id}`. */
export const POINT_TEXTS = textTable({
  title: ['De lămurit înainte de publicare', 'To settle before publishing'],
  none: ['Nimic nu împiedică publicarea', 'Nothing stands in the way of publishing'],
  edition: [
    (title: string) => `Este ediția următoare a setului „${title}”?`,
    (title: string) => `Is this the next edition of “${title}”?`,
  ],
  editionText: [
    (share: number) =>
      share === 1
        ? 'Are aceleași coloane. Dacă da, păstrează titlul, adresa și alegerile setului.'
        : `${formatShare('ro', share)} dintre coloane sunt aceleași. Dacă da, păstrează titlul, adresa și alegerile setului.`,
    (share: number) =>
      share === 1
        ? 'It has the same columns. If so, it keeps the title, the address and the choices of the dataset.'
        : `${formatShare('en', share)} of the columns are the same. If so, it keeps the title, the address and the choices of the dataset.`,
  ],
  isEdition: [
    (title: string) => `Da, este o ediție nouă a setului „${title}”`,
    (title: string) => `Yes, a new edition of “${title}”`,
  ],
  unfit: ['Alegerile nu se potrivesc cu fișierul', 'The choices do not fit the file'],
  unread: ['În acest fișier nu s-a găsit un tabel', 'No table was found in this file'],
  unreadText: [
    'Bifați mai jos rândul cu numele coloanelor sau schimbați modul în care se citește fișierul. Dacă fișierul este o pagină, o imagine sau un document, salvați tabelul ca XLSX sau CSV și încărcați-l din nou.',
    'Tick the row with the names of the columns below, or change how the file is read. If the file is a page, a picture or a document, save its table as XLSX or CSV and upload that.',
  ],
  unsure: ['Fișierul se poate citi în mai multe feluri', 'The file can be read in several ways'],
  unsureText: [
    'Bifați mai jos rândul cu numele coloanelor sau apăsați „Fișierul nu are antet”. Dacă celulele sunt tăiate greșit, alegeți separatorul la „Cum se citește fișierul”.',
    'Tick the row with the names of the columns below, or choose “The file has no header”. If cells are cut in the wrong places, choose the cell separator under “How the file is read”.',
  ],
  outdated: ['Altcineva a publicat între timp', 'Somebody else has published in the meantime'],
  outdatedText: [
    'De când ați deschis acest fișier s-a publicat altă versiune a setului. Citiți-l din nou, ca să-l comparați cu cea de acum.',
    'Another version of the dataset was published since this file was read. Read it again to compare it with the current version.',
  ],
  readAgain: ['Citiți din nou', 'Read again'],
  domain: ['Ce sunt aceste date?', 'What is this data?'],
  domainText: [
    'Alegeți domeniul în care se găsesc în catalog și dați-le un titlu.',
    'Choose the domain under which the catalog lists it, and give it a title.',
  ],
  drift: ['Coloanele nu sunt cele publicate', 'The columns differ from the published ones'],
  driftText: [
    'Programele care folosesc datele se bazează pe numele și tipul coloanelor. Spuneți care coloane sunt de fapt aceleași; restul se publică numai cu acordul dumneavoastră.',
    'Programs that use the data rely on the names and types of columns. Say which columns are the same; the rest is published only if you agree.',
  ],
  appendDriftText: [
    'Rândurile se pot adăuga numai dacă fișierul are aceleași coloane. Spuneți care coloane sunt aceleași și lăsați-le deoparte pe cele noi.',
    'Rows can only be added if the file has the same columns. Say which columns are the same, and leave the new ones out.',
  ],
  lost: [
    (name: string) => `Coloana publicată „${name}” nu este în fișier.`,
    (name: string) => `The published column “${name}” is not in the file.`,
  ],
  calledNow: ['În fișier se numește acum', 'In the file it is now called'],
  same: ['Este aceeași coloană', 'It is the same column'],
  sameAs: [
    (name: string, header: string) => `${name} și ${header}: este aceeași coloană`,
    (name: string, header: string) => `${name} and ${header}: it is the same column`,
  ],
  added: [
    (name: string, type: string) => `Coloana „${name}” (${type}) este nouă.`,
    (name: string, type: string) => `The column “${name}” (${type}) is new.`,
  ],
  changed: [
    (name: string, from: string, to: string) => `Coloana „${name}” avea tipul ${from}, iar acum este ${to}.`,
    (name: string, from: string, to: string) => `The column “${name}” was ${from} and is now ${to}.`,
  ],
  cause: [(values: string) => `Cauza: ${values}.`, (values: string) => `Because of ${values}.`],
  onLine: [
    (value: string, line: number) => `„${value}” (linia ${line})`,
    (value: string, line: number) => `“${value}” (line ${line})`,
  ],
  keepType: [(type: string) => `Păstrați tipul ${type}`, (type: string) => `Keep it as ${type}`],
  keepTypeOf: [
    (name: string, type: string) => `${name}: păstrați tipul ${type}`,
    (name: string, type: string) => `${name}: keep it as ${type}`,
  ],
  acceptDrift: [
    'Public coloanele așa cum sunt în fișier, deși diferă de cele de acum.',
    'Publish the columns as they are in the file, although they differ.',
  ],
  empty: ['Nu rămâne niciun rând', 'No row is left'],
  acceptEmpty: [
    'Este intenționat: setul de date rămâne fără rânduri.',
    'This is intended: the dataset becomes empty.',
  ],
  fewRows: [
    'Ar rămâne mai puțin de jumătate din rândurile publicate',
    'Fewer than half of the published rows would be left',
  ],
  fewRowsText: [
    'Verificați că fișierul este complet și că este tabelul potrivit.',
    'Check that the file is complete and that it is the right table.',
  ],
  acceptShrink: [
    'Fișierul este complet: celelalte rânduri nu mai sunt valabile.',
    'The file is complete: the other rows are gone for good.',
  ],
  quarantine: [
    (out: number, all: number) =>
      `Prea multe rânduri nu pot fi citite: ${formatNumber('ro', out)} din ${formatNumber('ro', all)}`,
    (out: number, all: number) =>
      `Too many rows cannot be read: ${formatNumber('en', out)} of ${formatNumber('en', all)}`,
  ],
  quarantineText: [
    'Corectați fișierul, schimbați tipul coloanelor sau publicați fără aceste rânduri.',
    'Fix the file, change the types of columns, or publish without these rows.',
  ],
  seeRows: ['Vedeți rândurile', 'See the rows'],
  acceptQuarantine: ['Public fără aceste rânduri.', 'Publish without these rows.'],
  mended: [
    'Prea multe rânduri au alt număr de celule decât antetul',
    'Too many rows have a different number of cells than the header',
  ],
  mendedText: [
    'Au fost corectate. Verificați-le: fiecare valoare trebuie să fie în coloana ei.',
    'They were mended. Check them: each value has to be in its column.',
  ],
  acceptMended: ['Le-am verificat și le public.', 'I have checked them; publish them.'],
  duplicates: ['Unele rânduri sunt deja publicate', 'Some rows are already published'],
  duplicatesText: [
    'Unele rânduri din fișier au aceeași cheie ca rânduri deja publicate.',
    'Some rows of the file have the same key as published rows.',
  ],
  replaceWhereText: [
    'Dacă este o ediție corectată: care coloane spun ce ediție este, de exemplu anul și luna?',
    'If this is a corrected edition: which columns say which edition it is, such as year and month?',
  ],
  replaceWhere: ['Înlocuiți rândurile acelei ediții', 'Replace the rows of that edition'],
  replaceAll: ['Înlocuiți toate rândurile publicate', 'Replace all published rows'],
  personal: ['Fișierul pare să conțină date personale', 'The file seems to hold personal data'],
  personalText: [
    'Aceste coloane nu se publică fără acordul dumneavoastră. Lăsați-le deoparte sau confirmați că pot fi publicate.',
    'These columns are not published unless you agree. Leave them out, or confirm that they may be published.',
  ],
  personalAdvice: [
    'Verificați că pot fi publicate; dacă nu, lăsați-le deoparte.',
    'Check that they may be published; if not, leave them out.',
  ],
  leaveOut: ['Lăsați-o deoparte', 'Leave it out'],
  leaveOutOf: [
    (column: string) => `Lăsați-o deoparte: ${column}`,
    (column: string) => `Leave it out: ${column}`,
  ],
  allow: ['Poate fi publicată', 'It may be published'],
  allowOf: [
    (column: string) => `Poate fi publicată: ${column}`,
    (column: string) => `It may be published: ${column}`,
  ],
  isAllowed: ['se publică', 'will be published'],
})

/** Questions in a few words, for the bar, which names the one that publishing waits for. */
export const QUESTION_TEXTS = textTable({
  unread: ['nu s-a găsit un tabel', 'no table was found'],
  outdated: ['s-a publicat altă versiune', 'another version was published'],
  domain: ['alegeți domeniul', 'choose the domain'],
  personal_data: ['date personale', 'personal data'],
  drift: ['alte coloane decât cele publicate', 'the columns differ from the published ones'],
  append_drift: ['alte coloane decât cele publicate', 'the columns differ from the published ones'],
  empty: ['nu rămâne niciun rând', 'no row is left'],
  too_few_rows: ['dispar multe rânduri', 'many rows disappear'],
  quarantine: ['prea multe rânduri care nu pot fi citite', 'too many rows cannot be read'],
  too_many_mended: ['prea multe rânduri corectate', 'too many rows were mended'],
  duplicate_key: ['rânduri deja publicate', 'rows that are already published'],
  edition: ['ediție a unui set publicat', 'an edition of a dataset'],
  reading: ['citire nesigură', 'the reading is uncertain'],
  sheet: ['foaia citită', 'the sheet that is read'],
  totals: ['rând de totaluri', 'a row of totals'],
  hidden: ['rânduri sau coloane ascunse', 'hidden rows or columns'],
  notation: ['valori scrise altfel', 'values written in another way'],
  null_values: ['celule fără valoare', 'cells without a value'],
})

/** What publishing changes, in one sentence. */
export const CHANGE_TEXTS = textTable({
  fresh: [
    (title: string, rows: number, columns: number) =>
      `Set de date nou, „${title}”: ${countRomanian(rows, 'rând', 'rânduri')}, ${countRomanian(columns, 'coloană', 'coloane')}.`,
    (title: string, rows: number, columns: number) =>
      `A new dataset, “${title}”: ${countEnglish(rows, 'row', 'rows')}, ${countEnglish(columns, 'column', 'columns')}.`,
  ],
  edition: [
    (title: string, said: string) => `Ediție nouă a setului „${title}”: ${said}.`,
    (title: string, said: string) => `A new edition of “${title}”: ${said}.`,
  ],
  counts: [
    (title: string, before: number, now: number) =>
      `Ediție nouă a setului „${title}”: acum are ${countRomanian(before, 'rând', 'rânduri')}, iar fișierul are ${formatNumber('ro', now)}.`,
    (title: string, before: number, now: number) =>
      `A new edition of “${title}”: it has ${countEnglish(before, 'row', 'rows')} now, the file ${formatNumber('en', now)}.`,
  ],
  about: ['aproximativ ', 'about '],
  added: [
    (rows: number) =>
      rows === 1 ? 'un rând se adaugă' : `${countRomanian(rows, 'rând', 'rânduri')} se adaugă`,
    (rows: number) => `${countEnglish(rows, 'row is', 'rows are')} added`,
  ],
  removed: [
    (rows: number) => (rows === 1 ? 'un rând dispare' : `${countRomanian(rows, 'rând', 'rânduri')} dispar`),
    (rows: number) => `${countEnglish(rows, 'row disappears', 'rows disappear')}`,
  ],
  changed: [
    (rows: number) =>
      rows === 1 ? 'un rând se schimbă' : `${countRomanian(rows, 'rând', 'rânduri')} se schimbă`,
    (rows: number) => `${countEnglish(rows, 'row changes', 'rows change')}`,
  ],
  sameRows: ['rândurile rămân aceleași', 'the rows stay the same'],
  columns_added: [(names: string) => `Coloane noi: ${names}.`, (names: string) => `New columns: ${names}.`],
  columns_removed: [
    (names: string) => `Coloane care dispar: ${names}.`,
    (names: string) => `Columns that disappear: ${names}.`,
  ],
  columns_changed: [
    (names: string) => `Coloane cu alt tip: ${names}.`,
    (names: string) => `Columns of another type: ${names}.`,
  ],
})

/** Which dataset a file becomes, and what happens to the published rows. */
export const EDITION_TEXTS = textTable({
  editionOf: ['Se publică drept', 'Publish it as'],
  editionOfHint: [
    'O ediție nouă păstrează titlul, adresa, textele și alegerile setului.',
    'A new edition keeps the title, the address, the texts and the choices of its dataset.',
  ],
  newDataset: ['set de date nou', 'a new dataset'],
  alike: ['ediție nouă, cu coloane asemănătoare', 'a new edition, with similar columns'],
  others: ['ediție nouă a altui set', 'a new edition of another dataset'],
  modeText: ['Rândurile din fișier', 'The rows of the file'],
  mode_replace: ['le înlocuiesc pe cele publicate', 'replace the published rows'],
  mode_append: ['se adaugă la cele publicate', 'are added to the published rows'],
  rowsMoved: [
    (before: number, after: number) =>
      `${countRomanian(before, 'rând', 'rânduri')} acum, ${formatNumber('ro', after)} după publicare`,
    (before: number, after: number) =>
      `${countEnglish(before, 'row', 'rows')} now, ${formatNumber('en', after)} after publishing`,
  ],
})
