/** Groups of the rows that filters match, with measures of each: pages and whole answers (contract 7). */

import type { ColumnType } from '../columns/column.ts'
import { findMatches, leaveMatches } from '../filter/matches.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import { costSince, StreamTurns, type Work } from '../turns.ts'
import { groupRows } from './group-rows.ts'
import { compileFilter, weightOf } from './having.ts'
import { firstInOrder } from './order.ts'
import type { Groups, ResultColumn } from './query.ts'
import {
  type AggregatePage,
  type AggregateQuery,
  type GroupsQuery,
  type ResultRow,
  resultTypes,
} from './query.ts'

/** Rows of a batch, and of a chunk that is tested by filters on results. */
const BATCH = 1000
const CHUNK = 1024
/** Cost of the text of a result. */
const TEXT_COST = 1000

/**
 * One page of groups. Answers at once unless the work takes more than one turn.
 * @throws TooManyGroupsError; DamagedFileError when a segment does not load; BusyError, DeadlineError when it is long work
 */
export function aggregateRows(
  dataset: OpenDataset,
  query: AggregateQuery,
): AggregatePage | Promise<AggregatePage> {
  return dataset.turns.run(pageOf(dataset, query))
}

/** All groups of a question, found and in order. */
export interface AllGroups {
  readonly count: number
  /** In batches of at most 1,000 rows, as often as wanted; other requests get their turns between them. */
  batches(): AsyncGenerator<readonly ResultRow[]>
  /** Frees what was found. */
  close(): void
}

/**
 * Finds all groups in order. Close them.
 * @throws as `aggregateRows`
 */
export async function openGroups(dataset: OpenDataset, query: GroupsQuery): Promise<AllGroups> {
  const found = await dataset.turns.run(findGroups(dataset, query))
  try {
    const chosen = await dataset.turns.run(chooseGroups(dataset, query, found, Number.POSITIVE_INFINITY))
    return {
      count: chosen.length,
      batches: () => batchesOf(found, chosen),
      close: () => found.release(),
    }
  } catch (error) {
    found.release()
    throw error
  }
}

async function* batchesOf(found: Groups, chosen: Uint32Array): AsyncGenerator<readonly ResultRow[]> {
  const turns = new StreamTurns()
  try {
    for (let from = 0; from < chosen.length; from += BATCH) {
      yield rowsOf(found, chosen.subarray(from, from + BATCH))
      await turns.rest()
    }
  } finally {
    turns.end()
  }
}

function* pageOf(dataset: OpenDataset, query: AggregateQuery): Work<AggregatePage> {
  const { offset, limit } = query
  const found = yield* findGroups(dataset, query)
  try {
    const passing = yield* passingGroups(dataset, query, found)
    const total = passing.length
    const ordered = yield* inOrder(query, found, passing, offset + limit)
    const chosen = ordered.subarray(offset, offset + limit)
    yield chosen.length * found.results.length * TEXT_COST
    const rows = rowsOf(found, chosen)
    return {
      total: query.count ? total : null,
      count: rows.length,
      hasNext: offset + rows.length < total,
      rows,
    }
  } finally {
    found.release()
  }
}

function* findGroups(dataset: OpenDataset, query: GroupsQuery): Work<Groups> {
  const matches = yield* findMatches(dataset, query.filters)
  try {
    return yield* groupRows(dataset, matches, query)
  } finally {
    leaveMatches(dataset, matches)
  }
}

function* chooseGroups(
  dataset: OpenDataset,
  query: GroupsQuery,
  groups: Groups,
  most: number,
): Work<Uint32Array> {
  return yield* inOrder(query, groups, yield* passingGroups(dataset, query, groups), most)
}

/** The groups that pass every filter on results, by number. */
function* passingGroups(
  { columns }: OpenDataset,
  query: GroupsQuery,
  { count, results }: Groups,
): Work<Uint32Array> {
  const types = resultTypes(columns, query)
  const tests = query.having.map((filter) => {
    const column = results[filter.result] as ResultColumn
    return { column, passes: compileFilter(filter, types[filter.result] as ColumnType, column) }
  })
  const passing = new Uint32Array(count)
  const places = new Float64Array(CHUNK)
  const chunk = Math.ceil(CHUNK / Math.max(1, ...query.having.map(weightOf)))
  let kept = 0
  for (let from = 0; from < count; from += chunk) {
    const started = performance.now()
    let left = new Uint32Array(Math.min(chunk, count - from))
    for (let i = 0; i < left.length; i++) left[i] = from + i
    for (const { column, passes } of tests) {
      column.readPlaces(left, places)
      left = left.filter((group, i) => passes(group, places[i]!))
    }
    passing.set(left, kept)
    kept += left.length
    yield costSince(started)
  }
  return passing.subarray(0, kept)
}

function* inOrder(
  { sort, groups: keys }: GroupsQuery,
  groups: Groups,
  passing: Uint32Array,
  most: number,
): Work<Uint32Array> {
  if (sort.length === 0 && groups.isOrdered) return passing
  return yield* firstInOrder(groups, sort, keys.length, passing, Math.min(most, passing.length))
}

function rowsOf({ results }: Groups, chosen: Uint32Array): ResultRow[] {
  return Array.from(chosen, (group) => results.map(({ textOf }) => textOf(group)))
}
