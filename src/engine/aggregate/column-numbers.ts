/** The numbers of a column as whole numbers in units of its last decimal place, so that their sums are exact. */

import { entryText } from '../filter/entry-search.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import { type Kept, MemoryFullError, MemoryRefusedError } from '../memory/regions.ts'
import { Scratch } from '../memory/scratch.ts'
import { blocksOf, type Work } from '../turns.ts'
import { type Decimal, digitsAt, parseDecimal } from './decimal.ts'

/** Numbers to add up. A sum has `limbs` parts of eight bytes: one if it fits, else each part sums 32 bits of the numbers. */
export interface ColumnNumbers {
  readonly places: number
  readonly limbs: number
  /** The greatest possible sum, in units. */
  readonly most: bigint
  /** Whether they are stored by code, by row, or not at all but parsed for each block. */
  readonly kind: 'byCode' | 'byRow' | 'parsed'
  /** Address of the numbers, and bytes of each. */
  readonly at: number
  readonly width: number
}

/** Properties of numbers that are kept by row. */
type Scale = Pick<ColumnNumbers, 'places' | 'width'> & { readonly greatest: bigint }

const scales = new WeakMap<Kept, Scale>()

const ENTRIES = 2 ** 17
const FEW_ENTRIES = 2 ** 11

/** With less than one row per this many entries, each row's number is parsed instead of all entries. */
const FEW_ROWS = 4

/** Numbers are kept by row when a query reads at least one row in this many. */
const MANY_ROWS = 2

/**
 * The numbers of a column: by code, or by row where there are so many values that reading by code would visit memory at
 * random. Numbers by row are kept like orders.
 * @param rows the most numbers in a sum
 * @throws DamagedFileError when the dictionary does not load
 */
export function* readColumnNumbers(
  dataset: OpenDataset,
  column: number,
  rows: number,
  scratch: Scratch,
): Work<ColumnNumbers> {
  const { distinct, type, codeWidth } = dataset.columns[column]!
  const known = dataset.orders.use(keyOf(column))
  if (known) return numbersByRow(known, rows, scratch)
  const places = type === 'integer' ? 0 : yield* findPlaces(dataset, column)
  const greatest = places < 0 ? null : greatestOf(dataset, column, places)
  if (greatest === null || greatest >= 2n ** 63n)
    return yield* readLongNumbers(dataset, column, rows, scratch)
  const most = greatest * BigInt(rows)
  const limbs = limbsFor(most)
  if (rows * FEW_ROWS < distinct) return { kind: 'parsed', places, limbs, most, at: 0, width: 8 }
  const width = limbs === 1 && greatest < 2n ** 31n ? 4 : 8
  const at = scratch.allocate((distinct + 1) * width)
  dataset.regions.bytes.fill(0, at, at + width)
  const offsets = dataset.segment(column, 'offsets')
  const heap = dataset.segment(column, 'heap')
  yield* overEntries(distinct, ENTRIES, (from, until) =>
    dataset.kernel.readNumbers(offsets, heap, from, until, places, width, at),
  )
  const kept =
    codeWidth === 4 && rows * MANY_ROWS >= dataset.rows
      ? yield* keepByRow(dataset, column, at, { places, width, greatest })
      : null
  return kept ? numbersByRow(kept, rows, scratch) : { kind: 'byCode', places, limbs, most, at, width }
}

function limbsFor(most: bigint): number {
  return most < 2n ** 63n ? 1 : 2
}

function keyOf(column: number): string {
  return `numbers of ${column}`
}

function numbersByRow(kept: Kept, rows: number, scratch: Scratch): ColumnNumbers {
  scratch.hold(kept)
  const { places, width, greatest } = scales.get(kept)!
  const most = greatest * BigInt(rows)
  return { kind: 'byRow', places, limbs: limbsFor(most), most, at: kept.at, width }
}

/** Writes each row's number, from a table by code, in turns; null where there is no memory for them. */
function* keepByRow(dataset: OpenDataset, column: number, table: number, scale: Scale): Work<Kept | null> {
  const { rows, kernel, orders } = dataset
  const { width } = scale
  const key = keyOf(column)
  const codes = dataset.segment(column, 'codes')
  using scratch = new Scratch(dataset)
  try {
    const at = scratch.allocate(rows * width)
    for (const [from, until] of blocksOf(rows)) {
      kernel.pickNumbers(table, width, codes + from * 4, until - from, at + from * width)
      yield
    }
    const kept = orders.use(key) ?? orders.keep(key, scratch.keep(at), rows * width, rows)
    scales.set(kept, scale)
    return kept
  } catch (error) {
    if (error instanceof MemoryFullError || error instanceof MemoryRefusedError) return null
    throw error
  }
}

/** Does work on the entries of a dictionary, `most` at a time: codes `from` to `until`, not included. */
function* overEntries(
  distinct: number,
  most: number,
  work: (from: number, until: number) => void,
): Work<void> {
  for (let from = 1; from <= distinct; from += most) {
    work(from, Math.min(from + most, distinct + 1))
    yield
  }
}

/** The most decimal places of an entry; -1 where one has an exponent. */
function* findPlaces(dataset: OpenDataset, column: number): Work<number> {
  const { distinct } = dataset.columns[column]!
  const offsets = dataset.segment(column, 'offsets')
  const heap = dataset.segment(column, 'heap')
  let most = 0
  yield* overEntries(distinct, ENTRIES, (from, until) => {
    if (most < 0) return
    const places = dataset.kernel.mostPlaces(offsets, heap, from, until)
    most = places < 0 ? -1 : Math.max(most, places)
  })
  return most
}

/** The greatest absolute value, in units: that of the first or the last number. */
function greatestOf(dataset: OpenDataset, column: number, places: number): bigint {
  const { distinct } = dataset.columns[column]!
  if (distinct === 0) return 0n
  const first = digitsAt(parseDecimal(entryText(dataset, column, 1)), places)
  const last = digitsAt(parseDecimal(entryText(dataset, column, distinct)), places)
  return -first > last ? -first : last < 0n ? -last : last
}

function* readLongNumbers(
  dataset: OpenDataset,
  column: number,
  rows: number,
  scratch: Scratch,
): Work<ColumnNumbers> {
  const { distinct } = dataset.columns[column]!
  const numberOf = (code: number): Decimal => parseDecimal(entryText(dataset, column, code))
  let places = 0
  yield* overEntries(distinct, FEW_ENTRIES, (from, until) => {
    for (let code = from; code < until; code++) places = Math.max(places, numberOf(code).places)
  })
  const greatest = greatestOf(dataset, column, places)
  // One more bit for the sign.
  const limbs = Math.max(2, Math.floor(greatest.toString(2).length / 32) + 1)
  const at = scratch.allocate((distinct + 1) * limbs * 4)
  dataset.regions.bytes.fill(0, at, at + limbs * 4)
  yield* overEntries(distinct, FEW_ENTRIES, (from, until) => {
    for (let code = from; code < until; code++) {
      let digits = digitsAt(numberOf(code), places)
      for (let limb = 0; limb < limbs; limb++, digits >>= 32n)
        dataset.regions.words[at / 4 + code * limbs + limb] = Number(digits & 0xffffffffn)
    }
  })
  return { kind: 'byCode', places, limbs, most: greatest * BigInt(rows), at, width: 0 }
}
