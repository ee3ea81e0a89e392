/** The order of groups: by results, ties by the groups' order. It works in turns, since there may be a million groups. */

import type { Work } from '../turns.ts'
import { compareDecimals, type Decimal, parseDecimal } from './decimal.ts'
import { errorOf, type Groups, isNear, type ResultColumn, type ResultSort } from './group-query.ts'

type CompareGroups = (a: number, b: number) => number

interface OrderField {
  readonly column: ResultColumn
  readonly descending: boolean
  readonly places: Float64Array
  readonly known: Map<number, Decimal>
}

const MOST_KNOWN = 2 ** 15

/** Groups worked on at a time: where texts decide, sorting that many takes a few milliseconds. */
const CHUNK = 512
/** Up to `FEW` groups are chosen without sorting all; candidates are read `READ` at a time. */
const FEW = 1024
const READ = 2 ** 14

/**
 * The first `count` groups in order.
 * @param chosen numbers of groups, ascending; overwritten @param keys how many of the results are groups
 */
export function* firstInOrder(
  groups: Groups,
  sort: readonly ResultSort[],
  keys: number,
  chosen: Uint32Array,
  count: number,
): Work<Uint32Array> {
  const fields: OrderField[] = []
  for (const { result, descending } of sort)
    fields.push(yield* readField(groups.results[result]!, descending, groups.count, chosen))
  if (!groups.isOrdered)
    for (const column of groups.results.slice(0, keys))
      fields.push(yield* readField(column, false, groups.count, chosen))
  const compare = compareBy(fields)
  if (count > FEW || count * 4 > chosen.length) return yield* sortGroups(chosen, compare)
  return yield* selectFirst(chosen, fields[0]!, compare, count)
}

function* readField(
  column: ResultColumn,
  descending: boolean,
  count: number,
  chosen: Uint32Array,
): Work<OrderField> {
  const places = new Float64Array(count)
  const read = new Float64Array(READ)
  for (let from = 0; from < chosen.length; from += READ) {
    const part = chosen.subarray(from, from + READ)
    column.readPlaces(part, read)
    for (let i = 0; i < part.length; i++) places[part[i]!] = read[i]!
    yield
  }
  return { column, descending, places, known: new Map() }
}

function compareBy(fields: readonly OrderField[]): CompareGroups {
  return (a, b) => {
    for (const field of fields) {
      const difference = compareResults(field, a, b)
      if (difference !== 0) return difference
    }
    return a - b
  }
}

function compareResults(field: OrderField, a: number, b: number): number {
  const { column, descending, places } = field
  const left = places[a]!
  const right = places[b]!
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right))
  let difference = left < right ? -1 : left > right ? 1 : 0
  if (column.places === 'near' && isNear(left, right))
    difference = column.isSame?.(a, b) ? 0 : compareDecimals(decimalOf(field, a), decimalOf(field, b))
  return descending ? -difference : difference
}

function decimalOf({ column, known }: OrderField, group: number): Decimal {
  let decimal = known.get(group)
  if (decimal === undefined) {
    if (known.size === MOST_KNOWN) known.clear()
    decimal = parseDecimal(column.textOf(group)!)
    known.set(group, decimal)
  }
  return decimal
}

/** Gathers groups that may come before the last of the best so far; after each batch only the best are kept. */
function* selectFirst(
  chosen: Uint32Array,
  field: OrderField,
  compare: CompareGroups,
  count: number,
): Work<Uint32Array> {
  const best = new Uint32Array(count + CHUNK)
  let held = 0
  let worst = -1
  for (let from = 0; from < chosen.length; ) {
    const until = Math.min(from + READ, chosen.length)
    const gathered = gather(chosen, from, until, field, compare, worst, best, held)
    from = gathered.next
    held = gathered.held
    if (held > 0 && (held >= count || from === chosen.length)) {
      best.subarray(0, held).sort(compare)
      held = Math.min(held, count)
      if (held === count) worst = best[count - 1]!
    }
    yield
  }
  return best.subarray(0, held)
}

/** Gathers the groups from `from` on that come before the worst, while there is room; `field` alone rules most out. */
function gather(
  chosen: Uint32Array,
  from: number,
  until: number,
  { column, descending, places }: OrderField,
  compare: CompareGroups,
  worst: number,
  best: Uint32Array,
  held: number,
): { next: number; held: number } {
  const sign = descending ? -1 : 1
  const last = worst < 0 ? Number.NaN : sign * places[worst]!
  const bound = column.places !== 'near' ? last : last + 2 * errorOf(last)
  let next = from
  for (; next < until && held < best.length; next++) {
    const group = chosen[next]!
    // False where either is null.
    if (sign * places[group]! > bound || (worst >= 0 && compare(group, worst) > 0)) continue
    best[held++] = group
  }
  return { next, held }
}

function* sortGroups(chosen: Uint32Array, compare: CompareGroups): Work<Uint32Array> {
  for (let from = 0; from < chosen.length; from += CHUNK) {
    chosen.subarray(from, from + CHUNK).sort(compare)
    yield
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

/** Merges the run `[from, middle)` with the `size` groups after it. */
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
    yield
  }
}
