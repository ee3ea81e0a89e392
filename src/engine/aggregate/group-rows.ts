/** Groups the rows that filters match, and measures each group. */

import { type Matches, workAlone } from '../filter/matches.ts'
import { BRINGING } from '../kernel/kernel-calls.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import { threadsFor } from '../memory/parts.ts'
import { Scratch } from '../memory/scratch.ts'
import { jointSize } from '../sort/sort-passes.ts'
import type { Work } from '../turns.ts'
import { type KeyColumn, readKey } from './group-keys.ts'
import {
  type Groups,
  type GroupsQuery,
  type Measure,
  MOST_GROUPS,
  type ResultColumn,
  readEachPlace,
  TooManyGroupsError,
} from './group-query.ts'
import {
  type Collected,
  type Collecting,
  type Collector,
  makeCollector,
  neededOf,
  readMeasure,
} from './measures.ts'
import { addNumberSteps, largestKey, type Numbering, numberByTable, numberDirectly } from './numbering.ts'
import { BLOCK_ROWS, RowSteps, type StepShare, takeSteps } from './row-steps.ts'
import { bringTogether, countDistinct, findMedians } from './runs.ts'

/** Cost of one step for one row, in nanoseconds. */
const STEP_COST = 1.5

const LIST_BLOCK = 2 ** 18

/** Up to this many combinations are always numbered directly; more are, up to these limits per row and in bytes. */
const FEW_COMBINATIONS = 2 ** 16
const COMBINATIONS_PER_ROW = 4
const MOST_DIRECT_BYTES = 2 ** 26
const COUNT_BYTES = 8
/** With so few groups neighbouring rows are often in the same one, so rows are collected in four separate lanes. */
const FEW_GROUPS = 2 ** 8
const LANES = 4
const MEASURE_BYTES = 12
const ROW_BYTES = 8

/** Groupings that need more scratch than this run one at a time. */
const MOST_SHARED_BYTES = 2 ** 24

/**
 * Groups with their measures. The caller releases them.
 * @throws TooManyGroupsError
 * @throws DamagedFileError when a segment does not load
 */
export function* groupRows(dataset: OpenDataset, matches: Matches, query: GroupsQuery): Work<Groups> {
  using held = new DisposableStack()
  const kept = held.use(new Scratch(dataset))
  using temporary = new Scratch(dataset)
  const keys: KeyColumn[] = []
  for (const group of query.groups) keys.push(yield* readKey(dataset, group, temporary))
  const mayNeedRuns = query.measures.some(({ kind }) => kind === 'median' || kind === 'count_distinct')
  const isLarge =
    bytesOf(keys, query.measures) > MOST_SHARED_BYTES ||
    (mayNeedRuns && matches.total * ROW_BYTES > MOST_SHARED_BYTES)
  const work = () => groupKeys(dataset, matches, query, keys, kept, temporary)
  while (isLarge && dataset.grouping) yield dataset.grouping
  const found = yield* isLarge ? workAlone(dataset, 'grouping', work) : work()
  held.move()
  return { ...found, release: () => kept[Symbol.dispose]() }
}

function* groupKeys(
  dataset: OpenDataset,
  matches: Matches,
  { measures }: GroupsQuery,
  keys: readonly KeyColumn[],
  kept: Scratch,
  temporary: Scratch,
): Work<Omit<Groups, 'release'>> {
  const { total } = matches
  const combinations = jointSize(keys)
  const isDirect =
    combinations <= FEW_COMBINATIONS ||
    (combinations <= total * COMBINATIONS_PER_ROW && bytesOf(keys, measures) <= MOST_DIRECT_BYTES)
  const numbering = isDirect
    ? numberDirectly(keys)
    : yield* numberByTable(dataset, keys, matches, kept, temporary)
  const work: Collecting = { dataset, size: numbering.size, total, kept, temporary }
  const collected = yield* collect(work, keys, measures, numbering, matches)
  // Other groupings may begin while the results are chosen.
  temporary[Symbol.dispose]()
  return yield* listResults(work, keys, measures, numbering, collected)
}

/** Bytes that the groups take when they are numbered directly. */
function bytesOf(keys: readonly KeyColumn[], measures: readonly Measure[]): number {
  return jointSize(keys) * (COUNT_BYTES + measures.length * MEASURE_BYTES)
}

interface CollectedGroups {
  /** Address of the number of rows for each group number. */
  readonly counts: number
  readonly collectors: readonly Collector[]
}

/** Passes over the rows: one for all that is collected block by block, and one for each column whose runs are needed. */
function* collect(
  work: Collecting,
  keys: readonly KeyColumn[],
  measures: readonly Measure[],
  numbering: Numbering,
  matches: Matches,
): Work<CollectedGroups> {
  const { dataset, size, total, kept, temporary } = work
  const counts = yield* kept.filled(size * 4)
  const needed = new Map<string, readonly [Collected, number]>()
  for (const measure of measures)
    for (const what of neededOf(dataset, measure))
      needed.set(`${what} ${measure.column}`, [what, measure.column!])
  const collectors: Collector[] = []
  for (const [what, column] of needed.values()) collectors.push(yield* makeCollector(work, what, column))
  const needsRuns = collectors.some(({ add }) => add === null)
  const rows = numbering.rows || (needsRuns ? temporary.allocate(total * 4) : 0)
  const counting: Added = {
    ...{ at: counts, bytes: 4, first: 0, bringing: BRINGING.sum },
    add: (steps, at, apart) => void steps.add('count', 0, at, apart),
  }
  const blockwise = collectors.flatMap(({ add, ...rest }) => (add === null ? [] : [{ ...rest, add }]))
  yield* collectBlocks(work, matches, [counting, ...blockwise], rows, numbering.rows === 0 ? keys : null)
  if (needsRuns) yield* collectRuns(work, collectors, counts, rows, matches)
  return { counts, collectors }
}

/** What is collected block by block. */
type Added = Pick<Collector, 'at' | 'bytes' | 'first' | 'bringing'> & {
  readonly add: NonNullable<Collector['add']>
}

/**
 * Collects each share of the rows separately where there are threads, and within a share in four lanes where there are few
 * groups; then combines the results.
 * @param groups address of the rows' groups where they are known or wanted, else 0
 * @param keys the columns that give the groups; null: they are known
 */
function* collectBlocks(
  { dataset, size, total }: Collecting,
  matches: Matches,
  added: readonly Added[],
  groups: number,
  keys: readonly KeyColumn[] | null,
): Work<void> {
  const cost = (added.length + (keys?.length ?? 0)) * STEP_COST
  const mayShare = added.every(({ bringing }) => bringing !== null)
  const lanes = mayShare && size <= FEW_GROUPS && total > BLOCK_ROWS ? LANES : 1
  const isShared = mayShare && size <= FEW_COMBINATIONS
  const threads = isShared ? Math.max(1, threadsFor(dataset, total * cost)) : 1
  using ofShares = new Scratch(dataset)
  const shares: StepShare[] = []
  const copies: number[][] = []
  for (let share = 0; share < threads; share++) {
    const steps = new RowSteps(dataset, ofShares)
    if (keys !== null) addNumberSteps(steps, keys)
    const isDirect = share === 0 && lanes === 1
    const ats: number[] = []
    for (const { at, bytes, first } of added)
      ats.push(isDirect ? at : yield* ofShares.filled(size * bytes * lanes, first))
    for (const [index, { add, bytes }] of added.entries())
      add(steps, ats[index]!, lanes === 1 ? 0 : size * bytes)
    shares.push({ steps, groups: groups || ofShares.allocate(BLOCK_ROWS * 4), keepsGroups: groups !== 0 })
    if (!isDirect) copies.push(ats)
  }
  yield* takeSteps(dataset, matches, shares, cost)
  for (const ats of copies)
    for (const [index, { at, bytes, bringing }] of added.entries())
      for (let lane = 0; lane < lanes; lane++)
        dataset.kernel.bringIn(at, ats[index]! + lane * size * bytes, size * bytes, bringing!)
}

function* collectRuns(
  { dataset, size, temporary }: Collecting,
  collectors: readonly Collector[],
  counts: number,
  groups: number,
  matches: Matches,
): Work<void> {
  const waiting = collectors.filter(({ add }) => add === null)
  for (const column of new Set(waiting.map((collector) => collector.column))) {
    const runs = yield* bringTogether(dataset, column, matches, { size, counts, groups }, temporary)
    const distinct = waiting.find((one) => one.column === column && one.what === 'distinct')
    if (distinct) yield* countDistinct(dataset, column, runs, size, distinct.at, temporary)
    const middle = waiting.find((one) => one.column === column && one.what === 'middle')
    if (middle) yield* findMedians(dataset, column, runs, size, middle.at, temporary)
    for (const region of [runs.codes, runs.starts, runs.ends]) temporary.release(region)
  }
}

function* listResults(
  { dataset, size, kept }: Collecting,
  keys: readonly KeyColumn[],
  measures: readonly Measure[],
  numbering: Numbering,
  { counts, collectors }: CollectedGroups,
): Work<Omit<Groups, 'release'>> {
  const find = (what: Collected, column: number) =>
    collectors.find((one) => one.what === what && one.column === column)
  const results = keys.map((key, position) => keyResult(key, (group) => numbering.valueAt(group, position)))
  for (const measure of measures) results.push(yield* readMeasure(dataset, measure, counts, find))
  // Every group numbered by a table has rows, and without columns there is one group, even if it has none.
  if (numbering.rows !== 0 || keys.length === 0) return { count: size, results, isOrdered: keys.length === 0 }
  const list = kept.allocate((size + 1) * 4)
  let count = 0
  for (let from = 0; from < size; from += LIST_BLOCK) {
    const until = Math.min(from + LIST_BLOCK, size)
    count = dataset.kernel.listGroups(counts, from, until, list, count)
    yield
  }
  if (count > MOST_GROUPS) throw new TooManyGroupsError(largestKey(keys))
  return { count, results: results.map((result) => renumber(dataset, result, list)), isOrdered: true }
}

function keyResult({ values, textOf }: KeyColumn, valueAt: (group: number) => number): ResultColumn {
  return {
    places: 'ranks',
    readPlaces: readEachPlace((group) => {
      const value = valueAt(group)
      return value === values ? Number.NaN : value
    }),
    textOf: (group) => textOf(valueAt(group)),
  }
}

/** The same result for groups numbered by their place in the list at an address. */
function renumber({ regions }: OpenDataset, result: ResultColumn, list: number): ResultColumn {
  const numberOf = (group: number) => regions.words[list / 4 + group]!
  return {
    places: result.places,
    readPlaces: (groups, places) => {
      const { words } = regions
      result.readPlaces(
        groups.map((group) => words[list / 4 + group]!),
        places,
      )
    },
    isSame: (a, b) => result.isSame?.(numberOf(a), numberOf(b)) ?? false,
    textOf: (group) => result.textOf(numberOf(group)),
  }
}
