/**
 * Finds notes below the rows of a table and at the ends of its pages, including titles of the next page and lines repeated
 * on every page: recognised by their form, and by what the rows of the table have in common.
 */

import type { Fault } from '../report/quarantine.ts'
import { type Block, type Entry, isGap, SPACE } from './block.ts'
import { isDrawnLine, isMissingMark, isNumeric } from './cell-kinds.ts'
import {
  fitsColumn,
  isDateText,
  isForeign,
  isMarkedNote,
  isNamedNote,
  isSentence,
  isSignature,
  isSparse,
  type TypicalRows,
} from './typical-rows.ts'

export const FOOTNOTE: Fault = { reason: 'footnote', column: null, isLayout: true }
/** The most records below a table that may be notes. */
const MOST_NOTES = 200
/** Tables with this many columns have no row with a single text that does not fit its column. */
const WIDE = 3
/** Rows above the notes that are checked for blank records between them. */
const ROWS_ABOVE = 20

/** `start` is the offset in its block. */
export type Note = Readonly<{ line: number; text: string; start: number }>

function findFootnotes(block: Block, typical: TypicalRows, end: number): Note[] {
  if (block.splitter.width < 2) return []
  // From the last one up to one that is known not to be a row.
  const ending: Entry[] = []
  for (const entry of block.above(end)) {
    if (ending.length === MOST_NOTES + ROWS_ABOVE || block.isMarked(entry)) break
    ending.push(entry)
  }
  const surely = Math.max(countBelowGap(ending, block, typical), countBelowNote(ending, block, typical))
  const notes: Note[] = []
  for (const [at, entry] of ending.entries()) {
    if (at >= MOST_NOTES) break
    const text = noteText(entry, block, typical, at < surely)
    if (text === null) break
    notes.unshift(markNote(block, entry, text))
  }
  return notes
}

/**
 * The number of last records that are below a blank record and have no values like a row's, in a table whose rows have no
 * blank records between them.
 */
function countBelowGap(ending: readonly Entry[], block: Block, typical: TypicalRows): number {
  if (typical.cells < 2) return 0
  const run = ending.findIndex((entry) => !isLoose(block.cells(entry), typical, block.splitter.width))
  if (run <= 0) return 0
  const gapAbove = (at: number) => {
    const above = ending[at + 1]
    return above !== undefined && isGap(block.bytes, above.end, (ending[at] as Entry).start)
  }
  for (let at = run; at < Math.min(ending.length - 1, run + ROWS_ABOVE); at++) if (gapAbove(at)) return 0
  for (let at = run - 1; at >= 0; at--) if (gapAbove(at)) return at + 1
  return 0
}

/** The number of last records, none with the values of a row, that are at or below one with the form of a note. */
function countBelowNote(ending: readonly Entry[], block: Block, typical: TypicalRows): number {
  const isNone = (entry: Entry) => {
    const cells = block.cells(entry)
    return isLoose(cells, typical, block.splitter.width) || isSparse(cells, typical)
  }
  const run = ending.findIndex((entry) => !isNone(entry))
  const isNote = (entry: Entry) => noteText(entry, block, typical, false) !== null
  return ending.slice(0, Math.max(0, run)).findLastIndex(isNote) + 1
}

/** Whether a record has a single text, or texts but no number in the number columns. */
function isLoose(cells: readonly string[], typical: TypicalRows, width: number): boolean {
  if (cells.filter((text) => text !== '').length !== 1) return isForeign(cells, typical)
  // With two columns every row has its number, so a record without one is not a row.
  return (
    width >= WIDE || typical.columns.some(({ isNumeric, values }) => isNumeric && values === typical.rows)
  )
}

/** @returns null: the record is not a note */
function noteText(entry: Entry, block: Block, typical: TypicalRows, isBelowGap: boolean): string | null {
  const { ragged } = entry
  if (ragged?.broken) return null
  const cells = block.cells(entry)
  const filled = cells.filter((text) => text !== '')
  const [text = ''] = filled
  const hasSign = typical.signs.some((sign) => sign(text))
  const isNamed = isNamedNote(text) && hasSign
  if (isDrawnLine(cells)) return block.raw(entry)
  if (filled.length === 1)
    return isSingleNote(cells, text, typical, isNamed, isBelowGap, ragged !== null) ? text : null
  if (filled.length === 0) return null
  const raw = block.raw(entry).replace(/^"|"$/g, '')
  if (isBelowGap || (isNamed && isProse(entry, block))) return raw
  const others = filled.slice(1)
  if (others.some((other) => isNumeric(other) || isMissingMark(other))) return isNamed && ragged ? raw : null
  if (ragged === null) {
    // A note that contains delimiters may have the table's width by chance.
    const isTold = isNamed || (hasSign && !isSentence(text)) || isMissingMark(text)
    if ((isTold || isProse(entry, block)) && isForeign(cells, typical)) return raw
    if (hasSign && isSignature(text) && isSparse(cells, typical)) return raw
    return isNamed && /[:.]/.test(text) ? raw : null
  }
  const isMarked = isMarkedNote(text) && hasSign
  return isNamed || (isMarked && (cells.length < typical.columns.length || isProse(entry, block)))
    ? raw
    : null
}

/** Whether a space follows every delimiter of a record except those at its end, as in prose, and none in the first row. */
function isProse({ start, end }: Entry, block: Block): boolean {
  const { splitter, bytes } = block
  const { delimiter } = splitter.separators
  if (splitter.rows === 0) return false
  const row = block.rowEntry(0)
  let delimiters = 0
  let last = end
  while (last > start && bytes[last - 1] === delimiter) last--
  for (let at = start; at < last; at++) {
    if (bytes[at] !== delimiter) continue
    if (bytes[at + 1] !== SPACE) return false
    delimiters++
  }
  for (let at = row.start; at < row.end; at++)
    if (bytes[at] === delimiter && bytes[at + 1] === SPACE) return false
  return delimiters > 0
}

function isSingleNote(
  cells: readonly string[],
  text: string,
  typical: TypicalRows,
  isNamed: boolean,
  isBelowGap: boolean,
  isRagged: boolean,
): boolean {
  if (typical.cells < 2) return isRagged && cells.length === 1 && typical.signs.some((sign) => sign(text))
  const column = cells.indexOf(text)
  const width = typical.columns.length
  if (isBelowGap || (isNamed && /[:.]/.test(text))) return true
  const isOverNumbers = width >= WIDE || typical.columns[1 - column]?.isNumeric === true
  if ((width >= WIDE || (isOverNumbers && isDateText(text))) && !fitsColumn(text, column, typical))
    return true
  // With two text columns, a sentence may be a row without its second value.
  const signs =
    isOverNumbers || isRagged ? typical.signs : typical.signs.filter((sign) => sign !== isSentence)
  return (isRagged || column <= typical.first) && signs.some((sign) => sign(text))
}

/**
 * Where rows end in a block: the offset of a repeated header or a second table, infinite at the end of the file.
 * `isTitled`: a record with one text right above it is a title of what follows.
 */
type PageEnd = Readonly<{ offset: number; isTitled: boolean }>

/**
 * Marks notes, and returns them in no particular order.
 * @param learn from the rows that are not marked: until they are marked, the ends of a few short pages look like half of
 * the table
 */
export function findPageNotes(block: Block, ends: readonly PageEnd[], learn: () => TypicalRows): Note[] {
  if (ends.length === 0) return []
  const tops = ends.map(({ offset }) => offset)
  const notes: Note[] = []
  const take = (page: number, note: Note) => {
    notes.push(note)
    tops[page] = Math.min(tops[page] as number, note.start)
  }
  for (const [page, { isTitled, offset }] of ends.entries()) {
    const title = isTitled ? findSingle(block, offset) : null
    if (title) take(page, markNote(block, title.entry, title.text))
  }
  // Notes and repeated lines may alternate.
  for (let turn = 0, before = -1; turn < 5 && before < notes.length; turn++) {
    before = notes.length
    const typical = learn()
    for (const page of ends.keys())
      for (const note of findFootnotes(block, typical, tops[page] as number)) take(page, note)
    for (const { page, entry, text } of findAlike(block, tops)) take(page, markNote(block, entry, text))
  }
  return notes
}

function markNote(block: Block, entry: Entry, text: string): Note {
  block.mark(entry, FOOTNOTE)
  return { line: entry.line, text, start: entry.start }
}

function findSingle(block: Block, offset: number): { entry: Entry; text: string } | null {
  const [entry] = block.above(offset)
  if (!entry || block.isMarked(entry)) return null
  const [text, ...others] = block.cells(entry).filter((cell) => cell !== '')
  return text === undefined || others.length > 0 ? null : { entry, text }
}

/** The last records of pages that have a single text each which other pages have as well, apart from digits. */
function findAlike(block: Block, tops: readonly number[]): { page: number; entry: Entry; text: string }[] {
  const formOf = (text: string) => text.replaceAll(/\d+/g, '0')
  const last = tops.flatMap((top, page) => {
    const single = findSingle(block, top)
    return single ? [{ page, ...single }] : []
  })
  if (last.length === 0) return []
  // Notes marked above a second table are known not to be rows.
  const known = [...block.out.rows].flatMap(([row, fault]) =>
    fault === FOOTNOTE ? [formOf(block.row(row).join(''))] : [],
  )
  const alike = Map.groupBy(last, ({ text }) => formOf(text))
  return [...alike].flatMap(([form, pages]) => (pages.length > 1 || known.includes(form) ? pages : []))
}
