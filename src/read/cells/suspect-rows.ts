/** Finds rows of the right width that may not be what they seem, by the distinct cells alone; most files have none. */

import type { Separators } from '../records/separators.ts'
import { CARRIAGE_RETURN, countBelow, LINE_FEED, SPACE } from '../structure/block.ts'
import { isMissingMark } from '../structure/cell-kinds.ts'
import { joinLines, type LonelyQuote, lonelyQuote, splitAtQuotes, splitLines } from '../widths/lost-quotes.ts'
import type { EncodedRecords } from './encoded-records.ts'

/** Row numbers, ascending. */
export interface SuspectRows {
  /**
   * Rows with a value that looks unlike its column (a text among numbers, a date among texts), or a quote within a word.
   */
  readonly shifted: readonly number[]
  /** Rows with a cell whose lines have as many cells as rows do, or more. */
  readonly swallowing: readonly number[]
  /** Rows with a quote that is open at the end of one row and at the beginning of the next. */
  readonly open: readonly number[]
  /** Rows with a quote that opens within one cell and closes in a later one. */
  readonly torn: readonly number[]
}

/** If more rows are suspect, the column is simply like that. */
const MOST_ROWS = 5000
/** The number of distinct values checked, and the limit up to which rows are counted, to see how common a look is. */
const FEW_VALUES = 1000

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** @param width of the table */
export function findSuspects(records: EncodedRecords, width: number, separators: Separators): SuspectRows {
  const { split, ...others } = findQuotes(records, width, separators)
  return {
    shifted: ascending(new Set([...findShifted(records), ...split])),
    swallowing: findSwallowing(records, width, separators),
    ...others,
  }
}

function findShifted(records: EncodedRecords): number[] {
  const usual = [...records.cells.keys()].map((lane) => usualLooks(records, lane))
  const homes = new Set(usual.flatMap((looks) => looks ?? []))
  const rows = new Set<number>()
  for (const [lane, looks] of usual.entries()) {
    if (looks === null) continue
    const strange = [...homes].filter((look) => !looks.includes(look))
    const { heap, offsets } = records.entriesOf(lane)
    const ids: number[] = []
    for (let id = 1; strange.length > 0 && id < offsets.length; id++) {
      const [start, end] = [offsets[id - 1] as number, offsets[id] as number]
      if (strange.includes(lookOf(heap, start, end)) && !isMissing(heap, start, end)) ids.push(id)
    }
    const own = rowsWith(records, lane, ids)
    if (own.length <= MOST_ROWS) for (const row of own) rows.add(row)
  }
  for (const row of earlyEnds(records)) rows.add(row)
  return ascending(rows)
}

/** The rows without a value in the last column, if they are few: their values may be one column too far left. */
function earlyEnds(records: EncodedRecords): number[] {
  const rows: number[] = []
  let first = 0
  for (const ids of records.idsOf(records.cells.length - 1)) {
    for (let i = ids.indexOf(0); i >= 0; i = ids.indexOf(0, i + 1)) {
      rows.push(first + i)
      if (rows.length > 20) return []
    }
    first += ids.length
  }
  return rows
}

/** The looks of the values in nearly all rows of a column; null: there are none. */
function usualLooks(records: EncodedRecords, lane: number): readonly number[] | null {
  const { heap, offsets } = records.entriesOf(lane)
  const count = offsets.length - 1
  if (count === 0) return null
  const isFew = count <= FEW_VALUES
  const step = isFew ? 1 : Math.floor(count / FEW_VALUES)
  const look = (counts: Uint32Array | null) => {
    const looks = new Array<number>(TEXT + 1).fill(0)
    for (let id = 1; id <= count; id += step) {
      const [start, end] = [offsets[id - 1] as number, offsets[id] as number]
      if (!isMissing(heap, start, end)) looks[lookOf(heap, start, end)]! += counts?.[id] ?? 1
    }
    return looks
  }
  const looks = look(null)
  const isOne = looks.filter((seen, at) => at !== NOTHING && seen > 0).length < 2
  return findLook(isFew && !isOne ? look(records.countCells(lane, null)) : looks)
}

function isMissing(heap: Uint8Array, start: number, end: number): boolean {
  return end - start < 16 && isMissingMark(decoder.decode(heap.subarray(start, end)).trim())
}

function findSwallowing(records: EncodedRecords, width: number, { delimiter }: Separators): number[] {
  const rows = new Set<number>()
  const sign = String.fromCharCode(delimiter)
  for (const [lane, cell] of records.cells.entries()) {
    const ids: number[] = []
    for (const [id, text] of textsOfLines(records, lane)) {
      const lines = splitLines(text, sign)
      lines[0] = [...new Array<string>(cell).fill(''), ...(lines[0] as string[])]
      lines.push([...(lines.pop() as string[]), ...new Array<string>(width - 1 - cell).fill('')])
      // With the cells beside it, its lines have as many cells as rows do, or more.
      if (joinLines(lines, width) !== null) ids.push(id)
    }
    for (const row of rowsWith(records, lane, ids)) rows.add(row)
  }
  return rows.size > MOST_ROWS ? [] : ascending(rows)
}

function* textsOfLines(records: EncodedRecords, lane: number): Generator<[id: number, text: string]> {
  const { heap, offsets } = records.entriesOf(lane)
  const bytes = Buffer.from(heap.buffer, heap.byteOffset, heap.length)
  let [feed, carriage] = [bytes.indexOf(LINE_FEED), bytes.indexOf(CARRIAGE_RETURN)]
  while (feed >= 0 || carriage >= 0) {
    const at = feed < 0 ? carriage : carriage < 0 ? feed : Math.min(feed, carriage)
    const id = findEntry(offsets, at)
    const end = offsets[id] as number
    yield [id, records.textOf(lane, id)]
    if (feed >= 0 && feed < end) feed = bytes.indexOf(LINE_FEED, end)
    if (carriage >= 0 && carriage < end) carriage = bytes.indexOf(CARRIAGE_RETURN, end)
  }
}

/** The id of the entry at a position in the heap. */
function findEntry(offsets: Uint32Array, place: number): number {
  return countBelow(offsets.length, (at) => offsets[at] as number, place + 1)
}

/** Rows with lonely quotes, and those with a quote within a word, unless that is common. */
function findQuotes(records: EncodedRecords, width: number, { quote }: Separators) {
  const { cells } = records
  const found = cells.map((_, lane) => (quote < 0 ? [] : findQuoted(records, lane, quote)))
  const split = found.flatMap((some, lane) => {
    const ids = some.filter(({ isSplit }) => isSplit).map(({ id }) => id)
    const rows = rowsWith(records, lane, ids)
    return rows.length > MOST_ROWS ? [] : rows
  })
  const lonely = found.map((some) => some.flatMap(({ id, side }) => (side === null ? [] : [{ id, side }])))
  const open = new Set<number>()
  const torn = new Set<number>()
  if (lonely.filter(({ length }) => length > 0).length < 2) return { open: [], torn: [], split }
  const rowsOn = (lane: number, isWanted: (side: LonelyQuote) => boolean) => {
    const ids = lonely[lane]?.filter(({ side }) => isWanted(side)).map(({ id }) => id) ?? []
    return rowsWith(records, lane, ids)
  }
  const before = new Set(rowsOn(cells.indexOf(width - 1), (side) => side !== 'closes'))
  for (const row of before.size === 0 ? [] : rowsOn(cells.indexOf(0), () => true))
    if (before.has(row - 1)) open.add(row - 1).add(row)
  const opened = new Set<number>()
  for (const lane of [...cells.keys()].sort((a, b) => (cells[a] as number) - (cells[b] as number))) {
    for (const row of rowsOn(lane, (side) => side === 'closes')) if (opened.has(row)) torn.add(row)
    for (const row of rowsOn(lane, (side) => side === 'opens')) opened.add(row)
  }
  return { open: ascending(open), torn: ascending(torn), split }
}

/** The distinct cells with a quote that is lonely or within a word. */
function findQuoted(records: EncodedRecords, lane: number, quote: number) {
  const found: { id: number; side: LonelyQuote | null; isSplit: boolean }[] = []
  const { heap, offsets } = records.entriesOf(lane)
  const bytes = Buffer.from(heap.buffer, heap.byteOffset, heap.length)
  const sign = String.fromCharCode(quote)
  for (let at = bytes.indexOf(quote); at >= 0; ) {
    const id = findEntry(offsets, at)
    const text = records.textOf(lane, id)
    const [side, isSplit] = [lonelyQuote(text, sign), !splitAtQuotes(text, sign).next().done]
    if (side !== null || isSplit) found.push({ id, side, isSplit })
    at = bytes.indexOf(quote, offsets[id])
  }
  return found
}

/** The rows with certain distinct cells, in order; more than `MOST_ROWS` end the search. */
function rowsWith(records: EncodedRecords, lane: number, cells: Iterable<number>): number[] {
  const flags = new Uint8Array(records.entriesOf(lane).offsets.length)
  for (const id of cells) flags[id] = 1
  const rows: number[] = []
  let first = 0
  for (const ids of flags.includes(1) ? records.idsOf(lane) : []) {
    for (let i = 0; i < ids.length; i++) if (flags[ids[i] as number] === 1) rows.push(first + i)
    first += ids.length
    if (rows.length > MOST_ROWS) break
  }
  return rows
}

function ascending(rows: ReadonlySet<number>): number[] {
  return [...rows].sort((a, b) => a - b)
}

/** What a cell looks like, judged by its bytes. */
const NOTHING = 0
const DIGITS = 1
/** Digits with points, commas or spaces between them. */
const NUMBER = 2
const MOMENT = 3
/** Letters and digits without a blank. */
const CODE = 4
const TEXT = 5

/** Longer ones are texts. */
const LONGEST_CODE = 32

function lookOf(heap: Uint8Array, start: number, end: number): number {
  let hasDigits = false
  let hasLetters = false
  let hasMarks = false
  let isMoment = false
  const last = Math.min(end, start + LONGEST_CODE + 1)
  for (let at = start; at < last; at++) {
    const byte = heap[at] as number
    if (byte >= 0x30 && byte <= 0x39) hasDigits = true
    else if (byte === 0x2f || byte === 0x3a || (byte === 0x2d && hasDigits)) isMoment = true
    else if (byte >= 0x41 && byte !== 0x54 && byte !== 0x5a && byte !== 0xc2 && byte !== 0xa0)
      hasLetters = true
    else if (byte === SPACE && hasLetters) return TEXT
    else if (byte !== SPACE || at > start) hasMarks = true
  }
  if (hasLetters) return hasDigits && end - start <= LONGEST_CODE ? CODE : TEXT
  if (!hasDigits) return NOTHING
  if (isMoment || (hasMarks && isDottedDate(heap, start, end))) return MOMENT
  return hasMarks ? NUMBER : DIGITS
}

/** `5.1.2024`, `05.01.24`: a point before the last two or four digits, and one or two digits between the points. */
function isDottedDate(heap: Uint8Array, start: number, end: number): boolean {
  return [4, 2].some((year) => {
    const last = end - year - 1
    if (last <= start || heap[last] !== 0x2e) return false
    return [1, 2].some((month) => {
      const first = last - month - 1
      return heap[first] === 0x2e && first > start && first <= start + 2
    })
  })
}

/**
 * The usual looks of a column's values, given how often each occurs; null: none is so common that others are exceptions.
 */
function findLook(looks: readonly number[]): readonly number[] | null {
  const seen = (look: number) => looks[look] as number
  const telling = looks.reduce((sum, count) => sum + count, 0) - seen(NOTHING)
  const isUsual = (...some: number[]) =>
    telling > 0 && some.reduce((sum, look) => sum + seen(look), 0) >= 0.6 * telling
  for (const look of [DIGITS, MOMENT, CODE, TEXT]) if (isUsual(look)) return [NOTHING, look]
  // Decimals may be whole numbers, and texts may be words with digits.
  if (isUsual(DIGITS, NUMBER)) return [NOTHING, DIGITS, NUMBER]
  return isUsual(TEXT, CODE) ? [NOTHING, CODE, TEXT] : null
}
