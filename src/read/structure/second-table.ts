/**
 * A second table below the first, with a header of its own: its names stand over numbers of the first table, or its
 * records have another width. Below a blank record it is left out, and what is left out is said; without one its records
 * count as lost, as nothing but its header says that it is a table.
 */

import type { Fault } from '../report/quarantine.ts'
import { type Block, CARRIAGE_RETURN, isGap, LINE_FEED, SMALL, SPACE } from './block.ts'
import { isNumeric, isSeries } from './cell-kinds.ts'
import { FOOTNOTE } from './footnotes.ts'
import {
  isChangedHeader,
  isHeaderAmong,
  isHeaderBelowBlank,
  isHeaderLike,
  LEAST_VALUES,
  PROVING_VALUES,
} from './second-header.ts'
import { learnTypical, type TypicalRows } from './typical-rows.ts'

/** Titles above the header of a second table. */
const MOST_TITLES = 5

type Start = Readonly<{ offset: number; line: number; names: readonly string[]; isBelowBlank: boolean }>

export class SecondTable {
  /** Where the first one of them begins, and the names of its columns. */
  start: { readonly line: number; readonly names: readonly string[] } | null = null
  /** Where the rows of the first table end in the block that was looked at last. */
  readonly tops: number[] = []
  /** Records that are left out for it. */
  records = 0
  readonly #names: readonly string[]
  /** What the first cell of a changed header may be: a name, and nothing where the names are years. */
  readonly #firsts: readonly Uint8Array[]
  /** Their first bytes, letters as small ones. */
  readonly #firstBytes = new Uint8Array(256)
  readonly #fault: Fault & { isLayout?: true } = { reason: 'second_table', column: null, isLayout: true }
  #isActive = false

  /** @param names of the first table's columns */
  constructor(names: readonly string[]) {
    this.#names = names
    const firsts = names.map((name) => name.trim()).filter((name) => name !== '')
    this.#firsts = (isSeries(names) ? ['', ...firsts] : firsts).map((name) => new TextEncoder().encode(name))
    for (const [first = SPACE] of this.#firsts) this.#firstBytes.fill(1, first | SMALL, (first | SMALL) + 1)
  }

  /** @param block with the repeated headers marked @param typical rows of the first table, from the beginning of the file */
  find(block: Block, typical: TypicalRows): void {
    this.tops.length = 0
    const repeated = [...block.out.rows.keys()]
      .map((row) => block.splitter.rowStarts[row] as number)
      .sort((a, b) => a - b)
    for (let from = 0; from < Number.POSITIVE_INFINITY; ) {
      const start = this.#isActive ? from : this.#findStart(block, typical, from)
      if (start === null) return
      const end = repeated.find((offset) => offset > start) ?? Number.POSITIVE_INFINITY
      this.#leaveOut(block, start, end)
      this.#isActive = end === Number.POSITIVE_INFINITY
      from = end
    }
  }

  /** A second table that is as long as the first one, or longer, isn't an appendix: its records count as lost. */
  weigh(rows: number): void {
    if (this.records - 1 >= rows) delete this.#fault.isLayout
  }

  #findStart(block: Block, typical: TypicalRows, from: number): number | null {
    const start = findRaggedStart(block, from) ?? this.#findRowStart(block, typical, from)
    if (start === null) return null
    this.start ??= start
    this.#isActive = true
    if (!start.isBelowBlank) delete this.#fault.isLayout
    this.tops.push(markTitles(block, start.offset))
    return start.offset
  }

  /** A header among the rows: it has texts, or years, over columns of numbers. */
  #findRowStart(block: Block, typical: TypicalRows, from: number): Start | null {
    const { bytes, out } = block
    const { rows, rowStarts, rowEnds, lines, separators, width, starts, ends } = block.splitter
    const key = typical.columns.findIndex(
      ({ isMostlyNumeric: isKey, values }) => isKey && values >= PROVING_VALUES,
    )
    let lastGap = Number.NEGATIVE_INFINITY
    for (let row = 1; row < rows - 1; row++) {
      const offset = rowStarts[row] as number
      if (isGap(bytes, rowEnds[row - 1] as number, offset)) lastGap = row
      const isNearGap = row - lastGap <= MOST_TITLES
      if (offset <= from || out.rows.has(row)) continue
      // A look at the first byte of a column of numbers: no digit, sign or blank.
      const at = row * width + key
      const hasText =
        key >= 0 &&
        (starts[at] as number) < (ends[at] as number) &&
        (bytes[starts[at] as number] as number) >= 0x41
      if (!(isNearGap || hasText || this.#beginsAsHeader(block, row))) continue
      const cells = block.row(row)
      const names = cells.filter((name) => name !== '')
      if (!(isHeaderLike(names) || isSeries(cells))) continue
      const above = rowsAbove(block, row)
      const rowTypical = above.length < LEAST_VALUES ? typical : learnTypical(above, width)
      const isBelow = isNearGap && isBelowBlank(bytes, offset, separators.delimiter)
      const next = block.row(row + 1)
      const isStart =
        isChangedHeader(cells, this.#names, rowTypical) ||
        (isBelow
          ? isHeaderBelowBlank(cells, next, rowTypical)
          : isHeaderAmong(cells, next, above, this.#names))
      if (isStart) return { offset, line: lines[row] as number, names, isBelowBlank: isBelow }
    }
    return null
  }

  /** Whether the first cell of a row is a name of the table. */
  #beginsAsHeader(block: Block, row: number): boolean {
    const { width, starts, ends } = block.splitter
    const start = starts[row * width] as number
    const first = start < (ends[row * width] as number) ? (block.bytes[start] as number) : SPACE
    if (first !== SPACE && this.#firstBytes[first | SMALL] === 0) return false
    return this.#firsts.some((name) => block.readsAs(row, 0, name))
  }

  #leaveOut(block: Block, start: number, end: number): void {
    const { rows, rowStarts, ragged } = block.splitter
    for (let row = 0; row < rows; row++) {
      const offset = rowStarts[row] as number
      if (offset < start || offset >= end) continue
      block.out.rows.set(row, this.#fault)
      this.records++
    }
    for (const record of ragged) {
      if (record.start < start || record.start >= end) continue
      block.out.ragged.set(record, this.#fault)
      this.records++
    }
  }
}

/** A header among the records of another width, with records of its own width below it. */
function findRaggedStart(block: Block, from: number): Start | null {
  const { ragged, separators } = block.splitter
  for (const [at, head] of ragged.entries()) {
    if (head.start <= from || head.broken || head.cells < 2 || block.out.ragged.has(head)) continue
    const below = ragged.slice(at + 1, at + 6)
    if (below.length === 0 || below.some(({ cells, broken }) => cells !== head.cells || broken)) continue
    if (!isBelowBlank(block.bytes, head.start, separators.delimiter)) continue
    const names = block.cells(block.raggedEntry(head))
    if (!isHeaderLike(names)) continue
    const hasNumbers = below.every((record) => block.cells(block.raggedEntry(record)).some(isNumeric))
    if (hasNumbers || below.length > 1)
      return { offset: head.start, line: head.line, names, isBelowBlank: true }
  }
  return null
}

/** Up to 50 rows of the first table above a possible header: titles with one text are left out, and what is known to be no row. */
function rowsAbove(block: Block, row: number): string[][] {
  const rows: string[][] = []
  for (let at = row - 1; at >= Math.max(0, row - 50); at--) {
    if (block.out.rows.has(at)) continue
    const cells = block.row(at)
    if (countFilled(cells) > 1) rows.push(cells)
  }
  return rows
}

/** Marks what is right above a second table with one text in each record, and returns where that begins. */
function markTitles(block: Block, offset: number): number {
  let top = offset
  for (const entry of block.above(offset)) {
    const isTitle = entry.row !== 0 && countFilled(block.cells(entry)) === 1
    if (!isTitle || block.isMarked(entry)) break
    block.mark(entry, FOOTNOTE)
    top = entry.start
  }
  return top
}

function countFilled(cells: readonly string[]): number {
  return cells.filter((cell) => cell !== '').length
}

/** Whether a blank line stands above a record, or above a few lines with one text each that stand above it. */
function isBelowBlank(bytes: Uint8Array, start: number, delimiter: number): boolean {
  let end = start
  for (let titles = 0; titles <= MOST_TITLES && end > 0; titles++) {
    if (bytes[end - 1] === LINE_FEED) end--
    if (bytes[end - 1] === CARRIAGE_RETURN && end > 0) end--
    let from = end
    while (from > 0 && bytes[from - 1] !== LINE_FEED && bytes[from - 1] !== CARRIAGE_RETURN) from--
    const filled = countTexts(bytes, from, end, delimiter)
    if (filled !== 1) return filled === 0 && from > 0
    end = from
  }
  return false
}

/** Cells of a line that hold more than spaces and quotes. */
function countTexts(bytes: Uint8Array, from: number, end: number, delimiter: number): number {
  let texts = 0
  let isFilled = false
  for (let at = from; at < end; at++) {
    const byte = bytes[at]
    if (byte === delimiter) isFilled = false
    else if (!isFilled && byte !== SPACE && byte !== 0x22) {
      isFilled = true
      texts++
    }
  }
  return texts
}
