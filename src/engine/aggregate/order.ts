/** The order of groups: by results, ties by the groups' order. Work in turns, as there may be a million of them. */

import type { Work } from '../turns.ts'
import { compareDecimals, parseDecimal } from './decimal.ts'
import type { Groups, ResultColumn } from './groups.ts'
import type { ResultSort } from './query.ts'

/** Negative where group `a` comes before group `b`. No two groups are equal. */
export type CompareGroups = (a: number, b: number) => number

/** Groups sorted at a time, and what sorting, testing and merging one of them costs. */
const CHUNK = 4096
const SORT_COST = 800
const TEST_COST = 30
const MERGE_COST = 100

/** So few are chosen without sorting all. */
const FEW = 4096

/** Two values whose places differ by less than this share of them may be in another order. */
const NEAR = 1e-9

/** @param keys how many of the results are groups */
export function compareBy(groups: Groups, sort: readonly ResultSort[], keys: number): CompareGroups {
  const byKeys = groups.results.slice(0, groups.isOrdered ? 0 : keys)
  const fields = [
    ...sort.map(({ result, descending }) => ({ column: groups.results[result]!, descending })),
    ...byKeys.map((column) => ({ column, descending: false })),
  ]
  return (a, b) => {
    for (const { column, descending } of fields) {
      const difference = compareResults(column, a, b, descending)
      if (difference !== 0) return difference
    }
    return a - b
  }
}

/** Nulls last, either way. */
function compareResults(
  { placeOf, isExact, textOf }: ResultColumn,
  a: number,
  b: number,
  descending: boolean,
): number {
  const left = placeOf(a)
  const right = placeOf(b)
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right))
  let difference = left < right ? -1 : left > right ? 1 : 0
  if (!isExact && isNear(left, right))
    difference = compareDecimals(parseDecimal(textOf(a)!), parseDecimal(textOf(b)!))
  return descending ? -difference : difference
}

function isNear(left: number, right: number): boolean {
  return left === right || !(Math.abs(left - right) > NEAR * Math.max(Math.abs(left), Math.abs(right)))
}

/** The first `count` of the groups in order. @param chosen numbers of groups, ascending; overwritten */
export function* firstInOrder(chosen: Uint32Array, compare: CompareGroups, count: number): Work<Uint32Array> {
  return count <= FEW && count * 4 < chosen.length
    ? yield* selectFirst(chosen, compare, count)
    : yield* sortGroups(chosen, compare)
}

/** Groups that come before the last of the best so far are gathered, and now and then the best of them are kept. */
function* selectFirst(chosen: Uint32Array, compare: CompareGroups, count: number): Work<Uint32Array> {
  const best = new Uint32Array(count + CHUNK)
  let held = 0
  let worst = -1
  const keepBest = () => {
    best.subarray(0, held).sort(compare)
    held = Math.min(held, count)
    if (held === count && count > 0) worst = best[count - 1]!
  }
  for (let from = 0; from < chosen.length; from += CHUNK) {
    const until = Math.min(from + CHUNK, chosen.length)
    const before = held
    for (let at = from; at < until; at++)
      if (worst < 0 || compare(chosen[at]!, worst) < 0) best[held++] = chosen[at]!
    const gathered = held - before
    if (gathered > 0) keepBest()
    yield (until - from) * TEST_COST + gathered * SORT_COST
  }
  return best.subarray(0, held)
}

/** A merge sort, bottom up. */
function* sortGroups(chosen: Uint32Array, compare: CompareGroups): Work<Uint32Array> {
  for (let from = 0; from < chosen.length; from += CHUNK) {
    chosen.subarray(from, from + CHUNK).sort(compare)
    yield CHUNK * SORT_COST
  }
  let sorted: Uint32Array = chosen
  if (chosen.length <= CHUNK) return sorted
  let spare: Uint32Array = new Uint32Array(chosen.length)
  for (let size = CHUNK; size < chosen.length; size *= 2) {
    for (let from = 0; from < chosen.length; from += 2 * size)
      yield* mergeRuns(sorted, spare, from, Math.min(from + size, chosen.length), size, compare)
    ;[sorted, spare] = [spare, sorted]
  }
  return sorted
}

/** Merges the runs `[from, middle)` and the `size` groups behind it. */
function* mergeRuns(
  source: Uint32Array,
  target: Uint32Array,
  from: number,
  middle: number,
  size: number,
  compare: CompareGroups,
): Work<void> {
  const end = Math.min(middle + size, source.length)
  let left = from
  let right = middle
  for (let at = from; at < end; ) {
    const until = Math.min(at + CHUNK, end)
    for (; at < until; at++) {
      const isLeft = right >= end || (left < middle && compare(source[left]!, source[right]!) < 0)
      target[at] = isLeft ? source[left++]! : source[right++]!
    }
    yield CHUNK * MERGE_COST
  }
}
