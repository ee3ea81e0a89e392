import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** What an encoding is used for. */
const USED_FOR: Readonly<Record<string, readonly [ro: string, en: string]>> = {
  'windows-1250': ['Europa Centrală', 'Central Europe'],
  'windows-1252': ['Europa de Vest', 'Western Europe'],
  'iso-8859-2': ['Europa Centrală', 'Central Europe'],
  'iso-8859-16': ['Europa de Sud-Est', 'South-Eastern Europe'],
  'windows-1251': ['chirilice', 'Cyrillic'],
  'windows-1253': ['grecești', 'Greek'],
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
  sheet: ['Foaia', 'Sheet'],
  sheetOf: [
    (name: string, rows: number) => `${name} (${countRomanian(rows, 'rând', 'rânduri')})`,
    (name: string, rows: number) => `${name} (${countEnglish(rows, 'row', 'rows')})`,
  ],
  encoding: ['Codificarea literelor', 'Encoding of letters'],
  encodingOf: [(name: string) => encodingName(name, 0), (name: string) => encodingName(name, 1)],
  delimiter: ['Separatorul celulelor', 'Sign between cells'],
  quote: ['Ghilimele în jurul textelor', 'Quotes around texts'],
  comma: ['virgulă', 'comma'],
  semicolon: ['punct și virgulă', 'semicolon'],
  tab: ['tabulator', 'tab'],
  space: ['spațiu', 'space'],
  none: ['niciunul', 'none'],
  decimal: ['Semnul zecimal', 'Decimal mark'],
  decimalComma: ['virgula: 1,5', 'comma: 1,5'],
  decimalPoint: ['punctul: 1.5', 'point: 1.5'],
  dates: ['Date ca 1/2/2019', 'Dates such as 1/2/2019'],
  dayFirst: ['ziua întâi: 1 februarie', 'day first: 1 February'],
  monthFirst: ['luna întâi: 2 ianuarie', 'month first: 2 January'],
  totals: ['Rânduri de totaluri', 'Rows of totals'],
  footnotes: ['Note sub tabel', 'Notes below the table'],
  hidden: ['Rânduri și coloane ascunse', 'Hidden rows and columns'],
  readHidden: ['se citesc', 'read them'],
  ragged: ['Rânduri cu alt număr de celule', 'Rows with another number of cells'],
  keep: ['se publică', 'publish them'],
  leaveOut: ['se lasă deoparte', 'leave them out'],
  repair: ['se repară unde se poate', 'repair them where possible'],
  decisions: ['Ce s-a hotărât automat', 'What was decided automatically'],
  details: ['Amănunte, în engleză', 'Details'],
})
