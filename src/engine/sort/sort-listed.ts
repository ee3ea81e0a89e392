/**
 * The order of matching rows, few of many: a radix sort of keys composed of the columns, whose counters are as few as
 * the rows are.
 */

import type { Matches } from '../filter/matches.ts'
import { MOST_COUNTERS, maskWords, type OpenDataset } from '../memory/open-dataset.ts'
import { blocksOf, type Work } from '../turns.ts'
import { groupColumns, jointSize, type SortColumn } from './sort-passes.ts'

const FEWEST_COUNTERS = 2 ** 8

/** Cost of one row in the steps of a sort. */
const KEY_COST = 1.5
const COUNT_COST = 2
const MOVE_COST = 8

/** The rows to sort: `count` row numbers at address `rows`. */
interface Subject {
  readonly rows: number
  readonly count: number
}

/** Scratch of one build: the keys of the pass under way, and two orders taking turns. 0: not allocated yet. */
interface Scratch {
  keys: number
  order: number
  spare: number
}

/** Address of a new region with the matching row numbers, sorted. */
export function* sortListed(
  dataset: OpenDataset,
  columns: readonly SortColumn[],
  matches: Matches,
): Work<number> {
  const { kernel, regions } = dataset
  const count = matches.total
  const scratch: Scratch = { keys: 0, order: 0, spare: 0 }
  const rows = regions.allocate(count * 4)
  try {
    if (matches.rows !== 0) regions.words.copyWithin(rows / 4, matches.rows / 4, matches.rows / 4 + count)
    else kernel.collect(matches.mask, 0, maskWords(dataset.rows), rows, count)
    for (const group of groupColumns(columns, digitsFor(count)))
      yield* sortByColumns(dataset, { rows, count }, group, scratch)
    if (scratch.order === 0) {
      scratch.order = regions.allocate(count * 4)
      kernel.enumerate(scratch.order, 0, count)
    }
    kernel.positionsToRows(scratch.order, count, rows)
    const order = scratch.order
    scratch.order = 0
    return order
  } finally {
    for (const region of [rows, scratch.keys, scratch.order, scratch.spare])
      if (region !== 0) regions.release(region)
  }
}

/**
 * How many values one radix pass tells apart. A further pass costs more than counters that leave the fastest caches;
 * but more counters than rows are not worth clearing.
 */
function digitsFor(count: number): number {
  return Math.min(Math.max(2 ** (32 - Math.clz32(count)), FEWEST_COUNTERS), MOST_COUNTERS)
}

/** Brings the scratch's order (none yet: file order) into the order of one group, ties staying as they are. */
function* sortByColumns(
  dataset: OpenDataset,
  subject: Subject,
  group: readonly SortColumn[],
  scratch: Scratch,
): Work<void> {
  const { regions } = dataset
  yield* composeKeys(dataset, subject, group, scratch)
  const size = jointSize(group)
  const bits = 32 - Math.clz32(size - 1)
  const passes = Math.ceil(bits / Math.log2(digitsFor(subject.count)))
  const digitBits = Math.ceil(bits / passes)
  const starts = regions.allocate(4 * 2 ** digitBits)
  try {
    for (let shift = 0; shift < bits; shift += digitBits)
      yield* sortByDigit(dataset, subject.count, scratch, starts, shift, 2 ** digitBits)
  } finally {
    regions.release(starts)
  }
}

function* composeKeys(
  dataset: OpenDataset,
  subject: Subject,
  group: readonly SortColumn[],
  scratch: Scratch,
): Work<void> {
  const { kernel, regions } = dataset
  scratch.keys ||= regions.allocate(subject.count * 4)
  for (const [position, { codes, width, ranks, top, descending, size }] of group.entries()) {
    const isFirst = position === 0 ? 1 : 0
    const { rows } = subject
    for (const [from, to] of blocksOf(subject.count)) {
      kernel.appendKeys(codes, width, ranks, top, descending, rows, from, to, size, isFirst, scratch.keys)
      yield (to - from) * KEY_COST
    }
  }
}

function* sortByDigit(
  dataset: OpenDataset,
  count: number,
  scratch: Scratch,
  starts: number,
  shift: number,
  digits: number,
): Work<void> {
  const { kernel, regions } = dataset
  regions.bytes.fill(0, starts, starts + digits * 4)
  for (const [from, to] of blocksOf(count)) {
    kernel.countDigits(scratch.keys, from, to, shift, digits - 1, starts)
    yield (to - from) * COUNT_COST
  }
  kernel.sumCounts(starts, digits)
  scratch.spare ||= regions.allocate(count * 4)
  for (const [from, to] of blocksOf(count)) {
    kernel.moveByDigit(scratch.keys, scratch.order, from, to, shift, digits - 1, starts, scratch.spare)
    yield (to - from) * MOVE_COST
  }
  ;[scratch.order, scratch.spare] = [scratch.spare, scratch.order]
}
