/** Tests conditions row by row: passes over the codes of a column set the bits of a mask. */

import { type CodeRange, type CodeRanges, gapsBetween } from '../columns/code-ranges.ts'
import type { KernelCall, Part } from '../kernel/kernel-calls.ts'
import { maskBytes, maskWords, type OpenDataset } from '../memory/open-dataset.ts'
import { runParts } from '../memory/parts.ts'
import { Scratch } from '../memory/scratch.ts'
import { blocksOf, type Work } from '../turns.ts'
import {
  type ColumnCondition,
  type Condition,
  isWordCondition,
  lowestCode,
  textColumns,
  type WordCondition,
} from './plan.ts'
import { entryBlocks, findEntriesWithWord } from './word-search.ts'

/** How a scan combines with what the mask already holds. */
export const SCAN = { set: 0, and: 1, andNot: 2 } as const
type ScanMode = (typeof SCAN)[keyof typeof SCAN]

type Scan =
  /** Keeps codes inside a range, outside of it, or those whose bit is set in a code mask at address `table`. */
  | { readonly kind: 'inside' | 'outside'; readonly range: CodeRange }
  | { readonly kind: 'table'; readonly table: number }

const RANGE_BYTE_COST = 0.05
const TABLE_COST = 2

const TEXT_BLOCK = 4 * 2 ** 20
const TEXT_BYTE_COST = 0.3

/** Sets the mask to the rows that meet the condition, or removes those that do not. Returns how many are in it then. */
export function* scanInto(
  dataset: OpenDataset,
  { column, test }: ColumnCondition,
  mask: number,
  mode: ScanMode,
): Work<number> {
  const { kernel, rows } = dataset
  using scratch = new Scratch(dataset)
  let scans: readonly Scan[]
  if (test.kind === 'ranges') scans = rangeScans(dataset, column, test.ranges, scratch)
  else {
    const table = allocateTable(dataset, column, scratch)
    yield* findContaining(dataset, column, test.texts, table)
    scans = tableScan(dataset, column, table)
  }
  if (scans.length === 0) return 0
  yield* runScans(dataset, column, scans, mask, mode)
  kernel.clearTail(mask, rows)
  return kernel.countBits(mask, 0, maskWords(rows)) >>> 0
}

/** The columns that are searched for a word. */
function searchedColumns(dataset: OpenDataset, { within }: WordCondition): readonly number[] {
  return within === undefined ? textColumns(dataset) : [within]
}

/**
 * Sets the mask to the rows that have the word in any of its columns, and returns how many there are. Scans cannot add to a
 * mask, so rows that have the word are removed from all rows, column by column, and the mask is then inverted.
 */
export function* scanWord(dataset: OpenDataset, condition: WordCondition, mask: number): Work<number> {
  const { kernel, regions, rows } = dataset
  kernel.fillBits(mask, 0, maskBytes(rows) * 8 - 1)
  for (const column of searchedColumns(dataset, condition)) {
    using scratch = new Scratch(dataset)
    const table = allocateTable(dataset, column, scratch)
    yield* findEntriesWithWord(dataset, column, condition.word, table)
    const scans = tableScan(dataset, column, table)
    if (scans.length > 0) yield* runScans(dataset, column, scans, mask, SCAN.andNot)
  }
  const words = regions.words.subarray(mask / 4, (mask + maskBytes(rows)) / 4)
  for (let at = 0; at < words.length; at++) words[at] = ~words[at]!
  kernel.clearTail(mask, rows)
  return kernel.countBits(mask, 0, maskWords(rows)) >>> 0
}

/** Scans block by block, so that the second scan of a column finds its codes in the cache, and threads can share blocks. */
function* runScans(
  dataset: OpenDataset,
  column: number,
  scans: readonly Scan[],
  mask: number,
  mode: ScanMode,
): Work<void> {
  const codes = dataset.segment(column, 'codes')
  const width = dataset.columns[column]!.codeWidth
  const [first] = scans
  if (first!.kind === 'outside' && mode === SCAN.set) dataset.kernel.fillBits(mask, 0, dataset.rows - 1)
  const cost = first!.kind === 'table' && width > 1 ? TABLE_COST : RANGE_BYTE_COST * width
  const parts = blocksOf(dataset.rows).map(([from, to]) => {
    const [start, end] = [maskWords(from), maskWords(to)]
    const calls = scans.map((scan): KernelCall => {
      if (scan.kind === 'table') return ['scanTable', codes, width, start, end, scan.table, mask, mode]
      const [low, high] = scan.range
      const scanMode = scan.kind === 'outside' ? SCAN.andNot : mode
      return ['scanRange', codes, width, start, end, low, high - low, mask, scanMode]
    })
    return { calls, cost: (to - from) * cost }
  })
  yield* runParts(dataset, [...parts])
}

/** The most passes over wide codes that cost no more than one look-up per row. */
const MOST_GAPS = 4

/** Bytes that a condition's scans read per row; a look-up of a wide code in a table counts as four more. */
export function scanCost(dataset: OpenDataset, condition: Condition): number {
  if (isWordCondition(condition)) {
    return searchedColumns(dataset, condition).reduce((sum, column) => sum + tableCost(dataset, column), 0)
  }
  const { column, test } = condition
  const isTable = test.kind === 'contains' || test.ranges.length > 1
  return isTable ? tableCost(dataset, column) : dataset.columns[column]!.codeWidth
}

function tableCost(dataset: OpenDataset, column: number): number {
  const { codeWidth } = dataset.columns[column]!
  return codeWidth > 1 ? codeWidth + 4 : codeWidth
}

/** The cheapest scans for ranges: inside one range, outside one or a few, else one look-up in a table. */
function rangeScans(
  dataset: OpenDataset,
  column: number,
  ranges: CodeRanges,
  scratch: Scratch,
): readonly Scan[] {
  const { distinct, codeWidth } = dataset.columns[column]!
  if (ranges.length === 1) return [{ kind: 'inside', range: ranges[0]! }]
  const gaps = gapsBetween(ranges, lowestCode(dataset, column), distinct)
  if (gaps.length === 1 || (gaps.length <= MOST_GAPS && codeWidth > 1))
    return gaps.map((range) => ({ kind: 'outside', range }))
  const table = allocateTable(dataset, column, scratch)
  for (const [low, high] of ranges) dataset.kernel.fillBits(table, low, high)
  return [{ kind: 'table', table }]
}

function allocateTable({ columns }: OpenDataset, column: number, scratch: Scratch): number {
  // Scans of one-byte codes read 256 bits, however few are in use.
  return scratch.cleared(Math.max(maskWords(columns[column]!.distinct + 1) * 8, 32))
}

/** The scan for a code mask: none when no code passes, and a range where the codes are neighbours, which is faster. */
function tableScan({ columns, kernel }: OpenDataset, column: number, table: number): readonly Scan[] {
  const words = maskWords(columns[column]!.distinct + 1)
  const passing = kernel.countBits(table, 0, words)
  if (passing === 0) return []
  const low = kernel.findBit(table, words, 0)
  const high = kernel.findBit(table, words, passing - 1)
  if (high - low + 1 === passing) return [{ kind: 'inside', range: [low, high] }]
  return [{ kind: 'table', table }]
}

/** Sets the bits of the codes whose folded text contains any of the texts. */
function* findContaining(
  dataset: OpenDataset,
  column: number,
  texts: readonly string[],
  table: number,
): Work<void> {
  const { segments, distinct } = dataset.columns[column]!
  // Without stored folds, every raw text is its own fold.
  const isFolded = segments.fold_heap !== undefined
  const offsets = dataset.segment(column, isFolded ? 'fold_offsets' : 'offsets')
  const heap = dataset.segment(column, isFolded ? 'fold_heap' : 'heap')
  const length = (isFolded ? segments.fold_heap : segments.heap) ?? 0
  for (const folded of texts) {
    const text = Buffer.from(folded, 'utf8')
    if (text.length === 0) dataset.kernel.fillBits(table, 1, distinct)
    if (text.length === 0 || text.length > length) continue
    using scratch = new Scratch(dataset)
    const needle = scratch.allocate(text.length)
    dataset.regions.bytes.set(text, needle)
    const parts = entryBlocks(dataset, offsets, distinct, TEXT_BLOCK).map(([entry, last, from, to]): Part => {
      const end = Math.min(to, length - text.length + 1)
      return {
        calls: [['findText', heap, offsets, entry, last, from, end, needle, text.length, table]],
        cost: (to - from) * TEXT_BYTE_COST,
      }
    })
    yield* runParts(dataset, [...parts])
  }
}
