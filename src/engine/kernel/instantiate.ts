/**
 * The kernel: the engine's inner loops over codes, bit masks, row numbers and bytes in one linear memory, written in
 * AssemblyScript (https://www.assemblyscript.org) in `assembly/` and compiled by `build/kernel.ts`; and its functions
 * as TypeScript sees them.
 *
 * Pointers are unsigned 32-bit and may lie above 2 GiB. A mask holds one bit per row (or per code), least significant
 * bit first, in words of 64; one over rows ends with a whole line of 64 bytes, zero behind the last row. Codes are padded so that whole words of rows can be read, and every region has 64 bytes
 * of slack behind it, because bytes are read and copied 16 at a time.
 */

import { readFileSync } from 'node:fs'
import kernelFile from './kernel.wasm' with { type: 'file' }

/** How a scan combines with what the mask already holds. */
export const SCAN = { set: 0, and: 1, andNot: 2 } as const
export type ScanMode = (typeof SCAN)[keyof typeof SCAN]

/**
 * Pointers are unsigned. JavaScript hands them over as they are, but receives them signed: a returned pointer needs
 * `>>> 0`. The comments in `assembly/` say what each function does.
 */
export interface Kernel {
  scanRange(
    codes: number,
    width: number,
    from: number,
    to: number,
    low: number,
    span: number,
    mask: number,
    mode: ScanMode,
  ): void
  scanTable(
    codes: number,
    width: number,
    from: number,
    to: number,
    table: number,
    mask: number,
    mode: ScanMode,
  ): void
  fillBits(mask: number, low: number, high: number): void
  clearTail(mask: number, size: number): void
  countBits(mask: number, from: number, to: number): number
  intersect(masks: number, count: number, lines: number, target: number): number
  setBits(mask: number, rows: number, count: number): void
  retainMasked(rows: number, count: number, mask: number): number
  retainListed(rows: number, count: number, others: number, otherCount: number): number
  findBit(mask: number, words: number, skip: number): number
  collect(mask: number, from: number, words: number, rows: number, most: number): number
  enumerate(rows: number, from: number, count: number): void
  walkOrder(
    order: number,
    from: number,
    to: number,
    mask: number,
    skip: number,
    found: number,
    most: number,
    rows: number,
  ): number
  walkSkipLeft(): number
  walkFoundSoFar(): number
  countCodes(codes: number, width: number, ranks: number, from: number, to: number, counts: number): void
  foldCounts(width: number, ranks: number, counts: number): void
  countMasked(codes: number, width: number, mask: number, from: number, to: number, counts: number): void
  countListed(codes: number, width: number, rows: number, size: number, counts: number): void
  sumCodes(counts: number, top: number, descending: number): void
  moveByCode(
    codes: number,
    width: number,
    ranks: number,
    rows: number,
    from: number,
    to: number,
    starts: number,
    out: number,
  ): void
  joinCodes(
    codes: number,
    width: number,
    ranks: number,
    top: number,
    descending: number,
    from: number,
    to: number,
    size: number,
    isFirst: number,
    joint: number,
  ): void
  largestCount(counts: number, top: number): number
  rowsInLarger(counts: number, top: number, size: number): number
  sortLargeTies(
    order: number,
    ends: number,
    top: number,
    descending: number,
    from: number,
    most: number,
    size: number,
    settled: number,
    columns: number,
    columnsEnd: number,
    scratch: number,
    largest: number,
  ): number
  tieReached(): number
  nextUnsettled(settled: number, from: number, to: number): number
  settleTies(
    order: number,
    count: number,
    settled: number,
    from: number,
    to: number,
    most: number,
    leading: number,
    deciding: number,
    columnsEnd: number,
    scratch: number,
    largest: number,
  ): number
  placeReached(): number
  appendKeys(
    codes: number,
    width: number,
    ranks: number,
    top: number,
    descending: number,
    rows: number,
    from: number,
    to: number,
    size: number,
    isFirst: number,
    keys: number,
  ): void
  countDigits(keys: number, from: number, to: number, shift: number, digits: number, counts: number): void
  sumCounts(counts: number, size: number): void
  moveByDigit(
    keys: number,
    order: number,
    from: number,
    to: number,
    shift: number,
    digits: number,
    starts: number,
    out: number,
  ): void
  positionsToRows(order: number, count: number, rows: number): void
  findText(
    heap: number,
    offsets: number,
    entry: number,
    entries: number,
    from: number,
    to: number,
    needle: number,
    length: number,
    table: number,
  ): number
  textEntryReached(): number
  findWord(
    heap: number,
    offsets: number,
    entry: number,
    entries: number,
    most: number,
    word: number,
    length: number,
    folds: number,
    count: number,
    found: number,
    doubts: number,
  ): number
  renderJson(
    fields: number,
    fieldCount: number,
    rows: number,
    count: number,
    out: number,
    limit: number,
    end: number,
  ): number
  renderCsv(
    fields: number,
    fieldCount: number,
    rows: number,
    count: number,
    out: number,
    limit: number,
    delimiter: number,
  ): number
  rowsRendered(): number
  readCodes(codes: number, width: number, rows: number, from: number, count: number, out: number): void
  joinGroups(
    codes: number,
    table: number,
    nulls: number,
    size: number,
    isFirst: number,
    count: number,
    groups: number,
  ): void
  joinKeys(
    codes: number,
    table: number,
    nulls: number,
    size: number,
    isFirst: number,
    count: number,
    keys: number,
  ): void
  groupsToKeys(groups: number, count: number, keys: number): void
  findKeys(
    keys: number,
    count: number,
    table: number,
    mask: number,
    keysOf: number,
    known: number,
    groups: number,
  ): number
  placeKeys(keysOf: number, from: number, to: number, table: number, mask: number): void
  splitKeys(keys: number, from: number, to: number, size: number, out: number): void
  pickByKey(values: number, keys: number, from: number, to: number, out: number): void
  listGroups(counts: number, from: number, to: number, list: number, listed: number): number
  countRows(groups: number, count: number, counts: number): void
  countPresent(groups: number, codes: number, count: number, counts: number): void
  keepLeast(groups: number, codes: number, count: number, least: number): void
  keepGreatest(groups: number, codes: number, count: number, greatest: number): void
  addNumbers(groups: number, codes: number, count: number, numbers: number, width: number, sums: number): void
  addLimbs(groups: number, codes: number, count: number, numbers: number, limbs: number, sums: number): void
  countNew(
    groups: number,
    codes: number,
    ranks: number,
    count: number,
    size: number,
    seen: number,
    counts: number,
  ): void
  beginRuns(counts: number, from: number, to: number, sum: number, starts: number): number
  moveToRuns(groups: number, codes: number, count: number, starts: number, runs: number): void
  countMarked(runs: number, from: number, to: number, ranks: number, marks: number, mark: number): number
  countBuckets(
    runs: number,
    from: number,
    to: number,
    prefix: number,
    shift: number,
    bits: number,
    counts: number,
  ): void
  findMiddles(
    runs: number,
    starts: number,
    ends: number,
    from: number,
    to: number,
    most: number,
    budget: number,
    middles: number,
  ): number
  mostPlaces(offsets: number, heap: number, from: number, to: number): number
  readNumbers(
    offsets: number,
    heap: number,
    from: number,
    to: number,
    places: number,
    width: number,
    numbers: number,
  ): void
  readListedNumbers(
    offsets: number,
    heap: number,
    codes: number,
    count: number,
    places: number,
    numbers: number,
  ): void
}

/** Compiled once per process; its machine code is shared by all datasets. */
const compiled = new WebAssembly.Module(readFileSync(kernelFile))

/** A kernel working on `memory`. */
export function instantiateKernel(memory: WebAssembly.Memory): Kernel {
  const instance = new WebAssembly.Instance(compiled, { env: { memory } })
  return instance.exports as unknown as Kernel
}
