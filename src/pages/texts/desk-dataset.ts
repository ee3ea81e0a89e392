import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** A published dataset on the desk: `/publish/datasets/{id}`. */
export const DATASET_DESK_TEXTS = textTable({
  summary: [
    (rows: number, version: number) => `${countRomanian(rows, 'rând', 'rânduri')}, versiunea ${version} din`,
    (rows: number, version: number) => `${countEnglish(rows, 'row', 'rows')}, version ${version} of`,
  ],
  see: ['Pagina publică', 'Public page'],
  pages: ['Pagina publică', 'Public page'],
  pagesOpen: [
    'Rândurile și fișierele se văd pe pagina publică, fără cheie.',
    'Rows and files are shown on the public page, without a key.',
  ],
  pagesClosed: [
    'Pagina publică arată numai ce este setul de date. Rândurile și fișierele se citesc cu o cheie.',
    'The public page only says what the dataset is. Rows and files are read with a key.',
  ],
  closePages: ['Arată rândurile numai cu cheie', 'Show rows with a key only'],
  openPages: ['Arată rândurile tuturor', 'Show rows to everyone'],
  areClosed: ['Rândurile se citesc acum numai cu o cheie.', 'Rows are now read with a key only.'],
  areOpen: ['Rândurile se văd acum pe pagina publică.', 'Rows are now shown on the public page.'],
  remove: ['Ștergerea setului', 'Removing the dataset'],
  removeText: [
    'Se șterg toate versiunile. Adresele setului nu mai răspund, iar programele care îl folosesc se opresc.',
    'All its versions are deleted. Its addresses no longer answer, and programs that use it stop working.',
  ],
  removeButton: ['Șterge setul de date', 'Remove the dataset'],
  removeTitle: [(title: string) => `Ștergeți „${title}”?`, (title: string) => `Remove “${title}”?`],
  removeDialog: [
    'Ștergerea nu poate fi anulată: nici versiunile, nici textele nu se mai pot recupera de aici.',
    'This cannot be undone: neither versions nor texts can be brought back from here.',
  ],
  removeLabel: [(id: string) => `Scrieți ${id} ca să confirmați`, (id: string) => `Write ${id} to confirm`],
  removeWrong: [(id: string) => `Scrieți exact: ${id}`, (id: string) => `Write exactly: ${id}`],
})
