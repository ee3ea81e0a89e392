import { countEnglish, countRomanian, formatNumber, textTable } from './texts.ts'

/** The frame of every page. */
export const LAYOUT_TEXTS = textTable({
  skip: ['Săriți la conținut', 'Skip to content'],
  home: ['Izvor, pagina principală', 'Izvor, home page'],
  tagline: ['date deschise', 'open data'],
  navigation: ['Navigare principală', 'Main navigation'],
  open: ['Primii pași', 'First steps'],
  catalog: ['Catalog', 'Catalog'],
  docs: ['Documentație', 'Documentation'],
  publish: ['Publicare', 'Publish'],
  signInToPublish: ['Autentificare pentru publicare', 'Sign in to publish'],
  operate: ['Administrare', 'Operate'],
  account: ['Cont', 'Account'],
  otherLanguage: ['English', 'Română'],
  otherLanguageLabel: ['This page in English', 'Această pagină în română'],
  footer: ['Date deschise, publicate cu Izvor.', 'Open data, published with Izvor.'],
  reference: ['Referința API', 'API reference'],
  description: ['Descrierea OpenAPI', 'OpenAPI description'],
  feed: ['Noutăți (Atom)', 'News (Atom)'],
  status: ['Stare', 'Status'],
})

/** The catalog page, `/`. */
export const CATALOG_TEXTS = textTable({
  heading: ['Date deschise, gata de folosit', 'Open data, ready to use'],
  description: [
    'Căutați, filtrați și descărcați seturi de date publice; programele le citesc printr-un singur API.',
    'Search, filter and download public datasets; programs read them through a single API.',
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
  searchButton: ['Căutați', 'Search'],
  allDomains: ['Toate', 'All'],
  domains: ['Domenii', 'Domains'],
  found: [
    (count: number) =>
      count === 1
        ? 'Un set de date găsit'
        : `${countRomanian(count, 'set de date', 'seturi de date')} găsite`,
    (count: number) => `${countEnglish(count, 'dataset', 'datasets')} found`,
  ],
  nothing: ['Niciun set de date nu corespunde căutării.', 'No dataset matches.'],
  nothingHint: [
    'Încercați mai puține cuvinte; diacriticele și forma cuvântului nu contează.',
    'Try fewer words. Diacritics and the form of a word do not matter.',
  ],
  suggested: ['Apropiate de ce căutați:', 'Close to what you are looking for:'],
  keyword: [(text: string) => `cuvânt-cheie: ${text}`, (text: string) => `keyword: ${text}`],
  column: [(text: string) => `coloana ${text}`, (text: string) => `column ${text}`],
  rowsWith: [(values: string) => `Rândurile cu ${values}`, (values: string) => `Rows with ${values}`],
  showAll: ['Afișați tot catalogul', 'Show the whole catalog'],
  empty: ['Nu este publicat încă niciun set de date.', 'Nothing is published yet.'],
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
  next: ['Înainte', 'Next'],
  pages: ['Paginile catalogului', 'Pages of the catalog'],
  results: ['Seturi de date', 'Datasets'],
})

/** The summary of a dataset: groups, their measure, totals. */
export const SUMMARY_TEXTS = textTable({
  heading: ['Totaluri și grafice', 'Totals and charts'],
  back: ['Vedeți rândurile', 'See the rows'],
  rowsBy: ['Rânduri după', 'Rows by'],
  columnsBy: ['Coloane după', 'Columns by'],
  measure: ['Măsură', 'Measure'],
  nothing: ['nimic', 'nothing'],
  show: ['Afișați', 'Show'],
  byPart: [
    (column: string, part: string) => `${column}, ${part}`,
    (column: string, part: string) => `${column}, ${part}`,
  ],
  year: ['pe ani', 'by year'],
  quarter: ['pe trimestre', 'by quarter'],
  month: ['pe luni', 'by month'],
  day: ['pe zile', 'by day'],
  rowCount: ['Numărul de rânduri', 'Number of rows'],
  count: [
    (column: string) => `Numărul de valori: ${column}`,
    (column: string) => `Number of values: ${column}`,
  ],
  count_distinct: [
    (column: string) => `Numărul de valori diferite: ${column}`,
    (column: string) => `Different values: ${column}`,
  ],
  sum: [(column: string) => `Suma: ${column}`, (column: string) => `Sum: ${column}`],
  avg: [(column: string) => `Media: ${column}`, (column: string) => `Mean: ${column}`],
  median: [(column: string) => `Mediana: ${column}`, (column: string) => `Median: ${column}`],
  min: [(column: string) => `Minimul: ${column}`, (column: string) => `Least: ${column}`],
  max: [(column: string) => `Maximul: ${column}`, (column: string) => `Greatest: ${column}`],
  withUnit: [
    (measure: string, unit: string) => `${measure} (${unit})`,
    (measure: string, unit: string) => `${measure} (${unit})`,
  ],
  caption: [
    (measure: string, rows: string) => `${measure}, după ${rows}`,
    (measure: string, rows: string) => `${measure}, by ${rows}`,
  ],
  captionAcross: [
    (measure: string, rows: string, columns: string) => `${measure}, după ${rows} și ${columns}`,
    (measure: string, rows: string, columns: string) => `${measure}, by ${rows} and ${columns}`,
  ],
  found: [
    (count: number) => `din ${countRomanian(count, 'rând', 'rânduri')}`,
    (count: number) => `of ${countEnglish(count, 'row', 'rows')}`,
  ],
  total: ['Total', 'Total'],
  overall: ['În ansamblu', 'Overall'],
  share: ['Din total', 'Share'],
  others: ['celelalte', 'the others'],
  groups: [
    (count: number) => countRomanian(count, 'grup', 'grupuri'),
    (count: number) => countEnglish(count, 'group', 'groups'),
  ],
  range: [
    (from: string, to: string, of: string) => `${from}–${to} din ${of}`,
    (from: string, to: string, of: string) => `${from}–${to} of ${of}`,
  ],
  pages: ['Paginile totalurilor', 'Pages of the summary'],
  someColumns: [
    (shown: number, all: number) =>
      `Pe coloane apar cele mai mari ${countRomanian(shown, 'grup', 'grupuri')} din ${formatNumber('ro', all)}. Totalurile și fișierul le cuprind pe toate.`,
    (shown: number, all: number) =>
      `Columns: the greatest ${shown} of ${countEnglish(all, 'group', 'groups')}. Totals include all of them, and so does the file.`,
  ],
  otherGroups: [
    (count: number) => `celelalte ${formatNumber('ro', count)}`,
    (count: number) => `the other ${formatNumber('en', count)}`,
  ],
  cutBar: [
    (label: string, value: string) => `Bara „${label}” este întreruptă, fiindcă depășește scara: ${value}.`,
    (label: string, value: string) => `The bar of “${label}” is cut, as it exceeds the scale: ${value}.`,
  ],
  withoutOthers: [
    (shown: number, left: number) =>
      `Graficul arată cele mai mari ${countRomanian(shown, 'valoare', 'valori')}, fără celelalte ${formatNumber('ro', left)}, care nu se pot aduna.`,
    (shown: number, left: number) =>
      `The chart shows the greatest ${shown}, without the other ${formatNumber('en', left)}, which cannot be added up.`,
  ],
  longerPeriods: [
    (key: string) => `Graficul este desenat după ${key}: tabelul are prea multe perioade.`,
    (key: string) => `The chart is drawn by ${key}: the table has too many periods.`,
  ],
  outsideTime: [
    (label: string, value: string) => `În afara axei timpului: ${label}, ${value}.`,
    (label: string, value: string) => `Outside the time axis: ${label}, ${value}.`,
  ],
  draws: ['Tipul graficului', 'Type of chart'],
  line: ['Linie', 'Line'],
  columns: ['Coloane', 'Columns'],
  bars: ['Bare', 'Bars'],
  allMeasures: ['Toate măsurile', 'All measures'],
  fewMeasures: ['Numai măsurile potrivite', 'Only suitable measures'],
  picture: ['Imagine (SVG)', 'Picture (SVG)'],
  cite: ['Citare', 'Citation'],
  source: ['Sursa', 'Source'],
  numbers: ['Cifrele din grafic', 'The figures of the chart'],
  chart: [(caption: string) => `Grafic: ${caption}`, (caption: string) => `Chart: ${caption}`],
  sortBy: [(column: string) => `Ordonați după: ${column}`, (column: string) => `Sort by: ${column}`],
  noGroups: [
    'Acest set de date nu are coloane după care se pot grupa rândurile.',
    'This dataset has no columns to group by.',
  ],
})

/** The feeds of new versions. */
export const FEED_TEXTS = textTable({
  title: ['Izvor: seturi de date noi și actualizate', 'Izvor: new and updated datasets'],
  first: [(title: string) => `${title}: publicat`, (title: string) => `${title}: published`],
  updated: [
    (title: string, version: number) => `${title}: versiunea ${version}`,
    (title: string, version: number) => `${title}: version ${version}`,
  ],
  summary: [
    (rows: number, refused: number) =>
      `${countRomanian(rows, 'rând', 'rânduri')}${refused === 0 ? '' : `, ${countRomanian(refused, 'rând', 'rânduri')} în carantină`}.`,
    (rows: number, refused: number) =>
      `${countEnglish(rows, 'row', 'rows')}${refused === 0 ? '' : `, ${countEnglish(refused, 'row', 'rows')} in quarantine`}.`,
  ],
})

/** The page about the state of the service and its dependencies. */
export const STATUS_TEXTS = textTable({
  title: ['Starea serviciului', 'State of the service'],
  lead: [
    'Starea de acum a serviciului și a părților sale.',
    'The current state of the service and its parts.',
  ],
  started: ['pornit', 'started'],
  version: ['versiune', 'version'],
  part: ['Parte', 'Part'],
  state: ['Stare', 'State'],
  remark: ['Observație', 'Remark'],
  forPrograms: ['Pentru programe', 'For programs'],
})

export const STATE_TEXTS = textTable({
  ok: ['în regulă', 'working'],
  degraded: ['cu probleme', 'with problems'],
  unavailable: ['indisponibil', 'not available'],
})

export const STATUS_PART_TEXTS = textTable({
  service: ['Serviciul', 'Service'],
  accounts: ['Conturi și chei', 'Accounts and keys'],
  catalog: ['Catalog', 'Catalog'],
  databases: ['Baze de date', 'Databases'],
  usage: ['Statistici de utilizare', 'Usage figures'],
  disk: ['Spațiu pe disc', 'Disk space'],
  datasets: ['Seturi de date', 'Datasets'],
  refresh: ['Actualizări din surse', 'Refreshes from sources'],
  backup: ['Copii de siguranță', 'Backups'],
})

/** Error pages. */
export const ERROR_TEXTS = textTable({
  notFound: ['Nu am găsit pagina', 'Page not found'],
  datasetNotFound: ['Nu am găsit setul de date', 'Dataset not found'],
  methodNotAllowed: ['Cerere nepermisă aici', 'Request not allowed here'],
  limited: ['Prea multe cereri', 'Too many requests'],
  unavailable: ['Momentan indisponibil', 'Currently unavailable'],
  refused: ['Cererea nu poate fi îndeplinită', 'This request cannot be answered'],
  failed: ['A apărut o eroare a serviciului', 'Something went wrong on our side'],
  near: ['Seturi de date cu nume asemănătoare', 'Datasets with similar names'],
  back: ['Înapoi la catalog', 'Back to the catalog'],
  details: ['Codul erorii', 'Error code'],
  requestId: ['Numărul cererii', 'Request id'],
})
