import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** A dataset's page without its explorer. */
export const DATASET_TEXTS = textTable({
  sections: ['Părțile paginii', 'Parts of the page'],
  data: ['Datele', 'Data'],
  crumbs: ['Unde vă aflați', 'You are here'],
  catalog: ['Catalog', 'Catalog'],
  publisher: ['Publicat de', 'Published by'],
  licence: ['Licență', 'Licence'],
  updated: ['Actualizat', 'Updated'],
  size: ['Mărime', 'Size'],
  sizeText: [
    (rows: number, columns: number) =>
      `${countRomanian(rows, 'rând', 'rânduri')}, ${countRomanian(columns, 'coloană', 'coloane')}`,
    (rows: number, columns: number) =>
      `${countEnglish(rows, 'row', 'rows')}, ${countEnglish(columns, 'column', 'columns')}`,
  ],
  source: ['Sursa', 'Source'],
  keywords: ['Cuvinte-cheie', 'Keywords'],
  machine: ['Pentru programe', 'For programs'],
  closed: ['Rândurile pot fi citite doar cu o cheie API.', 'The rows can be read only with an API key.'],
  closedLink: ['Creați o cheie', 'Get a key'],
  columns: ['Coloanele', 'Columns'],
  column: ['Coloana', 'Column'],
  type: ['Tipul', 'Type'],
  complete: ['Completată', 'Filled'],
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
  yes: ['da', 'yes'],
  no: ['nu', 'no'],
  quality: ['Calitatea datelor', 'Data quality'],
  qualityRows: [
    (read: number, imported: number) =>
      `Din ${countRomanian(read, 'rând citit', 'rânduri citite')} s-au preluat ${countRomanian(imported, 'rând', 'rânduri')}.`,
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
    'Aceste rânduri nu se potrivesc cu schema și nu apar în date; ele se păstrează, cu numărul liniei.',
    'These rows do not match the schema and are not part of the data. They are kept with their line numbers.',
  ],
  reason: ['Motivul', 'Reason'],
  rows: ['Rânduri', 'Rows'],
  repairs: ['Corecturi', 'Repairs'],
  mended: ['Rânduri cu alt număr de celule, corectate', 'Rows with another number of cells, mended'],
  unproven: ['Ce nu dovedește nimic din fișier', 'What nothing in the file proves'],
  reading: ['Cum s-a citit', 'How it was read'],
  wholeFile: ['tot fișierul', 'the whole file'],
  sources: ['Fișierele din care vin rândurile', 'The files that the rows are from'],
  repairsNone: ['Nu a fost nevoie de corecturi.', 'No repairs were needed.'],
  repair: ['Corectura', 'Repair'],
  cells: ['Celule', 'Cells'],
  checks: ['Reguli încălcate', 'Failed checks'],
  rule: ['Regula', 'Rule'],
  failed: ['Rânduri care nu o respectă', 'Rows that break it'],
  allPassed: ['Toate verificările au reușit.', 'All checks passed.'],
  provenance: ['De unde vin datele', 'Where the data comes from'],
  file: ['Fișierul', 'File'],
  digest: ['Amprenta fișierului (SHA-256)', 'Digest of the file (SHA-256)'],
  importedAt: ['Preluat', 'Imported'],
  version: ['Versiunea', 'Version'],
  package: ['Pachetul sursă', 'Source package'],
  history: ['Versiuni', 'Versions'],
  served: ['se citește acum', 'served now'],
  versionTitle: [(version: number) => `Versiunea ${version}`, (version: number) => `Version ${version}`],
  firstKept: ['Cea mai veche versiune păstrată.', 'The oldest version that is kept.'],
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
