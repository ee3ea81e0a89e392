import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** The frame of a draft's page: `/publish/drafts/{id}`. */
export const DRAFT_TEXTS = textTable({
  title: ['Fișier de publicat', 'File to publish'],
  receiving: ['Se preia fișierul', 'The file is being fetched'],
  waiting: ['Fișierul așteaptă să fie citit', 'The file waits to be read'],
  reading: ['Se citește fișierul', 'The file is being read'],
  publishing: ['Se publică', 'Being published'],
  progress: ['Stadiu', 'Progress'],
  starting: ['Începe îndată…', 'About to begin…'],
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
    'Puteți închide pagina: fișierul rămâne în lista de pe pagina Publicare.',
    'You may close this page: the file stays in the list of the page Publish.',
  ],
  cancel: ['Renunță', 'Cancel'],
  rows: [
    (count: number) => countRomanian(count, 'rând', 'rânduri'),
    (count: number) => countEnglish(count, 'row', 'rows'),
  ],
  columns: [
    (count: number) => countRomanian(count, 'coloană', 'coloane'),
    (count: number) => countEnglish(count, 'column', 'columns'),
  ],
  publish: ['Publică', 'Publish'],
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
    'Alegerile de pe această pagină se păstrează cu setul de date și se folosesc la ediția următoare. Le puteți descărca și ca fișier de definiție, pentru administrator.',
    'The choices on this page are kept with the dataset and used for its next edition. They can also be downloaded as a definition file, for the operator.',
  ],
  definition: ['Descarcă definiția', 'Download the definition'],
  removeDraft: ['Șterge fișierul în lucru', 'Remove this file'],
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
  see: ['Deschide pagina setului', 'Open the page of the dataset'],
  manage: ['Modifică textele, vezi versiunile', 'Edit texts, see versions'],
  another: ['Publică alt fișier', 'Publish another file'],
  undo: [
    (version: number) => `Revino la versiunea ${version}`,
    (version: number) => `Go back to version ${version}`,
  ],
  undoTitle: ['Reveniți la versiunea dinainte?', 'Go back to the version before?'],
  undoText: [
    (version: number) =>
      `Se va publica din nou versiunea ${version}. Cea de acum se păstrează și poate fi pusă din nou în uz.`,
    (version: number) =>
      `Version ${version} will be served again. The one of now is kept and can be served again.`,
  ],
  undone: [
    (version: number) => `Se servește din nou versiunea ${version}.`,
    (version: number) => `Version ${version} is served again.`,
  ],
  failed: ['Fișierul nu a putut fi citit', 'The file could not be read'],
  retry: ['Încearcă din nou', 'Try again'],
})
