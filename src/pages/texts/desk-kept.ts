import { formatNumber } from './format.ts'
import { textTable } from './texts.ts'

/** Rows that are left out or were mended: `/publish/drafts/{id}` and `/publish/datasets/{id}`. */
export const KEPT_TEXTS = textTable({
  title: ['Rânduri cu probleme', 'Rows with problems'],
  quarantine: ['Rânduri care nu se publică', 'Rows that are not published'],
  quarantineText: [
    'Nu se potrivesc în tabel. Se păstrează alături, cu motivul fiecăruia.',
    'They do not fit the table. They are kept beside it, each with its reason.',
  ],
  repaired: ['Rânduri reparate', 'Mended rows'],
  repairedText: [
    'Au alt număr de celule decât antetul și au fost potrivite în singurul fel posibil.',
    'They have another number of cells than the header and were fitted in the only possible way.',
  ],
  none: ['Niciunul.', 'None.'],
  line: ['Linia', 'Line'],
  why: ['Motivul', 'Reason'],
  text: ['Textul din fișier', 'Text in the file'],
  shown: [
    (shown: number, total: number) =>
      `Primele ${formatNumber('ro', shown)} din ${formatNumber('ro', total)}.`,
    (shown: number, total: number) =>
      `The first ${formatNumber('en', shown)} of ${formatNumber('en', total)}.`,
  ],
  download: ['Descarcă toate (CSV)', 'Download all (CSV)'],
})
