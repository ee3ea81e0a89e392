import { textTable } from './texts.ts'

/** Charts, maps and rows on other sites. */
export const EMBED_TEXTS = textTable({
  heading: ['Puneți în pagina dumneavoastră', 'Put it on your page'],
  lead: [
    'Copiați codul în articol sau în pagină. Cifrele se schimbă odată cu setul de date, iar sursa rămâne vizibilă.',
    'Paste the code into an article or a page. The figures follow the dataset, and the source stays in sight.',
  ],
  code: ['Cod HTML', 'HTML code'],
  figures: ['Cifrele', 'Figures'],
  source: ['Sursa', 'Source'],
  full: ['Pagina completă', 'Full page'],
  first: [(count: number) => `(primele ${count})`, (count: number) => `(the first ${count})`],
  isNew: ['se deschide într-o filă nouă', 'opens in a new tab'],
})
