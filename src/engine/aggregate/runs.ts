/** The codes of one column sorted by group, for measures that need all values of a group together, such as medians. */

import type { Matches } from '../filter/matches.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import { Scratch } from '../memory/scratch.ts'
import { blocksOf, type Work } from '../turns.ts'
import { RowSteps, takeSteps } from './row-steps.ts'

/** Addresses of words of four bytes: group `g` has the codes from `starts[g]` to `ends[g]`. */
export interface Runs {
  readonly codes: number
  readonly starts: number
  readonly ends: number
}

/** Cost of moving one row, in nanoseconds. */
const MOVE_COST = 6

const GROUPS_BLOCK = 2 ** 16

/** In runs up to this length the median is selected in place; longer ones are counted by buckets of codes. */
const SHORT_RUN = 2048
const BUCKET_BITS = 11
/** Cost of going on to the next group, in codes. */
const GROUP_ROWS = 8
/** Codes of short runs between two yields. */
const BUDGET = 2 ** 16

/**
 * @param counts address of each group's number of rows @param groups address of each row's group
 * @throws DamagedFileError when the codes do not load
 */
export function* bringTogether(
  dataset: OpenDataset,
  column: number,
  matches: Matches,
  { size, counts, groups }: { size: number; counts: number; groups: number },
  scratch: Scratch,
): Work<Runs> {
  const { kernel } = dataset
  const { total } = matches
  const starts = scratch.allocate(size * 4)
  const ends = scratch.allocate(size * 4)
  const codes = scratch.allocate(total * 4)
  let before = 0
  for (let from = 0; from < size; from += GROUPS_BLOCK) {
    const until = Math.min(from + GROUPS_BLOCK, size)
    kernel.beginRuns(counts, from, until, before, ends)
    before = kernel.beginRuns(counts, from, until, before, starts) >>> 0
    yield
  }
  using ofRows = new Scratch(dataset)
  const steps = new RowSteps(dataset, ofRows)
  steps.add('move', steps.codes(column), ends, codes)
  yield* takeSteps(dataset, matches, [{ steps, groups, keepsGroups: true }], MOVE_COST)
  return { codes, starts, ends }
}

/** Writes the number of distinct values in each group to `counts`. */
export function* countDistinct(
  dataset: OpenDataset,
  column: number,
  { codes, starts, ends }: Runs,
  size: number,
  counts: number,
  scratch: Scratch,
): Work<void> {
  const { kernel, regions } = dataset
  const marks = yield* scratch.filled((dataset.columns[column]!.distinct + 1) * 4)
  const ranks = dataset.segment(column, 'ranks')
  let done = 0
  for (let group = 0; group < size; group++) {
    const start = regions.words[starts / 4 + group]!
    const length = regions.words[ends / 4 + group]! - start
    let counted = 0
    for (const [from, until] of blocksOf(length)) {
      // Marks start as 0, so the first group's mark is 1.
      counted += kernel.countMarked(codes, start + from, start + until, ranks, marks, group + 1)
      done += until - from
      if (done < BUDGET) continue
      yield
      done = 0
    }
    regions.words[counts / 4 + group] = counted
    done += GROUP_ROWS
    if (done < BUDGET) continue
    yield
    done = 0
  }
  yield
  scratch.release(marks)
}

/** Writes the two middle codes of each group to `middles`: twice the same where it is one, 0 where there is none. */
export function* findMedians(
  dataset: OpenDataset,
  column: number,
  { codes, starts, ends }: Runs,
  size: number,
  middles: number,
  scratch: Scratch,
): Work<void> {
  const { kernel, regions } = dataset
  const buckets = scratch.allocate(4 << BUCKET_BITS)
  for (let group = 0; group < size; ) {
    group = kernel.findMiddles(codes, starts, ends, group, size, SHORT_RUN, BUDGET, middles)
    yield
    if (group === size) break
    const start = regions.words[starts / 4 + group]!
    const end = regions.words[ends / 4 + group]!
    if (end - start <= SHORT_RUN) continue
    const run: LongRun = { codes, start, end, top: dataset.columns[column]!.distinct }
    const middle = (end - start) >> 1
    const lower = yield* findNth(dataset, run, (end - start - 1) >> 1, buckets)
    const isSame = middle === (end - start - 1) >> 1 || lower.behind > 0
    const upper = isSame ? lower : yield* findNth(dataset, run, middle, buckets)
    regions.words[middles / 4 + 2 * group] = lower.code
    regions.words[middles / 4 + 2 * group + 1] = upper.code
    group++
  }
  scratch.release(buckets)
}

interface LongRun {
  readonly codes: number
  readonly start: number
  readonly end: number
  /** The greatest code that may occur. */
  readonly top: number
}

/** The code at place `nth`, from 0, of the run in order, and how many equal ones follow it. */
function* findNth(
  { kernel, regions }: OpenDataset,
  { codes, start, end, top }: LongRun,
  nth: number,
  buckets: number,
): Work<{ code: number; behind: number }> {
  let prefix = 0
  let left = nth
  let behind = 0
  const bits = 32 - Math.clz32(top)
  for (let shift = bits; shift > 0; ) {
    const width = Math.min(BUCKET_BITS, shift)
    shift -= width
    regions.words.fill(0, buckets / 4, buckets / 4 + (1 << width))
    for (const [from, until] of blocksOf(end - start)) {
      kernel.countBuckets(codes, start + from, start + until, prefix, shift, width, buckets)
      yield
    }
    const counts = regions.words.subarray(buckets / 4, buckets / 4 + (1 << width))
    let bucket = 0
    while (left >= counts[bucket]!) left -= counts[bucket++]!
    behind = counts[bucket]! - left - 1
    prefix = prefix * 2 ** width + bucket
  }
  return { code: prefix, behind }
}
