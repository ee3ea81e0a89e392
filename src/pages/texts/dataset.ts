import { MENDED_WORDS, REASON_WORDS, REPAIR_WORDS } from '../../read/report/finding-words.ts'
import { countEnglish, countRomanian, formatNumber, type TextTable, textTable } from './texts.ts'

/** A dataset's page without its explorer. */
export const DATASET_TEXTS = textTable({
  sections: ['Părțile paginii', 'Parts of the page'],
  data: ['Datele', 'Data'],
  crumbs: ['Unde vă aflați', 'You are here'],
  catalog: ['Catalog', 'Catalog'],
  publisher: ['Publicat de', 'Published by'],
  licence: ['Licență', 'Licence'],
  updated: ['Actualizat', 'Updated'],
  sizeText: [
    (rows: number, columns: number) =>
      `${countRomanian(rows, 'rând', 'rânduri')}, ${countRomanian(columns, 'coloană', 'coloane')}`,
    (rows: number, columns: number) =>
      `${countEnglish(rows, 'row', 'rows')}, ${countEnglish(columns, 'column', 'columns')}`,
  ],
  source: ['Sursa', 'Source'],
  keywords: ['Cuvinte-cheie', 'Keywords'],
  machine: ['Pentru programe', 'For programs'],
  closed: ['Rândurile se citesc numai cu o cheie API.', 'The rows can be read only with an API key.'],
  closedLink: ['Creați o cheie', 'Get a key'],
  columns: ['Coloanele', 'Columns'],
  column: ['Coloană', 'Column'],
  type: ['Tip', 'Type'],
  complete: ['Completare', 'Filled'],
  distinct: ['Valori diferite', 'Distinct values'],
  range: ['De la – până la', 'From – to'],
  top: ['Cele mai frecvente', 'Most frequent'],
  required: ['obligatorie', 'required'],
  sourceName: [(name: string) => `în fișier: ${name}`, (name: string) => `in the file: ${name}`],
  string: ['text', 'text'],
  integer: ['număr întreg', 'whole number'],
  decimal: ['număr', 'number'],
  boolean: ['da / nu', 'yes / no'],
  date: ['dată', 'date'],
  datetime: ['dată și oră', 'date and time'],
  quality: ['Calitatea datelor', 'Data quality'],
  qualityRows: [
    (read: number, imported: number) =>
      `Din ${countRomanian(read, 'rând citit', 'rânduri citite')} ${imported === 1 ? 's-a preluat unul' : `s-au preluat ${formatNumber('ro', imported)}`}.`,
    (read: number, imported: number) =>
      `Of ${countEnglish(read, 'row', 'rows')} read, ${countEnglish(imported, 'row was', 'rows were')} imported.`,
  ],
  qualityAll: [
    (read: number) =>
      read === 1
        ? 'Singurul rând citit a fost preluat.'
        : `Toate cele ${countRomanian(read, 'rând', 'rânduri')} citite au fost preluate.`,
    (read: number) =>
      read === 1
        ? 'The only row read was imported.'
        : `All ${countEnglish(read, 'row', 'rows')} read were imported.`,
  ],
  notMeasured: [
    'Calitatea acestei versiuni nu a fost măsurată.',
    'The quality of this version was not measured.',
  ],
  quarantine: ['Rânduri în carantină', 'Rows in quarantine'],
  quarantineText: [
    'Aceste rânduri nu se potrivesc cu schema și nu apar în date; se păstrează separat, cu numărul liniei.',
    'These rows do not match the schema and are not part of the data. They are kept with their line numbers.',
  ],
  reason: ['Motiv', 'Reason'],
  rows: ['Rânduri', 'Rows'],
  repairs: ['Corecturi', 'Repairs'],
  mended: ['Rânduri cu alt număr de celule, corectate', 'Rows with a different number of cells, mended'],
  unproven: ['Ce nu se poate dovedi din fișier', 'What the file does not prove'],
  reading: ['Cum s-a citit', 'How it was read'],
  wholeFile: ['tot fișierul', 'the whole file'],
  sources: ['Fișierele din care provin rândurile', 'The files that the rows come from'],
  repairsNone: ['Nu a fost nevoie de corecturi.', 'No repairs were needed.'],
  repair: ['Corectură', 'Repair'],
  cells: ['Celule', 'Cells'],
  checks: ['Reguli încălcate', 'Failed checks'],
  rule: ['Regulă', 'Rule'],
  failed: ['Rânduri care nu o respectă', 'Rows that break it'],
  allPassed: ['Datele respectă toate regulile.', 'The data passes all checks.'],
  provenance: ['De unde provin datele', 'Where the data comes from'],
  file: ['Fișier', 'File'],
  digest: ['Amprenta fișierului (SHA-256)', 'Checksum of the file (SHA-256)'],
  leftOut: ['Lăsate deoparte din fișier', 'Left out of the file'],
  importedAt: ['Preluat', 'Imported'],
  version: ['Versiune', 'Version'],
  package: ['Pachet sursă', 'Source package'],
  history: ['Versiuni', 'Versions'],
  served: ['publicată acum', 'current'],
  versionTitle: [(version: number) => `Versiunea ${version}`, (version: number) => `Version ${version}`],
  firstKept: ['Cea mai veche versiune păstrată.', 'The oldest version kept.'],
  moreRows: [
    (count: number) => `cu ${countRomanian(count, 'rând', 'rânduri')} mai mult`,
    (count: number) => `${countEnglish(count, 'row', 'rows')} more`,
  ],
  fewerRows: [
    (count: number) => `cu ${countRomanian(count, 'rând', 'rânduri')} mai puțin`,
    (count: number) => `${countEnglish(count, 'row', 'rows')} fewer`,
  ],
  sameRows: ['același număr de rânduri', 'the same number of rows'],
  addedColumns: [(names: string) => `coloane noi: ${names}`, (names: string) => `new columns: ${names}`],
  removedColumns: [
    (names: string) => `coloane eliminate: ${names}`,
    (names: string) => `removed columns: ${names}`,
  ],
  changedColumns: [(names: string) => `tip schimbat: ${names}`, (names: string) => `changed type: ${names}`],
  sameFile: ['același fișier ca înainte', 'the same file as before'],
})

/** The map of a dataset's rows. */
export const MAP_TEXTS = textTable({
  heading: [(title: string) => `Harta: ${title}`, (title: string) => `Map: ${title}`],
  short: ['Harta', 'Map'],
  lead: [
    'Fiecare punct este un rând; apăsați pe el ca să vedeți rândul în tabel.',
    'Each point is a row; a click on it shows the row in the table.',
  ],
  drawn: [
    (drawn: number, total: number) =>
      drawn === total
        ? countRomanian(total, 'punct', 'puncte')
        : `${countRomanian(drawn, 'punct', 'puncte')} din ${countRomanian(total, 'rând', 'rânduri')}, alese uniform; apropiați harta ca să apară și celelalte`,
    (drawn: number, total: number) =>
      drawn === total
        ? countEnglish(total, 'point', 'points')
        : `${countEnglish(drawn, 'point', 'points')} of ${countEnglish(total, 'row', 'rows')}, evenly spread; zoom in to see the others`,
  ],
  none: [
    'Niciunul dintre rândurile rămase după filtrare nu are un loc pe hartă.',
    'None of the filtered rows has a place on the map.',
  ],
  controls: ['Mișcați harta', 'Move the map'],
  closer: ['Măriți', 'Zoom in'],
  farther: ['Micșorați', 'Zoom out'],
  north: ['Mutați spre nord', 'Move north'],
  south: ['Mutați spre sud', 'Move south'],
  west: ['Mutați spre vest', 'Move west'],
  east: ['Mutați spre est', 'Move east'],
  keys: [
    'Pe hartă, tastele săgeți o mută, iar + și − o măresc și o micșorează.',
    'On the map, arrow keys move, and + and − zoom.',
  ],
  whole: ['Toată harta', 'The whole map'],
  rows: ['Rândurile de pe hartă, în tabel', 'The rows on the map, as a table'],
  place: [
    (latitude: string, longitude: string) => `Rândul de la ${latitude}, ${longitude}`,
    (latitude: string, longitude: string) => `The row at ${latitude}, ${longitude}`,
  ],
  counties: [(measure: string) => `${measure}, pe județe`, (measure: string) => `${measure}, by county`],
  county: ['Județ', 'County'],
  countiesLead: ['Apăsați pe un județ ca să vedeți rândurile lui.', 'A click on a county shows its rows.'],
  countyKeys: [
    'Pe hartă, tastele săgeți trec de la un județ la altul.',
    'On the map, the arrow keys go from county to county.',
  ],
  class0: ['cele mai mici', 'lowest'],
  class1: ['mici', 'low'],
  class2: ['mijlocii', 'middle'],
  class3: ['mari', 'high'],
  class4: ['cele mai mari', 'highest'],
  legend: ['Legenda', 'Legend'],
  noRows: ['niciun rând', 'no rows'],
  noFigure: ['fără valoare', 'no value'],
  inCounties: [
    (count: number) => (count === 1 ? 'un județ' : countRomanian(count, 'județ', 'județe')),
    (count: number) => (count === 1 ? '1 county' : `${count} counties`),
  ],
  elsewhere: [
    (count: number) =>
      `${count === 1 ? 'Un rând nu are' : countRomanian(count, 'rând nu are', 'rânduri nu au')} un județ cunoscut; tabelul arată ce scrie acolo.`,
    (count: number) =>
      `${countEnglish(count, 'row has', 'rows have')} no known county; the table shows what is written there.`,
  ],
  asPoints: ['Rândurile ca puncte', 'The rows as points'],
  asCounties: ['Pe județe', 'By county'],
  summary: ['Totalurile, în tabel și grafic', 'The totals, as a table and chart'],
})

/** Why rows were quarantined, by code; in English in the words of the command line. */
export const REASON_TEXTS: TextTable<Record<keyof typeof REASON_WORDS, string>> = {
  ro: {
    too_few_cells: 'mai puține celule decât antetul',
    too_many_cells: 'mai multe celule decât antetul',
    line_break: 'un sfârșit de linie fără ghilimele a tăiat rândul',
    shifted: 'valorile sunt deplasate cu o coloană',
    broken_quote: 'ghilimelele unei celule nu se închid',
    invalid_json: 'linia nu este JSON',
    invalid_encoding: 'octeți care nu există în codificarea fișierului',
    hidden: 'rândul este ascuns în foaie',
    title: 'un titlu de deasupra tabelului',
    footnote: 'o notă sau o semnătură',
    second_table: 'un al doilea tabel, sub primul',
    repeated_header: 'antetul, repetat',
    total_row: 'un rând de totaluri',
    required_missing: 'lipsește valoarea unei coloane obligatorii',
    key_missing: 'lipsește valoarea unei coloane din cheia primară',
    duplicate_key: 'un rând anterior are aceeași cheie primară',
    invalid_integer: 'nu este un număr întreg',
    invalid_decimal: 'nu este un număr',
    invalid_boolean: 'nu este nici da, nici nu',
    invalid_date: 'nu este o dată din calendar',
    invalid_datetime: 'nu este o dată cu oră',
  },
  en: REASON_WORDS,
}

/** Lines around a table that are not rows, by kind. */
export const LEFT_OUT_TEXTS = textTable({
  title: [
    (count: number) => countRomanian(count, 'rând de titlu', 'rânduri de titlu'),
    (count: number) => countEnglish(count, 'line of titles', 'lines of titles'),
  ],
  footnote: [
    (count: number) => countRomanian(count, 'rând de note și semnături', 'rânduri de note și semnături'),
    (count: number) => countEnglish(count, 'line of notes and signatures', 'lines of notes and signatures'),
  ],
  repeated_header: [
    (count: number) => countRomanian(count, 'rând de antet repetat', 'rânduri de antet repetat'),
    (count: number) => countEnglish(count, 'repeated header line', 'repeated header lines'),
  ],
  total_row: [
    (count: number) => countRomanian(count, 'rând de totaluri', 'rânduri de totaluri'),
    (count: number) => countEnglish(count, 'row of totals', 'rows of totals'),
  ],
})

/** What was repaired in cells, by kind; in English in the words of the command line. */
export const REPAIR_TEXTS: TextTable<Record<keyof typeof REPAIR_WORDS, string>> = {
  ro: {
    trimmed: 'spații la margini, eliminate',
    decimal_comma: 'virgulă zecimală, citită ca punct',
    thousands_separator: 'separatori de mii, eliminați',
    zero_fraction: 'zecimale nule, eliminate',
    leading_zeros: 'zerouri inițiale, eliminate',
    rounded: 'mai multe cifre decât încap, rotunjite',
    date_format: 'date scrise altfel, convertite în AAAA-LL-ZZ',
    assumed_utc: 'ore fără fus orar, citite ca UTC',
    boolean_word: 'da/nu, citite ca adevărat/fals',
    minus_sign: 'alt semn pentru minus',
    plus_sign: '+5, citit ca 5',
    percent_sign: '5 %, citit ca 5',
    misread_windows_1252: 'caractere de control, citite ca semnele din windows-1252',
    serial_date: 'un număr ca 45000, citit ca ziua pe care o înseamnă în foile de calcul',
    empty_text: 'texte goale, citite ca valori lipsă',
    stray_quote: 'ghilimele rătăcite, citite ca text',
    missing_cells: 'ultimele celule, absente din rând, citite ca valori lipsă',
    inner_delimiter: 'celule împărțite de un separator fără ghilimele, reunite',
    merged_cell: 'completate din celula îmbinată',
    error_cell: 'celule cu o eroare, citite ca valori lipsă',
  },
  en: REPAIR_WORDS,
}

/** What was done to records of another width, by kind. */
export const MENDED_TEXTS: TextTable<Record<keyof typeof MENDED_WORDS, string>> = {
  ro: {
    surplus_blanks: 'separatori în plus la sfârșit, fără nimic între ei, eliminați',
    joined: 'un text tăiat de un separator fără ghilimele, reunit',
    left_off: 'celule goale omise la sfârșit, citite ca valori lipsă',
  },
  en: MENDED_WORDS,
}

/** What the file does not prove, and how it was read, by kind. */
export const UNPROVEN_TEXTS = textTable({
  encoding: [
    (readAs: string) => `codificarea fișierului, citită ca ${readAs}: unele litere pot fi altele`,
    (readAs: string) => `the encoding of the file, read as ${readAs}: some letters may be others`,
  ],
  date_order: [
    (readAs: string) =>
      `ordinea zilei și a lunii în date ca 1/2/2019, citite cu ${readAs === 'mdy' ? 'luna' : 'ziua'} la început`,
    (readAs: string) =>
      `whether day or month comes first in dates such as 1/2/2019, read with the ${readAs === 'mdy' ? 'month' : 'day'} first`,
  ],
  decimal_mark: [
    (readAs: string) => `semnul zecimal, citit „${readAs}”`,
    (readAs: string) => `the decimal mark, read as “${readAs}”`,
  ],
})

/** What was checked in each row, by rule. */
export const RULE_TEXTS = textTable({
  type_string: ['valoarea este un text', 'the value is text'],
  type_integer: ['valoarea este un număr întreg', 'the value is a whole number'],
  type_decimal: ['valoarea este un număr', 'the value is a number'],
  type_boolean: ['valoarea este da sau nu', 'the value is yes or no'],
  type_date: ['valoarea este o dată din calendar', 'the value is a date'],
  type_datetime: ['valoarea este o dată cu oră', 'the value is a date with a time'],
  required: ['are o valoare', 'there is a value'],
  key: ['are o valoare, fiind în cheia primară', 'there is a value, as it is part of the primary key'],
  unique: ['nu se repetă, fiind cheia primară', 'occurs once, as it is the primary key'],
  reference: ['valoarea este în tabelul de referință', 'the value is in the reference table'],
})
