import { countEnglish, countRomanian } from '../parts/format.ts'
import { textTable } from './texts.ts'

/** The catalog page, `/`. */
export const CATALOG_TEXTS = textTable(
  {
    heading: 'Date deschise, gata de folosit',
    description:
      'Căutați, filtrați și descărcați seturi de date publice; programele le citesc printr-un API uniform.',
    datasets: (count: number) =>
      count === 1 ? 'un set de date' : countRomanian(count, 'set de date', 'seturi de date'),
    fromDomains: (count: number) =>
      count === 1 ? 'dintr-un domeniu' : `din ${countRomanian(count, 'domeniu', 'domenii')}`,
    rowCount: (count: number) => countRomanian(count, 'rând', 'rânduri'),
    thereAre: (datasets: number): string => (datasets === 1 ? 'Este' : 'Sunt'),
    leadAfter: (rows: string) =>
      `cu ${rows}. Aici le căutați, le filtrați și le descărcați; programele le citesc prin`,
    leadApi: 'același API',
    search: 'Căutați un set de date',
    searchHint: 'de exemplu: elevi, salarii, autovehicule',
    searchButton: 'Caută',
    allDomains: 'Toate',
    domains: 'Domenii',
    found: (count: number) =>
      count === 1
        ? 'Un set de date găsit'
        : `${countRomanian(count, 'set de date', 'seturi de date')} găsite`,
    nothing: 'Niciun set de date nu se potrivește.',
    nothingHint:
      'Încercați mai puține cuvinte; diacriticele nu contează, iar ultimul cuvânt poate fi doar începutul lui.',
    showAll: 'Arată tot catalogul',
    empty: 'Încă nu este publicat niciun set de date.',
    emptyHint: 'Cine administrează serviciul publică primul fișier cu comanda:',
    updated: 'actualizat',
    complete: (share: string) => `complet ${share}`,
    completeTitle: 'Cât din celule au o valoare',
    refused: (count: number) => `${countRomanian(count, 'rând', 'rânduri')} în carantină`,
    previous: 'Înapoi',
    next: 'Mai departe',
    pages: 'Paginile catalogului',
    results: 'Seturi de date',
  },
  {
    heading: 'Open data, ready to use',
    description: 'Search, filter and download public datasets; programs read them through one uniform API.',
    datasets: (count: number) => countEnglish(count, 'dataset', 'datasets'),
    fromDomains: (count: number) => `from ${countEnglish(count, 'domain', 'domains')}`,
    rowCount: (count: number) => countEnglish(count, 'row', 'rows'),
    thereAre: (datasets: number) => (datasets === 1 ? 'There is' : 'There are'),
    leadAfter: (rows: string) =>
      `with ${rows}. Search, filter and download them here; programs read them through`,
    leadApi: 'one API',
    search: 'Search for a dataset',
    searchHint: 'for example: elevi, salarii, autovehicule',
    searchButton: 'Search',
    allDomains: 'All',
    domains: 'Domains',
    found: (count: number) => `${countEnglish(count, 'dataset', 'datasets')} found`,
    nothing: 'No dataset fits.',
    nothingHint: 'Try fewer words; diacritics do not matter, and the last word may be just its beginning.',
    showAll: 'Show the whole catalog',
    empty: 'Nothing is published yet.',
    emptyHint: 'Whoever runs this service publishes the first file with the command:',
    updated: 'updated',
    complete: (share: string) => `${share} complete`,
    completeTitle: 'How many of the cells hold a value',
    refused: (count: number) => `${countEnglish(count, 'row', 'rows')} in quarantine`,
    previous: 'Back',
    next: 'Further',
    pages: 'Pages of the catalog',
    results: 'Datasets',
  },
)
