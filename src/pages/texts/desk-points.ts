import { countEnglish, countRomanian, formatNumber, textTable } from './texts.ts'

/** What stands in the way of publishing, and what answers it: `/publish/drafts/{id}`. */
export const POINT_TEXTS = textTable({
  title: ['De lămurit înainte de publicare', 'To settle before publishing'],
  none: ['Nimic nu stă în calea publicării', 'Nothing stands in the way'],
  newDataset: [
    (title: string) => `Din acest fișier se face un set de date nou: „${title}”.`,
    (title: string) => `This file becomes a new dataset: “${title}”.`,
  ],
  edition: [
    (title: string, version: number) =>
      `Ediție nouă a setului „${title}”, publicat acum în versiunea ${version}.`,
    (title: string, version: number) =>
      `A new edition of “${title}”, which is published in version ${version}.`,
  ],
  modeText: ['Rândurile din fișier', 'The rows of the file'],
  mode_replace: ['iau locul celor publicate', 'take the place of those that are published'],
  mode_append: ['se adaugă la cele publicate', 'are added to those that are published'],
  appended: [
    (rows: number, replaced: number) =>
      `Acum sunt publicate ${countRomanian(rows, 'rând', 'rânduri')}${replaced > 0 ? `; ${formatNumber('ro', replaced)} se înlocuiesc` : ''}.`,
    (rows: number, replaced: number) =>
      `${countEnglish(rows, 'row is', 'rows are')} published now${replaced > 0 ? `; ${formatNumber('en', replaced)} of them are replaced` : ''}.`,
  ],
  unfit: ['Alegerile nu se potrivesc cu fișierul', 'The choices do not fit the file'],
  unread: ['În acest fișier nu s-a găsit un tabel', 'No table was found in this file'],
  unreadText: [
    'Bifați mai jos rândul cu numele coloanelor sau schimbați modul în care se citește fișierul. Dacă fișierul este o pagină, o imagine sau un document, salvați tabelul ca XLSX sau CSV și încărcați-l din nou.',
    'Tick the row with the names of the columns below, or change how the file is read. If the file is a page, a picture or a document, save its table as XLSX or CSV and upload that.',
  ],
  unsure: ['Fișierul se poate citi în mai multe feluri', 'The file can be read in several ways'],
  unsureText: [
    'Bifați mai jos rândul cu numele coloanelor, sau apăsați „Fișierul nu are antet”. Dacă celulele sunt tăiate greșit, alegeți separatorul la „Cum se citește fișierul”.',
    'Tick the row with the names of the columns below, or choose “The file has no header”. If cells are cut in the wrong places, choose the sign between cells under “How the file is read”.',
  ],
  outdated: ['Altcineva a publicat între timp', 'Somebody else has published meanwhile'],
  outdatedText: [
    'De când ați deschis acest fișier s-a publicat altă versiune a setului. Citiți-l din nou, ca să-l comparați cu cea de acum.',
    'Another version of the dataset was published since this file was read. Read it again to compare it with the current version.',
  ],
  readAgain: ['Citește din nou', 'Read again'],
  domain: ['Ce sunt aceste date?', 'What are these data?'],
  domainText: [
    'Alegeți domeniul sub care se găsesc în catalog și dați-le un titlu.',
    'Choose the domain under which the catalog lists them, and give them a title.',
  ],
  chooseDomain: ['Salvează', 'Save'],
  drift: ['Coloanele nu sunt cele publicate', 'The columns are not those that are published'],
  driftText: [
    'Programele care folosesc datele se bazează pe numele și tipul coloanelor. Arătați care coloane sunt de fapt aceleași; restul se publică numai cu acordul dumneavoastră.',
    'Programs that use the data rely on the names and types of columns. Say which columns are the same; the rest is published only if you agree.',
  ],
  appendDriftText: [
    'Rândurile se pot adăuga numai dacă fișierul are aceleași coloane. Arătați care coloane sunt aceleași și lăsați deoparte pe cele noi.',
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
  keepType: [(type: string) => `Păstrează tipul ${type}`, (type: string) => `Keep it as ${type}`],
  keepTypeOf: [
    (name: string, type: string) => `${name}: păstrează tipul ${type}`,
    (name: string, type: string) => `${name}: keep it as ${type}`,
  ],
  acceptDrift: [
    'Public coloanele așa cum sunt în fișier, deși diferă de cele de acum.',
    'Publish the columns as they are in the file, although they differ.',
  ],
  empty: ['Niciun rând nu mai rămâne', 'No row is left'],
  acceptEmpty: [
    'Așa trebuie: setul de date rămâne fără rânduri.',
    'That is meant: the dataset becomes empty.',
  ],
  fewRows: [
    'Ar rămâne mai puțin de jumătate din rândurile publicate',
    'Fewer than half of the published rows would be left',
  ],
  fewRowsText: [
    'Verificați că fișierul este întreg și că este tabelul potrivit.',
    'Check that the file is complete, and the right table.',
  ],
  acceptShrink: [
    'Fișierul este întreg: celelalte rânduri nu mai sunt valabile.',
    'The file is complete: the other rows are gone for good.',
  ],
  quarantine: [
    (out: number, all: number) =>
      `Prea multe rânduri nu pot fi citite: ${formatNumber('ro', out)} din ${formatNumber('ro', all)}`,
    (out: number, all: number) =>
      `Too many rows cannot be read: ${formatNumber('en', out)} of ${formatNumber('en', all)}`,
  ],
  quarantineText: [
    'Reparați fișierul, schimbați tipul coloanelor sau publicați fără aceste rânduri.',
    'Fix the file, change the types of columns, or publish without these rows.',
  ],
  seeRows: ['Vedeți rândurile', 'See the rows'],
  acceptQuarantine: ['Public fără aceste rânduri.', 'Publish without these rows.'],
  mended: [
    'Prea multe rânduri au alt număr de celule decât antetul',
    'Too many rows have another number of cells than the header',
  ],
  mendedText: [
    'Au fost reparate. Verificați-le: valorile trebuie să stea sub coloanele lor.',
    'They were mended. Check them: the values have to stand under their columns.',
  ],
  acceptMended: ['Le-am verificat și le public.', 'I have checked them; publish them.'],
  duplicates: ['Unele rânduri sunt deja publicate', 'Some rows are already published'],
  duplicatesText: [
    'Rânduri din fișier au aceeași cheie ca rânduri publicate.',
    'Rows of the file have the same key as rows that are published.',
  ],
  replaceWhereText: [
    'Dacă este o ediție corectată: care coloane spun ce ediție este, de exemplu anul și luna?',
    'If this is a corrected edition: which columns say which edition it is, such as year and month?',
  ],
  replaceWhere: ['Înlocuiește rândurile acelei ediții', 'Replace the rows of that edition'],
  replaceAll: ['Înlocuiește toate rândurile publicate', 'Replace all published rows'],
  personal: ['Par să fie date despre persoane', 'There seem to be data about people'],
  personalText: [
    'Aceste coloane nu se publică fără acordul dumneavoastră. Lăsați-le deoparte sau confirmați că pot fi publicate.',
    'These columns are not published unless you agree. Leave them out, or confirm that they may be published.',
  ],
  personalAdvice: [
    'Verificați că pot fi publicate; dacă nu, lăsați-le deoparte.',
    'Check that they may be published; if not, leave them out.',
  ],
  leaveOut: ['Las-o deoparte', 'Leave it out'],
  leaveOutOf: [
    (column: string) => `Las-o deoparte: ${column}`,
    (column: string) => `Leave it out: ${column}`,
  ],
  allow: ['Poate fi publicată', 'It may be published'],
  allowOf: [
    (column: string) => `Poate fi publicată: ${column}`,
    (column: string) => `It may be published: ${column}`,
  ],
  allowAll: ['Toate pot fi publicate', 'All of them may be published'],
})
