/**
 * The order of all rows where the leading columns of a sort tell most of them apart. All rows are sorted by those, in one
 * pass. Rows that tie in them are put in order by the remaining columns only where a page reads them, and stay so. A page
 * reads a handful of rows, so the first page of a sort by three columns costs hardly more than that of a sort by one. Ties
 * of very many rows, which would keep a page waiting, are put in order at once.
 */

import { maskBytes, type OpenDataset } from '../memory/open-dataset.ts'
import { Scratch } from '../memory/scratch.ts'
import type { Work } from '../turns.ts'
import {
  countCodes,
  joinColumns,
  jointSize,
  MOST_JOINT_CODES,
  moveByCode,
  type SortColumn,
} from './sort-passes.ts'

/** A single column leads when it has at least one value per this many rows. */
const MOST_ROWS_PER_VALUE = 32
/** The rows of one tie are sorted within one turn; where more rows tie, all columns are sorted in passes. */
const LARGEST_TIE = 2 ** 19
/** Ties of more rows are put in order at once; others take a millisecond or two when first read. */
const LARGEST_LEFT = 2 ** 16
/** Where more than this fraction of the rows is in such ties, passes are faster. */
const MOST_IN_LARGE = 0.5
/** Rows sorted between two yields, at least. */
const ROWS_AT_A_TIME = 2 ** 16

const COUNTER_BYTES = 4 * 2048
const ELEMENT_BYTES = 8
const COLUMN_BYTES = 24
const ALIGNMENT = 64

/** What is not yet in order among rows that tie in the leading columns. */
export interface Ties {
  readonly leading: readonly SortColumn[]
  readonly deciding: readonly SortColumn[]
  /** Address of a mask of the places in the order whose row is final. */
  readonly settled: number
  /** Upper bound on the rows in one tie. */
  readonly largest: number
}

/** Row numbers in a region of `bytes` bytes, in order except for ties. */
export interface SortedRows {
  readonly at: number
  readonly bytes: number
  readonly ties: Ties | null
}

/** All rows, sorted by the leading columns; null, and nothing kept, when that would not be faster. */
export function* sortByLeading(
  dataset: OpenDataset,
  columns: readonly SortColumn[],
): Work<SortedRows | null> {
  const leading = findLeading(dataset, columns)
  if (leading.length === 0) return null
  const { kernel, regions, rows } = dataset
  using scratch = new Scratch(dataset)
  const lead = leading.length === 1 ? leading[0]! : yield* joinColumns(dataset, leading, scratch)
  const counts = yield* countCodes(dataset, lead, 0, scratch)
  const largest = kernel.largestCount(counts.all, lead.top)
  const inLarge = kernel.rowsInLarger(counts.all, lead.top, LARGEST_LEFT)
  if (largest > LARGEST_TIE || inLarge > rows * MOST_IN_LARGE) return null
  const mask = Math.ceil((rows * 4) / ALIGNMENT) * ALIGNMENT
  const bytes = largest < 2 ? rows * 4 : mask + maskBytes(rows)
  const at = scratch.allocate(bytes)
  yield* moveByCode(dataset, lead, counts, { rows: 0, spare: at }, scratch)
  let ties: Ties | null = null
  if (largest > 1) {
    regions.bytes.fill(0, at + mask, at + bytes)
    ties = { leading, deciding: columns.slice(leading.length), settled: at + mask, largest }
    if (inLarge > 0) yield* settleLarge(dataset, at, lead, counts.all, ties)
    ties = { ...ties, largest: Math.min(largest, LARGEST_LEFT) }
  }
  return { at: scratch.keep(at), bytes, ties }
}

/** One column of many values, or several of few; none where they would leave too many ties, or none. */
function findLeading({ rows }: OpenDataset, columns: readonly SortColumn[]): readonly SortColumn[] {
  if (columns.length > 1 && columns[0]!.size * MOST_ROWS_PER_VALUE >= rows) return columns.slice(0, 1)
  let length = 0
  while (length < columns.length && jointSize(columns.slice(0, length + 1)) <= MOST_JOINT_CODES) length++
  const leading = columns.slice(0, length)
  return length < columns.length && jointSize(leading) * LARGEST_LEFT >= rows ? leading : []
}

function* settleLarge(
  dataset: OpenDataset,
  order: number,
  { top, descending }: SortColumn,
  ends: number,
  ties: Ties,
): Work<void> {
  const { kernel } = dataset
  using held = new Scratch(dataset)
  const { scratch, deciding, end } = layOut(dataset, ties, held)
  const { settled, largest } = ties
  const [most, least] = [ROWS_AT_A_TIME, LARGEST_LEFT]
  for (let from = 0; from <= top; from = kernel.tieReached()) {
    // biome-ignore format: twelve arguments, one call
    kernel.sortLargeTies(order, ends, top, descending, from, most, least, settled, deciding, end, scratch, largest)
    yield
  }
}

/** Makes the places `from` to `to` of the order at `order` final. */
export function* settle(
  dataset: OpenDataset,
  order: number,
  ties: Ties,
  from: number,
  to: number,
): Work<void> {
  const { kernel, rows } = dataset
  const { settled, largest } = ties
  let place = kernel.nextUnsettled(settled, from, to) >>> 0
  if (place >= to) return
  using held = new Scratch(dataset)
  const { scratch, leading, deciding, end } = layOut(dataset, ties, held)
  const most = ROWS_AT_A_TIME
  for (;;) {
    // biome-ignore format: eleven arguments, one call
    kernel.settleTies(order, rows, settled, place, to, most, leading, deciding, end, scratch, largest)
    place = kernel.placeReached() >>> 0
    if (place >= to) return
    yield
  }
}

/** Allocates what the kernel needs to sort ties, and says where the tables of columns are in it. */
function layOut({ regions }: OpenDataset, { leading, deciding: others, largest }: Ties, held: Scratch) {
  const columns = [...leading, ...others]
  const tieBytes = COUNTER_BYTES + largest * 2 * ELEMENT_BYTES
  const scratch = held.allocate(tieBytes + columns.length * COLUMN_BYTES)
  const table = scratch + tieBytes
  for (const [i, { codes, width, ranks, top, descending, size }] of columns.entries())
    regions.words.set([codes, width, ranks, top, descending, size], (table + i * COLUMN_BYTES) / 4)
  const [deciding, end] = [leading.length, columns.length].map((count) => table + count * COLUMN_BYTES)
  return { scratch, leading: table, deciding: deciding!, end: end! }
}
