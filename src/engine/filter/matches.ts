/**
 * Which rows a query's filters match: a bit mask and its total. Queries differ, but their conditions recur (the same
 * country, another month), so a mask is kept for each condition. A combination is the intersection of masks, which takes
 * tens of microseconds for millions of rows; it is kept too, for the next page of the same query.
 */

import { maskBytes, maskLines, maskWords, type OpenDataset } from '../memory/open-dataset.ts'
import type { Kept, KeptRegions } from '../memory/regions.ts'
import { Scratch } from '../memory/scratch.ts'
import type { Filter } from '../row-query.ts'
import type { Work } from '../turns.ts'
import { type ColumnCondition, type Condition, isWordCondition, keyOf, planFilters } from './plan.ts'
import { SCAN, scanCost, scanInto, scanWord } from './scans.ts'

/** Matching rows. The mask may be gone after they are disposed of. */
export interface Matches extends Disposable {
  /** Address of the mask, or of the ascending row numbers where they are few; both 0: every row matches, or none. */
  readonly mask: number
  readonly rows: number
  readonly total: number
  /** Names the matching rows; the same for filters that mean the same. */
  readonly key: string
}

/** A mask is replaced by row numbers when it takes at least this many times their bytes. */
const LIST_GAIN = 8

/**
 * The rows that all filters match.
 * @throws DamagedFileError when a segment does not load
 */
export function* findMatches(dataset: OpenDataset, filters: readonly Filter[]): Work<Matches> {
  const { nothing, conditions, key } = planFilters(dataset, filters)
  const { rows } = dataset
  if (nothing || rows === 0 || conditions.length === 0)
    return { mask: 0, rows: 0, total: nothing ? 0 : rows, key, [Symbol.dispose]() {} }
  let kept = useKept(dataset, conditions, key)
  while (!kept && dataset.building) {
    yield dataset.building
    kept = useKept(dataset, conditions, key)
  }
  const found = kept ?? (yield* workAlone(dataset, 'building', () => buildMatches(dataset, conditions, key)))
  const { at, count } = found
  const isList = isKeptAsList(dataset, count)
  return {
    mask: isList ? 0 : at,
    rows: isList ? at : 0,
    total: count,
    key,
    [Symbol.dispose]: () => found[Symbol.dispose](),
  }
}

function isKeptAsList({ rows }: OpenDataset, total: number): boolean {
  return total * 4 * LIST_GAIN <= maskBytes(rows)
}

/** Does work while `dataset.building` or `dataset.grouping` keeps other work of the kind from starting. */
export function* workAlone<T>(
  dataset: OpenDataset,
  kind: 'building' | 'grouping',
  work: () => Work<T>,
): Work<T> {
  const { promise, resolve } = Promise.withResolvers<void>()
  dataset[kind] = promise
  try {
    return yield* work()
  } finally {
    dataset[kind] = null
    resolve()
  }
}

/** Matches that are kept, or quickly made from what is kept. */
function useKept(dataset: OpenDataset, conditions: readonly Condition[], key: string): Kept | undefined {
  const { masks, combinations } = dataset
  if (conditions.length === 1) return masks.use(key)
  const combination = combinations.use(key)
  if (combination || !conditions.every((condition) => masks.has(condition.key))) return combination
  using used = new DisposableStack()
  const parts = conditions.map((condition) => used.use(masks.use(condition.key)!))
  return keepShared(dataset, parts, key)
}

/** Makes and keeps the combination of all parts. */
function keepShared(dataset: OpenDataset, parts: readonly Kept[], key: string): Kept {
  const fewestFirst = parts.toSorted((a, b) => a.count - b.count)
  if (isKeptAsList(dataset, fewestFirst[0]!.count)) return keepSharedList(dataset, fewestFirst, key)
  const { mask, total } = intersect(dataset, fewestFirst)
  return keepMask(dataset, dataset.combinations, key, mask, total)
}

/** The same where the first part is a list: its rows are looked up in the others. */
function keepSharedList(dataset: OpenDataset, [first, ...others]: readonly Kept[], key: string): Kept {
  const { combinations, kernel, regions } = dataset
  using scratch = new Scratch(dataset)
  let count = first!.count
  const list = scratch.allocate(count * 4)
  regions.words.copyWithin(list / 4, first!.at / 4, first!.at / 4 + count)
  for (const { at, count: size } of others) {
    if (isKeptAsList(dataset, size)) count = kernel.retainListed(list, count, at, size)
    else count = kernel.retainMasked(list, count, at)
  }
  const kept = count === 0 ? 0 : regions.allocate(count * 4)
  regions.words.copyWithin(kept / 4, list / 4, list / 4 + count)
  return combinations.keep(key, kept, count * 4, count)
}

/** Takes over a mask with `total` rows in it, as it is or as a list. */
function keepMask(dataset: OpenDataset, keep: KeptRegions, key: string, mask: number, total: number): Kept {
  const { kernel, regions, rows } = dataset
  if (!isKeptAsList(dataset, total)) return keep.keep(key, mask, maskBytes(rows), total)
  try {
    const list = total === 0 ? 0 : regions.allocate(total * 4)
    kernel.collect(mask, 0, maskWords(rows), list, total)
    return keep.keep(key, list, total * 4, total)
  } finally {
    regions.release(mask)
  }
}

/** A new mask of the rows that are in all of the parts. */
function intersect(dataset: OpenDataset, parts: readonly Kept[]): { mask: number; total: number } {
  const { kernel, regions, rows } = dataset
  using scratch = new Scratch(dataset)
  const addresses = scratch.allocate(parts.length * 4)
  const mask = regions.allocate(maskBytes(rows))
  for (const [i, { at }] of parts.entries()) regions.words[addresses / 4 + i] = at
  return { mask, total: kernel.intersect(addresses, parts.length, maskLines(rows), mask) >>> 0 }
}

function* buildMatches(dataset: OpenDataset, conditions: readonly Condition[], key: string): Work<Kept> {
  using used = new DisposableStack()
  const parts: Kept[] = []
  const missing: Condition[] = []
  for (const condition of conditions) {
    const part = dataset.masks.use(condition.key)
    if (part) parts.push(used.use(part))
    else missing.push(condition)
  }
  const late: ColumnCondition[] = []
  for (const condition of missing.sort((a, b) => scanCost(dataset, a) - scanCost(dataset, b))) {
    // No row can match: the other conditions need no scan.
    if (parts.some(({ count }) => count === 0)) break
    const isFirst = parts.length === 0 || isWordCondition(condition)
    if (!isFirst && mayStayUnkept(dataset, condition)) late.push(condition)
    else {
      const part = yield* buildMask(dataset, condition)
      if (conditions.length === 1) return part
      parts.push(used.use(part))
    }
  }
  return late.length === 0 ? keepShared(dataset, parts, key) : yield* scanLate(dataset, parts, late, key)
}

/**
 * A new condition on wide codes may never be used again, so it is tested only in the rows that match the other conditions,
 * which can be few.
 */
function mayStayUnkept(dataset: OpenDataset, { column, test, key }: ColumnCondition): boolean {
  if (dataset.columns[column]!.codeWidth === 1 || test.kind === 'contains') return false
  if (dataset.asked.has(key)) return false
  dataset.asked.keep(key, 0, 0, 0)
  return true
}

/** Makes and keeps the combination of kept parts and of conditions that are not kept. */
function* scanLate(
  dataset: OpenDataset,
  parts: readonly Kept[],
  late: readonly ColumnCondition[],
  key: string,
): Work<Kept> {
  let { mask, total } = maskOf(dataset, parts)
  using held = new DisposableStack()
  held.defer(() => dataset.regions.release(mask))
  for (const condition of late) if (total > 0) total = yield* scanInto(dataset, condition, mask, SCAN.and)
  held.move()
  return keepMask(dataset, dataset.combinations, key, mask, total)
}

/** A new mask of the rows that are in all of the parts, whether those are masks or lists. */
function maskOf(dataset: OpenDataset, parts: readonly Kept[]): { mask: number; total: number } {
  const { kernel, regions, rows } = dataset
  const fewestFirst = parts.toSorted((a, b) => a.count - b.count)
  if (!isKeptAsList(dataset, fewestFirst[0]!.count)) return intersect(dataset, fewestFirst)
  using shared = parts.length === 1 ? null : keepSharedList(dataset, fewestFirst, keyOf(parts))
  const list = shared ?? parts[0]!
  const mask = regions.allocate(maskBytes(rows))
  regions.bytes.fill(0, mask, mask + maskBytes(rows))
  kernel.setBits(mask, list.at, list.count)
  return { mask, total: list.count }
}

function* buildMask(dataset: OpenDataset, condition: Condition): Work<Kept> {
  using scratch = new Scratch(dataset)
  const mask = scratch.allocate(maskBytes(dataset.rows))
  const total = isWordCondition(condition)
    ? yield* scanWord(dataset, condition, mask)
    : yield* scanInto(dataset, condition, mask, SCAN.set)
  return keepMask(dataset, dataset.masks, condition.key, scratch.keep(mask), total)
}

/** Writes up to `most` matching row numbers from `from` on, in file order, to address `rows`. @returns how many */
export function gatherRows(
  dataset: OpenDataset,
  { mask, rows: list, total }: Matches,
  from: number,
  rows: number,
  most: number,
): number {
  if (total === 0 || from >= dataset.rows) return 0
  const { kernel } = dataset
  if (mask !== 0) return kernel.collect(mask, from, maskWords(dataset.rows), rows, most)
  if (list === 0) {
    const count = Math.min(most, dataset.rows - from)
    kernel.enumerate(rows, from, count)
    return count
  }
  const { words } = dataset.regions
  let first = 0
  for (let high = total; first < high; ) {
    const middle = (first + high) >> 1
    if (words[list / 4 + middle]! < from) first = middle + 1
    else high = middle
  }
  const count = Math.min(most, total - first)
  words.copyWithin(rows / 4, list / 4 + first, list / 4 + first + count)
  return count
}
