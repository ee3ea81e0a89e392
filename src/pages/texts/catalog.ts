import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** The catalog page, `/`. */
export const CATALOG_TEXTS = textTable({
  heading: ['Date deschise, gata de folosit', 'Open data, ready to use'],
  description: [
    'Căutați, filtrați și descărcați seturi de date publice; programele le citesc printr-un API uniform.',
    'Search, filter and download public datasets; programs read them through one uniform API.',
  ],
  datasets: [
    (count: number) =>
      count === 1 ? 'un set de date' : countRomanian(count, 'set de date', 'seturi de date'),
    (count: number) => countEnglish(count, 'dataset', 'datasets'),
  ],
  fromDomains: [
    (count: number) =>
      count === 1 ? 'dintr-un domeniu' : `din ${countRomanian(count, 'domeniu', 'domenii')}`,
    (count: number) => `from ${countEnglish(count, 'domain', 'domains')}`,
  ],
  rowCount: [
    (count: number) => countRomanian(count, 'rând', 'rânduri'),
    (count: number) => countEnglish(count, 'row', 'rows'),
  ],
  thereAre: [() => 'Există', (datasets: number) => (datasets === 1 ? 'There is' : 'There are')],
  leadAfter: [
    (rows: string) => `cu ${rows}. Aici le căutați, le filtrați și le descărcați; programele le citesc prin`,
    (rows: string) => `with ${rows}. Search, filter and download them here; programs read them through`,
  ],
  leadApi: ['același API', 'one API'],
  search: ['Căutați un set de date', 'Search for a dataset'],
  searchHint: ['de exemplu: elevi, salarii, autovehicule', 'for example: elevi, salarii, autovehicule'],
  searchButton: ['Caută', 'Search'],
  allDomains: ['Toate', 'All'],
  domains: ['Domenii', 'Domains'],
  found: [
    (count: number) =>
      count === 1
        ? 'Un set de date găsit'
        : `${countRomanian(count, 'set de date', 'seturi de date')} găsite`,
    (count: number) => `${countEnglish(count, 'dataset', 'datasets')} found`,
  ],
  nothing: ['Niciun set de date nu se potrivește.', 'No datasets match.'],
  nothingHint: [
    'Încercați mai puține cuvinte; diacriticele nu contează, iar ultimul cuvânt poate fi incomplet.',
    'Try fewer words. Diacritics do not matter, and the last word may be incomplete.',
  ],
  showAll: ['Arată tot catalogul', 'Show the whole catalog'],
  empty: ['Încă nu este publicat niciun set de date.', 'Nothing is published yet.'],
  emptyHint: [
    'Administratorul publică primul fișier cu comanda:',
    'The operator publishes the first file with the command:',
  ],
  updated: ['actualizat', 'updated'],
  complete: [(share: string) => `complet ${share}`, (share: string) => `${share} complete`],
  needsKey: ['cu cheie API', 'needs an API key'],
  completeTitle: ['Ponderea celulelor care au o valoare', 'Share of the cells that hold a value'],
  refused: [
    (count: number) => `${countRomanian(count, 'rând', 'rânduri')} în carantină`,
    (count: number) => `${countEnglish(count, 'row', 'rows')} in quarantine`,
  ],
  previous: ['Înapoi', 'Previous'],
  next: ['Mai departe', 'Next'],
  pages: ['Paginile catalogului', 'Pages of the catalog'],
  results: ['Seturi de date', 'Datasets'],
})
