/** What the rows of a table usually have, and the words and signs of notes and totals, which printed tables have around them. */

import { isMissingMark, isMoment, isNumeric, plainText } from './cell-kinds.ts'

/** Values of a column that say what fits it, and numbers that make others of a text. */
const LEAST_VALUES = 3
const LEAST_NUMBERS = 2
/** A text with this many times the words, or the characters, of the longest value does not belong to the column. */
const LONGER = 3
const NEARLY_ALL = 0.8

interface TypicalColumn {
  readonly values: number
  /** Numbers, dates and codes of digits, more than one, and nothing else. */
  readonly isNumeric: boolean
  /** Nearly all are. */
  readonly isMostlyNumeric: boolean
  /** Every value has a digit. */
  readonly haveDigits: boolean
  readonly hasDates: boolean
  readonly hasYears: boolean
  readonly words: number
  readonly characters: number
}

export interface TypicalRows {
  readonly rows: number
  /** Cells with text of the middle row, and the column of the first one. */
  readonly cells: number
  readonly first: number
  /** What no row's first text has: names of institutions may be sentences, too. */
  readonly signs: readonly NoteSign[]
  readonly columns: readonly TypicalColumn[]
}

/** @param rows trimmed cells of some rows; @param width of the table */
export function learnTypical(rows: readonly (readonly string[])[], width: number): TypicalRows {
  const texts = rows.map((cells) => cells.filter((text) => text !== ''))
  const isNote = ([text = '', ...others]: readonly string[]) => others.length === 0 && isNamedNote(text)
  const counts = texts.filter((filled) => !isNote(filled)).map(({ length }) => length)
  counts.sort((a, b) => a - b)
  const full = rows.filter((cells) => cells.filter((text) => text !== '').length > 1)
  const firsts = full.map((cells) => cells.findIndex((text) => text !== ''))
  const labels = full.map((cells, row) => cells[firsts[row] as number] as string)
  return {
    rows: rows.length,
    cells: counts[counts.length >> 1] ?? width,
    first: Math.min(...firsts),
    signs: NOTE_SIGNS.filter((sign) => !labels.some(sign)),
    columns: Array.from({ length: width }, (_, column) =>
      learnColumn(full.map((cells) => cells[column] ?? '')),
    ),
  }
}

/** Rows at the end that may not belong to their table, at most. */
const MOST_ODD = 10

/** As `learnTypical`, but of the last rows those do not count that are unlike all above them: they may be notes. */
export function learnAboveNotes(rows: readonly (readonly string[])[], width: number): TypicalRows {
  for (let end = Math.max(2, rows.length - MOST_ODD, rows.length >> 1); end < rows.length; end++) {
    const above = learnTypical(rows.slice(0, end), width)
    if (rows.slice(end).every((cells) => isOdd(cells, above))) return above
  }
  return learnTypical(rows, width)
}

function isOdd(cells: readonly string[], above: TypicalRows): boolean {
  const [first = '', ...others] = cells.filter((text) => text !== '')
  return (
    others.length === 0 ||
    isForeign(cells, above) ||
    isSparse(cells, above) ||
    above.signs.some((sign) => sign(first))
  )
}

/** Whether a record has texts, or days, where the rows have numbers, and no number in any of these columns. */
export function isForeign(cells: readonly string[], { columns }: TypicalRows): boolean {
  let over = 0
  for (const [place, text] of cells.entries()) {
    const column = columns[place]
    if (text === '' || !column?.isNumeric) continue
    const isOtherDay = isDateText(text) && !column.hasDates
    if (!isOtherDay && (isNumeric(text) || isMissingMark(text))) return false
    over++
  }
  return over > 0
}

/** Whether a record has no number, and lacks two values that every row has. */
export function isSparse(cells: readonly string[], { columns, rows }: TypicalRows): boolean {
  const missing = columns.filter(({ values }, place) => values === rows && (cells[place] ?? '') === '')
  return rows >= LEAST_VALUES && missing.length > 1 && !cells.some(isNumeric)
}

function learnColumn(cells: readonly string[]): TypicalColumn {
  const texts = cells.filter((text) => text !== '' && !isMissingMark(text))
  return {
    values: texts.length,
    isNumeric: texts.length >= LEAST_NUMBERS && texts.every(isNumeric),
    isMostlyNumeric: texts.filter(isNumeric).length > NEARLY_ALL * texts.length,
    haveDigits: texts.length > 0 && texts.every((text) => /\d/.test(text)),
    hasDates: texts.some(isDateText),
    hasYears: texts.some(isMoment),
    words: Math.max(0, ...texts.map(countWords)),
    characters: Math.max(0, ...texts.map(({ length }) => length)),
  }
}

/** Whether a text may be a value of a column, by its place. Of a column with few values anything may. */
export function fitsColumn(text: string, place: number, { columns, rows, first }: TypicalRows): boolean {
  const column = columns[place]
  if (column === undefined) return false
  if (isMissingMark(text)) return true
  if (column.values === 0) return rows < LEAST_VALUES
  if (column.values < LEAST_VALUES) return true
  if (column.isNumeric) return isNumeric(text)
  if (isDateText(text)) return column.hasDates
  if (column.haveDigits && !/\d/.test(text) && countWords(text) > 1) return false
  // Descriptions differ in length, names of rows do not.
  if (place > first) return true
  return countWords(text) <= LONGER * column.words && text.length <= LONGER * column.characters
}

const DATE = /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})(?:[ T,]+\d{1,2}:\d{2}(?::\d{2})?)?$/

/** A day, with or without a time. */
export function isDateText(text: string): boolean {
  return DATE.test(text)
}

function countWords(text: string): number {
  return text.split(/\s+/).length
}

const NOTE_WORD =
  /^(?:sursa|sursele|source|sources|quelle|quellen|fuente|fuentes|fonte|fonti|forras|nota|note|notes|anmerkung|anmerkungen|hinweis|megjegyzes|remarque|remarques|observatie|observatii|precizare|precizari|mentiune|mentiuni|legenda|legend|disclaimer|copyright|nb|n\.b\.|p\.s\.)(?:\s*\d*\s*[:.)–-]|\s*$)/
const NOTE_MARK =
  /^(?:[#*†‡•¹²³⁴⁵]+\)?|[-–—]{1,2}\s|[([]?\d{1,2}[)\]]|[([][a-z][)\]]|[a-z]\))\s*[-–—=:.]?\s*\p{L}/u
const SENTENCE_WORDS = 4
const SENTENCE_CHARACTERS = 25

/** `Sursa: INS`, `Note 1: …`, `Disclaimer`: a text that says of itself that it is a note. */
export function isNamedNote(text: string): boolean {
  return NOTE_WORD.test(plainText(text))
}

/** `* …`, `1) …`, `(a) …`: a text that begins with the mark of a note. */
export function isMarkedNote(text: string): boolean {
  return NOTE_MARK.test(text)
}

/** `2 Population figures are …`: a number that was raised where the note was printed. */
function isNumberedNote(text: string): boolean {
  return /^\d{1,2}\s+\p{L}/u.test(text)
}

const SIGNATURE =
  /^(?:intocmit|verificat|aprobat|avizat|vizat|elaborat|redactat|semnatura|stampila|l\. ?s|director|primar|primarul|secretar|secretarul|contabil|presedinte|presedintele|sef (?:serviciu|birou|compartiment|departament)|(?:pagina|page) \d+|data (?:tiparirii|listarii|intocmirii)|prepared by|checked by|approved by|signature|printed on)(?=[\s,.:/]|$)/

/** `Întocmit`, `Director, …`, `Pagina 1`: what stands below a printed table for those who answer for it. */
export function isSignature(text: string): boolean {
  return SIGNATURE.test(plainText(text))
}

/** `Източник: НСИ`: a text that says what it is in front, in whichever language. */
function isLabelled(text: string): boolean {
  return /^\p{L}[\p{L}\p{M} .]{1,30}:\s*\S/u.test(text)
}

/** A text with letters that begins with a sign. */
function beginsWithSign(text: string): boolean {
  return /^[^\p{L}\p{N}\s"'„“”«»+-]/u.test(text) && /\p{L}/u.test(text)
}

/** What may tell a text that stands alone below a table from a row, where no row's first text has it. */
type NoteSign = (text: string) => boolean

const NOTE_SIGNS: readonly NoteSign[] = [
  isNamedNote,
  isMarkedNote,
  isSentence,
  isLabelled,
  beginsWithSign,
  isNumberedNote,
  isSignature,
]

/** A text as long as a sentence. */
export function isSentence(text: string): boolean {
  return text.length >= SENTENCE_CHARACTERS && text.split(/\s+/).length >= SENTENCE_WORDS
}

/** In Romanian, English, German, French, Spanish, Italian, Hungarian and their neighbours, without diacritics. */
const TOTAL =
  /^(?:(?:grand |sub)?totals?|total general|totale?|totaux|totaal|totalul|suma|summe|gesamt|gesamtsumme|insgesamt|ensemble|osszesen|mindosszesen|celkem|spolu|razem|ogolem|ukupno|skupaj|общо|всего|итого|сума|разом)(?=[\s:.,(]|$)/
/** The same at a glance, for texts as they stand. */
const MAYBE_TOTAL =
  /^\s*(?:grand|sub|tot|sum|ges|ins|ens|[oö]|mind|celk|spolu|raz|uk|sk|общо|всего|итого|сума|разом)/i
const TOTAL_WORDS = 5
/** A label for totals is in one of the first cells. */
export const LABEL_CELLS = 3

/** Whether a record is one of totals: it begins with a label for them, and has a number. @param cells trimmed */
export function isTotal(cells: readonly string[]): boolean {
  const label = cells.findIndex((cell) => cell !== '')
  if (label < 0 || label >= LABEL_CELLS) return false
  return isTotalLabel(cells[label] as string) && cells.slice(label + 1).some(isNumeric)
}

/** `Total`, `TOTAL ROMÂNIA`, `Summe:`, `Összesen`. */
export function isTotalLabel(text: string): boolean {
  if (!MAYBE_TOTAL.test(text)) return false
  const plain = plainText(text)
  return TOTAL.test(plain) && plain.split(' ').length <= TOTAL_WORDS
}
