/** What the rows of a table usually have, and the words and signs of notes and totals, which surround printed tables. */

import { isMissingMark, isMoment, isNumeric, plainText } from './cell-kinds.ts'

/** Values from which a column shows what fits it. */
const LEAST_VALUES = 3
/** A text with this many times the words or characters of the longest value does not belong to the column. */
const LONGER = 3

export type TypicalRows = ReturnType<typeof learnTypical>

/** @param rows trimmed cells of some rows; @param width of the table */
export function learnTypical(rows: readonly (readonly string[])[], width: number) {
  const texts = rows.map((cells) => cells.filter((text) => text !== ''))
  const isNote = ([text = '', ...others]: readonly string[]) => others.length === 0 && isNamedNote(text)
  const counts = texts.filter((filled) => !isNote(filled)).map(({ length }) => length)
  counts.sort((a, b) => a - b)
  const full = rows.filter((cells) => cells.filter((text) => text !== '').length > 1)
  const firsts = full.map((cells) => cells.findIndex((text) => text !== ''))
  const labels = full.map((cells, row) => cells[firsts[row] as number] as string)
  return {
    rows: rows.length,
    /** The median number of cells with text, and the column of the first such cell. */
    cells: counts[counts.length >> 1] ?? width,
    first: Math.min(...firsts),
    /** Signs that no row's first text has: names of institutions may be sentences, too. */
    signs: NOTE_SIGNS.filter((sign) => !labels.some(sign)),
    columns: Array.from({ length: width }, (_, column) =>
      learnColumn(full.map((cells) => cells[column] ?? '')),
    ),
  }
}

/** Like `learnTypical`, but ignores those last rows, up to ten, that are unlike all above them: they may be notes. */
export function learnAboveNotes(rows: readonly (readonly string[])[], width: number): TypicalRows {
  for (let end = Math.max(2, rows.length - 10, rows.length >> 1); end < rows.length; end++) {
    const above = learnTypical(rows.slice(0, end), width)
    const isOdd = (cells: readonly string[]) => {
      const [first = '', ...others] = cells.filter((text) => text !== '')
      if (others.length === 0 || isForeign(cells, above) || isSparse(cells, above)) return true
      return above.signs.some((sign) => sign(first))
    }
    if (rows.slice(end).every(isOdd)) return above
  }
  return learnTypical(rows, width)
}

/** Whether a record has texts or days in number columns, and no number in any of these. */
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

/** Whether a record has no number, and lacks at least two values that every row has. */
export function isSparse(cells: readonly string[], { columns, rows }: TypicalRows): boolean {
  const missing = columns.filter(({ values }, place) => values === rows && (cells[place] ?? '') === '')
  return rows >= LEAST_VALUES && missing.length > 1 && !cells.some(isNumeric)
}

function learnColumn(cells: readonly string[]) {
  const texts = cells.filter((text) => text !== '' && !isMissingMark(text))
  return {
    values: texts.length,
    /** At least two numbers, dates or codes of digits, and nothing else; `isMostlyNumeric`: nearly all. */
    isNumeric: texts.length > 1 && texts.every(isNumeric),
    isMostlyNumeric: texts.filter(isNumeric).length > 0.8 * texts.length,
    haveDigits: texts.length > 0 && texts.every((text) => /\d/.test(text)),
    hasDates: texts.some(isDateText),
    hasYears: texts.some(isMoment),
    words: Math.max(0, ...texts.map(countWords)),
    characters: Math.max(0, ...texts.map(({ length }) => length)),
  }
}

/** Whether a text may be a value of a column, by index. In a column with few values anything may. */
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

/** A day, with or without a time. */
export function isDateText(text: string): boolean {
  return /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})(?:[ T,]+\d{1,2}:\d{2}(?::\d{2})?)?$/.test(
    text,
  )
}

function countWords(text: string): number {
  return text.split(/\s+/).length
}

const NOTE_WORD =
  /^(?:sursa|sursele|source|sources|quelle|quellen|fuente|fuentes|fonte|fonti|forras|nota|note|notes|anmerkung|anmerkungen|hinweis|megjegyzes|remarque|remarques|observatie|observatii|precizare|precizari|mentiune|mentiuni|legenda|legend|disclaimer|copyright|nb|n\.b\.|p\.s\.)(?:\s*\d*\s*[:.)–-]|\s*$)/
const NOTE_MARK =
  /^(?:[#*†‡•¹²³⁴⁵]+\)?|[-–—]{1,2}\s|[([]?\d{1,2}[)\]]|[([][a-z][)\]]|[a-z]\))\s*[-–—=:.]?\s*\p{L}/u

/** `Sursa: INS`, `Note 1: …`, `Disclaimer`: a text that calls itself a note. */
export function isNamedNote(text: string): boolean {
  return NOTE_WORD.test(plainText(text))
}

/** `* …`, `1) …`, `(a) …`: a text that begins with the mark of a note. */
export function isMarkedNote(text: string): boolean {
  return NOTE_MARK.test(text)
}

const SIGNATURE =
  /^(?:intocmit|verificat|aprobat|avizat|vizat|elaborat|redactat|semnatura|stampila|l\. ?s|director|primar|primarul|secretar|secretarul|contabil|presedinte|presedintele|sef (?:serviciu|birou|compartiment|departament)|(?:pagina|page) \d+|data (?:tiparirii|listarii|intocmirii)|prepared by|checked by|approved by|signature|printed on)(?=[\s,.:/]|$)/

/** `Întocmit`, `Director, …`, `Pagina 1`: lines below a printed table about who answers for it. */
export function isSignature(text: string): boolean {
  return SIGNATURE.test(plainText(text))
}

/** Signs that a single text below a table is not a row, if no row's first text has them. */
const NOTE_SIGNS: readonly ((text: string) => boolean)[] = [
  isNamedNote,
  isMarkedNote,
  isSentence,
  // `Източник: НСИ`: a label and a colon, in any language.
  (text) => /^\p{L}[\p{L}\p{M} .]{1,30}:\s*\S/u.test(text),
  // It has letters and begins with a sign.
  (text) => /^[^\p{L}\p{N}\s"'„“”«»+-]/u.test(text) && /\p{L}/u.test(text),
  isSignature,
]

/** A text as long as a sentence. */
export function isSentence(text: string): boolean {
  return text.length >= 25 && countWords(text) >= 4
}

/** In Romanian, English, German, French, Spanish, Italian, Hungarian and their neighbours, without diacritics. */
const TOTAL =
  /^(?:(?:grand |sub)?totals?|total general|totale?|totaux|totaal|totalul|suma|summe|gesamt|gesamtsumme|insgesamt|ensemble|osszesen|mindosszesen|celkem|spolu|razem|ogolem|ukupno|skupaj|общо|всего|итого|сума|разом)(?=[\s:.,(]|$)/
/** A quick test for the same on unprocessed texts. */
const MAYBE_TOTAL =
  /^\s*(?:grand|sub|tot|sum|ges|ins|ens|[oö]|mind|celk|spolu|raz|uk|sk|общо|всего|итого|сума|разом)/i
/** A label for totals is in one of the first cells. */
export const LABEL_CELLS = 3

/** Whether a record is a total: it begins with a label for totals, and has a number. @param cells trimmed */
export function isTotal(cells: readonly string[]): boolean {
  const label = cells.findIndex((cell) => cell !== '')
  if (label < 0 || label >= LABEL_CELLS) return false
  return isTotalLabel(cells[label] as string) && cells.slice(label + 1).some(isNumeric)
}

/** `Total`, `TOTAL ROMÂNIA`, `Summe:`, `Összesen`. */
export function isTotalLabel(text: string): boolean {
  if (!MAYBE_TOTAL.test(text)) return false
  const plain = plainText(text)
  return TOTAL.test(plain) && plain.split(' ').length <= 5
}
