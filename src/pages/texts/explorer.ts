import { countEnglish, countRomanian, textTable } from './texts.ts'

/** The explorer on a dataset's page. */
export const EXPLORER_TEXTS = textTable({
  heading: ['Explorați datele', 'Explore the data'],
  filters: ['Filtre', 'Filters'],
  addFilter: ['Adăugați un filtru', 'Add a filter'],
  column: ['Coloană', 'Column'],
  operator: ['Condiție', 'Condition'],
  value: ['Valoare', 'Value'],
  valueHint: ['mai multe valori se despart prin virgulă', 'separate several values with commas'],
  add: ['Filtrați', 'Filter'],
  remove: [
    (filter: string) => `Renunțați la filtrul: ${filter}`,
    (filter: string) => `Remove the filter: ${filter}`,
  ],
  words: [(words: string) => `cuvintele „${words}”`, (words: string) => `words “${words}”`],
  search: ['Căutați în rânduri', 'Search the rows'],
  find: ['Căutați', 'Search'],
  facets: ['Valori', 'Values'],
  unchoose: [(value: string) => `Renunțați la „${value}”`, (value: string) => `Remove “${value}”`],
  hints: ['Poate căutați:', 'You may be looking for:'],
  thousands: [
    'În filtre, o mie se scrie 1000: punctul separă zecimalele, așa că 1.000 înseamnă 1. Poate căutați:',
    'In filters a thousand is written 1000: a point separates decimals, so 1.000 means 1. You may be looking for:',
  ],
  summarize: ['Totaluri și grafice', 'Totals and charts'],
  map: ['Harta', 'Map'],
  clear: ['Renunțați la toate filtrele', 'Remove all filters'],
  columns: ['Coloane', 'Columns'],
  showColumns: ['Afișați coloanele alese', 'Show the chosen columns'],
  someColumns: [
    (shown: number, all: number) =>
      `Aici apar primele ${shown} din ${countRomanian(all, 'coloană', 'coloane')}; toate sunt în fișiere și în API.`,
    (shown: number, all: number) =>
      `The first ${shown} of ${countEnglish(all, 'column', 'columns')} appear here; files and the API contain all of them.`,
  ],
  found: [
    (count: number) => countRomanian(count, 'rând', 'rânduri'),
    (count: number) => countEnglish(count, 'row', 'rows'),
  ],
  range: [
    (from: string, to: string) => `rândurile ${from}–${to}`,
    (from: string, to: string) => `rows ${from}–${to}`,
  ],
  table: ['Tabel cu rândurile găsite', 'Table of the rows found'],
  sortBy: [
    (column: string, state: string) => `Ordonați după ${column}${state}`,
    (column: string, state: string) => `Sort by ${column}${state}`,
  ],
  rising: [', acum crescător', ', now ascending'],
  falling: [', acum descrescător', ', now descending'],
  previous: ['Pagina anterioară', 'Previous'],
  next: ['Pagina următoare', 'Next'],
  first: ['Prima pagină', 'First'],
  sideways: ['Tabelul se derulează în lateral.', 'The table scrolls sideways.'],
  pages: ['Paginile tabelului', 'Pages of the table'],
  missing: ['lipsește', 'missing'],
  none: ['Niciun rând nu îndeplinește toate condițiile.', 'No rows meet all conditions.'],
  diacritics: [
    'Diacriticele contează în filtre: „Zalau” nu găsește „Zalău”.',
    'Diacritics count in filters: “Zalau” does not find “Zalău”.',
  ],
  yes: ['da', 'yes'],
  no: ['nu', 'no'],
  download: ['Descărcați rândurile:', 'Download the rows:'],
  csvExcel: ['CSV pentru Excel', 'CSV for Excel'],
  excelNote: [
    'În XLSX, numerele zecimale rămân numere, iar codurile păstrează zerourile de la început. Dintr-un CSV, Excel elimină aceste zerouri și, în versiunea română, citește ca text numerele cu punct zecimal.',
    'In XLSX codes keep their leading zeros, which Excel drops from CSV.',
  ],
  downloadNote: [
    'Fișierele au coloanele alese și rândurile în ordinea sursei.',
    'Files contain the chosen columns, with rows in source order.',
  ],
  others: ['alte valori', 'other values'],
  valuesOf: [(column: string) => `Toate valorile: ${column}`, (column: string) => `All values: ${column}`],
  valuesLead: ['Alegeți o valoare pentru a vedea rândurile ei.', 'Choose a value to see its rows.'],
  findValue: ['Căutați o valoare', 'Find a value'],
  findHint: [
    'Începutul unuia sau al mai multor cuvinte; diacriticele și majusculele nu contează.',
    'The beginning of one or more words; case and diacritics do not matter.',
  ],
  allValues: ['Afișați toate valorile', 'Show all values'],
  noValues: ['Nicio valoare nu conține aceste cuvinte.', 'No value has these words.'],
  valueCount: [
    (count: number) => countRomanian(count, 'valoare', 'valori'),
    (count: number) => countEnglish(count, 'value', 'values'),
  ],
  rowCount: ['Rânduri', 'Rows'],
  valueRange: [
    (from: string, to: string, all: string) => `${from}–${to} din ${all}`,
    (from: string, to: string, all: string) => `${from}–${to} of ${all}`,
  ],
  valuePages: ['Paginile listei de valori', 'Pages of the list of values'],
  backToRows: ['Înapoi la rânduri', 'Back to the rows'],
  code: ['Pentru programe', 'For programs'],
  codeText: [
    'Aceeași interogare, prin API. Înlocuiți API_KEY cu cheia dumneavoastră;',
    'The same query through the API. Replace API_KEY with your key;',
  ],
  codeKey: ['o cheie este gratuită', 'a key is free'],
  address: ['Adresa', 'Address'],
  tools: [
    'Alte unelte: pandas, DuckDB, Polars, R, Excel, CKAN, asistenți (MCP)',
    'Other tools: pandas, DuckDB, Polars, R, Excel, CKAN, assistants (MCP)',
  ],
  loading: ['Se caută…', 'Searching…'],
  tooManyFilters: [
    (most: number) =>
      `Pagina acceptă cel mult ${countRomanian(most, 'filtru', 'filtre')}. Mai multe valori ale unei coloane se scriu într-unul singur: coloana[in]=a,b,c.`,
    (most: number) =>
      `This page accepts at most ${countEnglish(most, 'filter', 'filters')}. Write several values of a column as one filter: column[in]=a,b,c.`,
  ],
  failed: [
    'Nu am primit răspuns. Verificați conexiunea și încercați din nou.',
    'There was no response. Check the connection and try again.',
  ],
  quoted: [(text: string) => `„${text}”`, (text: string) => `“${text}”`],
})
