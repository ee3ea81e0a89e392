/**
 * Compares rows with another table's by hashes of their values, over any choice of columns. A row's hash is the sum of its
 * values' hashes, so it costs an addition per cell and does not depend on the order of columns.
 */

import type { VersionFile } from '../../store/files/open-version.ts'
import { type Codes, codeBlocks, readDictionary } from '../../store/files/open-version.ts'

/** The two halves of the hash of each code of a column; null's is 0. */
export interface EntryHashes {
  readonly low: Int32Array
  readonly high: Int32Array
}

/** One column of the rows to be hashed: the blocks of all lanes of a table have the same lengths. */
export interface HashLane {
  readonly hashes: EntryHashes
  readonly blocks: () => Iterator<Codes>
}

/** The rows of one side of a comparison. */
export interface HashedRows {
  /** How many there are at most. */
  readonly rows: number
  /** Made when the rows are hashed, so only one side's lanes are in memory at a time. */
  readonly lanes: () => readonly HashLane[]
  /** Whether to include a row; left out: all rows. */
  readonly isWanted?: ((row: number) => boolean) | undefined
}

/** For tables with more rows, only every 2nd, 4th, 8th … hash is compared, the same ones on both sides. */
const MOST_HASHES = 4_000_000
/** Bits of a hash that a double holds above the lower 32. */
const HIGH_BITS = 21

/**
 * @param column its name, so that one text in two columns has two hashes
 * @param heap, offsets entry k (from 1) is `heap[offsets[k-1] .. offsets[k])`
 */
export function hashEntries(column: string, heap: Uint8Array, offsets: Uint32Array): EntryHashes {
  const count = Math.max(1, offsets.length)
  const low = new Int32Array(count)
  const high = new Int32Array(count)
  const seed = Bun.hash.xxHash32(column)
  const otherSeed = ~seed >>> 0
  for (let code = 1; code < count; code++) {
    const bytes = heap.subarray(offsets[code - 1], offsets[code])
    low[code] = Bun.hash.xxHash32(bytes, seed)
    high[code] = Bun.hash.xxHash32(bytes, otherSeed)
  }
  return { low, high }
}

/**
 * The rows' hashes, a block at a time; each block is valid until the next. `from`: the place of its first row, from 0;
 * `hashes`: one per row, a whole number below 2^53; `codes`: of each lane. Without lanes there are no rows.
 */
export function* hashRows(lanes: readonly HashLane[]) {
  const iterators = lanes.map(({ blocks }) => blocks())
  let sums = roomFor(0)
  for (let from = 0; iterators.length > 0; ) {
    const codes: Codes[] = []
    for (const iterator of iterators) {
      const { value, done } = iterator.next()
      if (done === true) return
      codes.push(value)
    }
    const rows = codes[0]?.length ?? 0
    if (rows > sums.low.length) sums = roomFor(rows)
    const hashes = addHashes(lanes, codes, rows, sums)
    yield { from, hashes, codes }
    from += hashes.length
  }
}

function roomFor(rows: number) {
  return { low: new Int32Array(rows), high: new Int32Array(rows), hashes: new Float64Array(rows) }
}

function addHashes(
  lanes: readonly HashLane[],
  codes: readonly Codes[],
  rows: number,
  { low, high, hashes }: ReturnType<typeof roomFor>,
): Float64Array {
  low.fill(0)
  high.fill(0)
  for (const [i, { hashes: entries }] of lanes.entries()) {
    const lane = codes[i] as Codes
    for (let row = 0; row < rows; row++) {
      const code = lane[row] as number
      low[row]! += entries.low[code] as number
      high[row]! += entries.high[code] as number
    }
  }
  for (let row = 0; row < rows; row++)
    hashes[row] = ((high[row] as number) >>> (32 - HIGH_BITS)) * 2 ** 32 + ((low[row] as number) >>> 0)
  return hashes.subarray(0, rows)
}

/** One hash in this many is compared, a power of two, so memory stays bounded. */
export function sampleStep(rows: number): number {
  let step = 1
  while (rows / step > MOST_HASHES) step *= 2
  return step
}

/** Whether a hash is in the sample. Its value decides, so two tables agree. */
export function isSampled(hash: number, step: number): boolean {
  return step === 1 || hash % step === 0
}

/** The sampled hashes, ascending. */
export function gatherHashes({ rows, lanes, isWanted = () => true }: HashedRows, step: number): Float64Array {
  let gathered = new Float64Array(Math.ceil((rows / step) * 1.1) + 64)
  let count = 0
  for (const { from, hashes } of hashRows(lanes())) {
    for (let i = 0; i < hashes.length; i++) {
      const hash = hashes[i] as number
      if (!isSampled(hash, step) || !isWanted(from + i)) continue
      if (count === gathered.length) {
        const grown = new Float64Array(2 * count)
        grown.set(gathered)
        gathered = grown
      }
      gathered[count++] = hash
    }
  }
  return gathered.subarray(0, count).sort()
}

/** How many hashes two ascending arrays share; repeated ones count as often as both have them. */
export function countShared(first: Float64Array, second: Float64Array): number {
  let shared = 0
  for (let i = 0, j = 0; i < first.length && j < second.length; ) {
    const a = first[i] as number
    const b = second[j] as number
    if (a === b) shared++
    if (a <= b) i++
    if (b <= a) j++
  }
  return shared
}

/**
 * Compares the rows of two tables.
 * @returns counts of rows that both have or only one has, and their hashes; `sampled` 1: all were compared, n: about one in
 * n, and the counts are multiplied by n
 * @throws DamagedFileError where a side is a version file
 */
export function compareRows(before: HashedRows, now: HashedRows) {
  const sampled = sampleStep(Math.max(before.rows, now.rows))
  const hashes = { before: gatherHashes(before, sampled), now: gatherHashes(now, sampled) }
  const kept = countShared(hashes.before, hashes.now)
  return {
    sampled,
    kept: kept * sampled,
    gone: (hashes.before.length - kept) * sampled,
    new: (hashes.now.length - kept) * sampled,
    hashes,
  }
}

/** Whether an ascending array holds a number. */
export function holds(sorted: Float64Array, wanted: number): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return sorted[low] === wanted
}

/** The rows of a version, by some of its columns. @throws RangeError if it lacks one; DamagedFileError during hashing */
export function storedRows(
  file: VersionFile,
  names: readonly string[],
  isWanted?: HashedRows['isWanted'],
): HashedRows {
  const lanes = () =>
    names.map((name) => {
      const position = file.columns.findIndex((column) => column.name === name)
      const { heap, offsets } = readDictionary(file, position)
      return { hashes: hashEntries(name, heap, offsets), blocks: () => codeBlocks(file, position) }
    })
  return { rows: file.rows, lanes, isWanted }
}
