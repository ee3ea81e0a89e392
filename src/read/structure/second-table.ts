/**
 * A second table below the first, with its own header: its names are in number columns of the first table, or its records
 * have another width. Below a blank record it is left out, and the report says so; without one its records count as lost,
 * as only its header shows that it is a table.
 */

import type { Fault } from '../report/quarantine.ts'
import { type Block, CARRIAGE_RETURN, isGap, LINE_FEED, SMALL, SPACE } from './block.ts'
import { isMissingMark, isMoment, isNumeric, isSeries, plainText } from './cell-kinds.ts'
import { FOOTNOTE } from './footnotes.ts'
import { isForeign, learnTypical, type TypicalRows } from './typical-rows.ts'

/** The most titles above the header of a second table. */
const MOST_TITLES = 5

/** Values that make a number column. */
const LEAST_VALUES = 2
/** Rows that prove a number column if no blank record shows that another table begins. */
const PROVING_VALUES = 3

type Start = Readonly<{ offset: number; line: number; names: readonly string[]; isBelowBlank: boolean }>

export class SecondTable {
  /** Where the first second table begins, and the names of its columns. */
  start: { readonly line: number; readonly names: readonly string[] } | null = null
  /** Where the rows of the first table end in the last block. */
  readonly tops: number[] = []
  /** Number of records left out for it. */
  records = 0
  readonly #names: readonly string[]
  /** Possible first cells of a changed header: the names, and blank if the names are years. */
  readonly #firsts: readonly Uint8Array[]
  /** Their first bytes, letters in lower case. */
  readonly #firstBytes = new Uint8Array(256)
  readonly #fault: Fault & { isLayout?: true } = { reason: 'second_table', column: null, isLayout: true }
  #isActive = false

  constructor(names: readonly string[]) {
    this.#names = names
    const firsts = names.map((name) => name.trim()).filter((name) => name !== '')
    this.#firsts = (isSeries(names) ? ['', ...firsts] : firsts).map((name) => new TextEncoder().encode(name))
    for (const [first = SPACE] of this.#firsts) this.#firstBytes.fill(1, first | SMALL, (first | SMALL) + 1)
  }

  /**
   * @param block with the repeated headers marked @param typical rows of the first table, from the beginning of the file
   */
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

  /** A second table as long as the first one, or longer, isn't an appendix: its records count as lost. */
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

  /** Finds a header among the rows: it has texts, or years, above number columns. */
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
      // Checks the first byte in a number column: not a digit, sign or blank.
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
    for (const entry of block.above(end)) {
      if (entry.start < start) return
      block.mark(entry, this.#fault)
      this.records++
    }
  }
}

/** Finds a header among the records of another width, with records of its width below it. */
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

/** Up to 50 rows of the first table above a possible header, without single-text titles and records that are not rows. */
function rowsAbove(block: Block, row: number): string[][] {
  const rows: string[][] = []
  for (let at = row - 1; at >= Math.max(0, row - 50); at--) {
    if (block.out.rows.has(at)) continue
    const cells = block.row(at)
    if (countFilled(cells) > 1) rows.push(cells)
  }
  return rows
}

/** Marks records with a single text right above a second table, and returns the offset of the first one. */
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

/** Whether a blank line is above a record, or above the few lines with a single text that precede it. */
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

/** The number of a line's cells with more than spaces and quotes. */
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

function isHeaderLike(names: readonly string[]): boolean {
  return (
    names.length > 1 &&
    new Set(names.map(plainText)).size === names.length &&
    names.every((name) => /\p{L}/u.test(name) && !isNumeric(name) && !isMissingMark(name))
  )
}

function isHeaderBelowBlank(
  cells: readonly string[],
  next: readonly string[],
  typical: TypicalRows,
): boolean {
  const { columns, first } = typical
  const isOver = (text: string, column: number) =>
    text !== '' && columns[column]?.isNumeric === true && columns[column].values >= LEAST_VALUES
  const hasNumbers = next.some((cell, column) => isNumeric(cell) && cells[column] !== '')
  // Every row has its name, but this one has years instead.
  if (cells.some(isNumeric)) {
    const isYearName = (text: string, at: number) =>
      isMoment(text) && columns[at]?.isNumeric === true && !columns[at].hasYears
    const areYears = cells.every((cell, at) => cell === '' || isYearName(cell, at))
    return cells[0] === '' && first === 0 && hasNumbers && areYears
  }
  if (!cells.some(isOver)) return false
  if (hasNumbers) return true
  // Words for missing values repeat, and signatures leave columns out.
  const isNamed = !cells.some((cell, at) => cell === '' && columns[at]?.isNumeric)
  return isNamed && isForeign(next, typical) && !next.some((cell, at) => cell !== '' && cell === cells[at])
}

/**
 * Whether a record among rows is a header: it has a text in every number column, at least two, and numbers follow. It could
 * as well be a row with words for missing values, unless these are three or more different words, one is a name of the
 * first header, or the row below it begins with another kind of cell than all rows above, or with the same cell as one of
 * them.
 */
function isHeaderAmong(
  cells: readonly string[],
  next: readonly string[],
  above: readonly (readonly string[])[],
  names: readonly string[],
): boolean {
  if (cells.some((cell) => cell === '' || isNumeric(cell))) return false
  const numeric = learnTypical(above, cells.length).columns.flatMap(({ isNumeric: isNumber, values }, at) =>
    isNumber && values >= PROVING_VALUES ? [at] : [],
  )
  if (numeric.length < 2 || !numeric.every((column) => isNumeric(next[column] as string))) return false
  const firsts = above.map(([first = '']) => first)
  const [label = ''] = next
  return (
    // Three different words in one row can't all mean a missing value.
    numeric.length > 2 ||
    cells.some((cell, at) => plainText(cell) === plainText(names[at] ?? '')) ||
    firsts.every((first) => isNumeric(first) !== isNumeric(label)) ||
    (new Set(firsts).size === firsts.length && firsts.includes(label))
  )
}

/**
 * Whether a record is the first header in another order, or with other years, so that the values below it belong to other
 * columns. Most of its cells are names, or it has the first header's names with other years. Years without names are a
 * header if every row has a name.
 * @param names of the first header
 */
function isChangedHeader(cells: readonly string[], names: readonly string[], typical: TypicalRows): boolean {
  const texts = cells.map(plainText)
  const known = names.map(plainText)
  if (isSeries(known)) {
    const years = known.flatMap((name, at) => (isMoment(name) ? [at] : []))
    if (years.length < 2 || !years.every((at) => isMoment(texts[at] ?? ''))) return false
    if (years.some((at) => typical.columns[at]?.hasYears)) return false
    const labels = known.flatMap((name, at) => (isMoment(name) ? [] : [at]))
    if (labels.every((at) => texts[at] === '')) return typical.first === 0 && isSeries(texts)
    return labels.every((at) => texts[at] === known[at])
  }
  const own = new Set(known.filter((name) => name !== ''))
  const filled = texts.filter((text) => text !== '')
  const shared = filled.filter((text) => own.has(text)).length
  return isHeaderLike(filled) && shared > 1 && shared * 2 > filled.length
}
