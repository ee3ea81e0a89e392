import { countEnglish, countRomanian, type InEach, textTable } from './texts.ts'

/** What an encoding is used for. */
const USED_FOR: Readonly<Record<string, InEach<string>>> = {
  'windows-1250': ['Europa Centrală', 'Central Europe'],
  'windows-1252': ['Europa de Vest', 'Western Europe'],
  'iso-8859-2': ['Europa Centrală', 'Central Europe'],
  'iso-8859-16': ['Europa de Sud-Est', 'South-Eastern Europe'],
  'windows-1251': ['alfabet chirilic', 'Cyrillic'],
  'windows-1253': ['alfabet grecesc', 'Greek'],
}

function encodingName(encoding: string, at: 0 | 1): string {
  const used = USED_FOR[encoding]?.[at]
  return used === undefined ? encoding : `${encoding} (${used})`
}

/** How a file is read: `/publish/drafts/{id}`. */
export const READING_TEXTS = textTable({
  title: ['Cum se citește fișierul', 'How the file is read'],
  automatic: ['automat', 'automatic'],
  automatically: [(found: string) => `automat: ${found}`, (found: string) => `automatic: ${found}`],
  sure: [(share: string) => `sigur în proporție de ${share}`, (share: string) => `${share} sure`],
  between: [
    (sign: string) => `celule despărțite prin ${sign}`,
    (sign: string) => `cells separated by ${sign}`,
  ],
  sheetNamed: [(name: string) => `foaia „${name}”`, (name: string) => `sheet “${name}”`],
  sheet: ['Foaie', 'Sheet'],
  sheetOf: [
    (name: string, rows: number) => `${name} (${countRomanian(rows, 'rând', 'rânduri')})`,
    (name: string, rows: number) => `${name} (${countEnglish(rows, 'row', 'rows')})`,
  ],
  encoding: ['Codificarea caracterelor', 'Character encoding'],
  encodingOf: [(name: string) => encodingName(name, 0), (name: string) => encodingName(name, 1)],
  delimiter: ['Separatorul celulelor', 'Cell separator'],
  quote: ['Ghilimele în jurul textelor', 'Quotes around texts'],
  comma: ['virgulă', 'comma'],
  semicolon: ['punct și virgulă', 'semicolon'],
  tab: ['tabulator', 'tab'],
  space: ['spațiu', 'space'],
  none: ['niciunul', 'none'],
  decimal: ['Separatorul zecimal', 'Decimal mark'],
  decimalComma: ['virgula: 1,5', 'comma: 1,5'],
  decimalPoint: ['punctul: 1.5', 'point: 1.5'],
  dates: ['Date calendaristice ca 1/2/2019', 'Dates such as 1/2/2019'],
  dayFirst: ['întâi ziua: 1 februarie', 'day first: 1 February'],
  monthFirst: ['întâi luna: 2 ianuarie', 'month first: 2 January'],
  totals: ['Rânduri de totaluri', 'Rows of totals'],
  footnotes: ['Note sub tabel', 'Notes below the table'],
  hidden: ['Rânduri și coloane ascunse', 'Hidden rows and columns'],
  readHidden: ['se citesc', 'read them'],
  ragged: ['Rânduri cu alt număr de celule', 'Rows with a different number of cells'],
  keep: ['se publică', 'publish them'],
  leaveOut: ['se lasă deoparte', 'leave them out'],
  repair: ['se corectează unde se poate', 'mend them where possible'],
  decisions: ['Ce s-a decis automat', 'What was decided automatically'],
  details: ['Detalii, în engleză', 'Details'],
})

/** Columns of a draft: `/publish/drafts/{id}`. */
export const COLUMN_DESK_TEXTS = textTable({
  title: ['Coloane', 'Columns'],
  titleOf: [
    (count: number) => `Titluri, unități și descrieri pentru ${countRomanian(count, 'coloană', 'coloane')}`,
    (count: number) => `Titles, units and descriptions of ${countEnglish(count, 'column', 'columns')}`,
  ],
  name: ['Nume', 'Name'],
  nameHint: [
    'Litere mici fără diacritice, cifre și _. Programele folosesc acest nume.',
    'Lower-case letters, digits and _. Programs use this name.',
  ],
  wrongName: [
    'Numele are 1–64 de litere mici fără diacritice, cifre sau _.',
    'A name has 1 to 64 lower-case letters, digits or _.',
  ],
  takenName: ['Altă coloană are deja acest nume.', 'Another column already has this name.'],
  type: ['Tip', 'Type'],
  examples: ['Exemple', 'Examples'],
  missing: ['Fără valoare', 'No value'],
  actions: ['Acțiuni', 'Actions'],
  type_string: ['text', 'text'],
  type_integer: ['număr întreg', 'whole number'],
  type_decimal: ['număr', 'number'],
  type_boolean: ['da/nu', 'yes/no'],
  type_date: ['dată', 'date'],
  type_datetime: ['dată și oră', 'date and time'],
  identifiers: ['coduri, nu numere', 'codes, not numbers'],
  inferred: [(type: string) => `automat: ${type}`, (type: string) => `automatic: ${type}`],
  infer: ['automat', 'automatic'],
  edit: ['Modificați', 'Edit'],
  editOf: [(name: string) => `Modificați coloana ${name}`, (name: string) => `Edit the column ${name}`],
  drop: ['Lăsați deoparte', 'Leave out'],
  dropOf: [
    (name: string) => `Lăsați deoparte coloana ${name}`,
    (name: string) => `Leave out the column ${name}`,
  ],
  leftOut: ['Coloane lăsate deoparte', 'Columns that are left out'],
  unnamed: ['(fără nume)', '(no name)'],
  restore: ['Puneți la loc', 'Put back'],
  restoreOf: [
    (header: string) => `Puneți la loc coloana ${header}`,
    (header: string) => `Put back the column ${header}`,
  ],
  dialogTitle: [(name: string) => `Coloana ${name}`, (name: string) => `The column ${name}`],
  origin: [
    (header?: string | null) =>
      header?.trim() ? `În fișier se numește „${header.trim()}”.` : 'În fișier nu are nume.',
    (header?: string | null) =>
      header?.trim() ? `In the file it is called “${header.trim()}”.` : 'It has no name in the file.',
  ],
  columnTitle: ['Titlu', 'Title'],
  columnTitleHint: ['Cum se numește coloana pe înțelesul tuturor.', 'What people call the column.'],
  unit: ['Unitate de măsură', 'Unit'],
  unitHint: ['De exemplu lei, km, persoane.', 'For example lei, km, people.'],
  description: ['Descriere', 'Description'],
  save: ['Salvați', 'Save'],
})

const SHOWN = 3

/** `a, b, c și încă 3 coloane`. @param more names how many are left */
function namesOf(columns: readonly string[], more: (rest: number) => string): string {
  const rest = columns.length - SHOWN
  return columns.slice(0, SHOWN).join(', ') + (rest > 0 ? more(rest) : '')
}

/** Cells in another notation than the others of their column: `/publish/drafts/{id}`. */
export const NOTATION_TEXTS = textTable({
  title: ['Valori scrise altfel', 'Values written in another way'],
  text: [
    (column: string, cells: number, type: string) =>
      `Coloana ${column} (${type}) are ${cells === 1 ? 'o celulă scrisă' : countRomanian(cells, 'celulă', 'celule scrise')} altfel decât celelalte. Până nu alegeți cum se ${cells === 1 ? 'citește' : 'citesc'}, coloana rămâne text.`,
    (column: string, cells: number, type: string) =>
      `The column ${column} (${type}) has ${countEnglish(cells, 'cell', 'cells')} written differently from the others. Until you say how to read ${cells === 1 ? 'it' : 'them'}, the column stays text.`,
  ],
  inFile: ['În fișier', 'In the file'],
  asRead: ['Se citește', 'Read as'],
  cells: ['Celule', 'Cells'],
  either: [
    (one: string, other: string) => `${one} sau ${other}`,
    (one: string, other: string) => `${one} or ${other}`,
  ],
  read: ['Citiți ca numere', 'Read as numbers'],
  readSo: [
    (value: string, number: string) =>
      `Citiți ca numere: ${value} înseamnă ${number}, ${number.includes(',') ? 'cu zecimale' : 'întreg'}`,
    (value: string, number: string) =>
      `Read as numbers: ${value} is ${number}, ${number.includes('.') ? 'with decimals' : 'a whole number'}`,
  ],
  readAs: [(type: string) => `Citiți ca ${type}`, (type: string) => `Read as ${type}`],
})

/** Texts among numbers or dates, which may mean “no value”: `/publish/drafts/{id}`. */
export const NULL_TEXTS = textTable({
  title: ['Celule care pot însemna „fără valoare”', 'Cells that may mean “no value”'],
  text: [
    'Din cauza textelor de mai jos, unele coloane sunt text, deși celelalte valori ale lor sunt numere sau date calendaristice. Bifați-le pe cele care înseamnă că valoarea lipsește, în toate coloanele.',
    'Because of these texts some columns are text, although their other values are numbers or dates. Tick those that mean that the value is missing, in every column.',
  ],
  means: ['înseamnă „fără valoare”', 'means “no value”'],
  decided: ['(ales de dumneavoastră)', '(as you chose)'],
  found: [
    (count: number, columns: readonly string[]) =>
      `(${countRomanian(count, 'celulă', 'celule')}: ${namesOf(columns, (rest) => ` și încă ${rest === 1 ? 'o coloană' : countRomanian(rest, 'coloană', 'coloane')}`)})`,
    (count: number, columns: readonly string[]) =>
      `(${countEnglish(count, 'cell', 'cells')}: ${namesOf(columns, (rest) => ` and ${countEnglish(rest, 'more column', 'more columns')}`)})`,
  ],
  more: [
    (count: number) => `Afișați încă ${count === 1 ? 'un text' : countRomanian(count, 'text', 'texte')}`,
    (count: number) => `Show ${countEnglish(count, 'more', 'more')}`,
  ],
})
