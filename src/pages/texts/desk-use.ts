import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** Who reads a dataset: `/publish/datasets/{id}`. */
export const USE_TEXTS = textTable({
  title: ['Utilizare', 'Use'],
  period: ['Perioada', 'Period'],
  days: [
    (days: number) => `ultimele ${countRomanian(days, 'zi', 'zile')}`,
    (days: number) => `last ${days} days`,
  ],
  none: ['Nimeni nu a citit datele în această perioadă.', 'Nobody has read the data in this period.'],
  total: [
    (calls: number, rows: number, bytes: string) =>
      `${countRomanian(calls, 'cerere', 'cereri')}, ${countRomanian(rows, 'rând citit', 'rânduri citite')}, ${bytes}.`,
    (calls: number, rows: number, bytes: string) =>
      `${countEnglish(calls, 'request', 'requests')}, ${countEnglish(rows, 'row', 'rows')} read, ${bytes}.`,
  ],
  chart: ['Cereri pe zile', 'Requests by day'],
  byReader: ['Cine a citit', 'Who reads'],
  reader: ['Cheia', 'Key'],
  pages: ['pagina publică, fără cheie', 'the public page, without a key'],
  deletedKey: ['o cheie ștearsă', 'a deleted key'],
  format: ['Format', 'Format'],
  calls: ['Cereri', 'Requests'],
  rows: ['Rânduri', 'Rows'],
  bytes: ['Volum', 'Volume'],
})
