/**
 * Which group each row belongs to. While the grouped columns have few values together, a row's group is its place among
 * all combinations of them, in the groups' order; else a table numbers the combinations that occur, in the rows' order.
 */

import type { OpenDataset } from '../memory/open-dataset.ts'
import type { Scratch } from '../memory/scratch.ts'
import { costSince, type Work } from '../turns.ts'
import type { KeyColumn } from './group-keys.ts'
import { MOST_GROUPS, TooManyGroupsError } from './group-query.ts'
import { BLOCK_ROWS, type RowBlocks } from './row-blocks.ts'

/** How the numbers of groups lead back to values. */
export interface Numbering {
  /** Numbers that may occur: from 0 up to this one, not included. */
  readonly size: number
  /** Address of each row's number, by place among the matching rows; 0: `numberBlock` gives them. */
  readonly rows: number
  /** The number of a group's value in the grouped column at a position. */
  readonly valueAt: (group: number, key: number) => number
}

/** All combinations of values as numbers: the last column's change fastest. */
export function numberDirectly(keys: readonly KeyColumn[]): Numbering {
  const size = jointSize(keys)
  const steps = keys.map((_, key) => jointSize(keys.slice(key + 1)))
  return {
    size,
    rows: 0,
    valueAt: (group, key) => Math.floor(group / steps[key]!) % keys[key]!.size,
  }
}

/** How many combinations of values there are. */
export function jointSize(keys: readonly KeyColumn[]): number {
  return keys.reduce((product, { size }) => product * size, 1)
}

/** Writes the numbers of a block's rows, as `numberDirectly` has them, to `groups`. */
export function numberBlock(
  { kernel, regions }: OpenDataset,
  keys: readonly KeyColumn[],
  blocks: RowBlocks,
  groups: number,
): void {
  if (keys.length === 0) regions.bytes.fill(0, groups, groups + blocks.count * 4)
  for (const [position, { column, table, values, size }] of keys.entries())
    kernel.joinGroups(blocks.codes(column), table, values, size, position === 0 ? 1 : 0, blocks.count, groups)
}

/** Keys must fit into eight bytes: when those of all columns do not, the groups of the first ones are numbered first. */
const MOST_KEYS = 2 ** 63
const FEWEST_PLACES = 2 ** 14

interface Stage {
  readonly keys: readonly KeyColumn[]
  /** Address of the places, their number less one, and address and room of the keys by group. */
  table: number
  mask: number
  keysOf: number
  room: number
  known: number
}

/**
 * Numbers the combinations that occur among the matching rows.
 * @param total the matching rows @param kept takes what leads back to values, `temporary` the rest
 * @throws TooManyGroupsError
 */
export function* numberByTable(
  dataset: OpenDataset,
  keys: readonly KeyColumn[],
  blocks: RowBlocks,
  total: number,
  kept: Scratch,
  temporary: Scratch,
): Work<Numbering> {
  const { kernel } = dataset
  const stages: Stage[] = []
  for (const part of splitIntoStages(keys)) stages.push(yield* beginStage(part, temporary))
  const rows = temporary.allocate(total * 4)
  const joint = temporary.allocate(BLOCK_ROWS * 8)
  for (;;) {
    for (const stage of stages) yield* makeRoom(dataset, stage, temporary)
    const started = performance.now()
    if (!blocks.next()) break
    const groups = rows + blocks.before * 4
    for (const [number, stage] of stages.entries()) {
      if (number > 0) kernel.groupsToKeys(groups, blocks.count, joint)
      for (const [position, { column, table, values, size }] of stage.keys.entries()) {
        const isFirst = number + position === 0 ? 1 : 0
        kernel.joinKeys(blocks.codes(column), table, values, size, isFirst, blocks.count, joint)
      }
      const { keysOf, known } = stage
      stage.known = kernel.findKeys(joint, blocks.count, stage.table, stage.mask, keysOf, known, groups)
      if (stage.known > MOST_GROUPS) throw new TooManyGroupsError(largestKey(keys))
    }
    yield costSince(started)
  }
  for (const { table } of stages) temporary.release(table)
  temporary.release(joint)
  const values = yield* splitStages(dataset, stages, kept, temporary)
  return {
    size: stages.at(-1)!.known,
    rows,
    valueAt: (group, key) => dataset.regions.words[values[key]! / 4 + group]!,
  }
}

/** The grouped column with most values. */
export function largestKey(keys: readonly KeyColumn[]): number {
  return keys.toSorted((a, b) => b.values - a.values)[0]!.column
}

function splitIntoStages(keys: readonly KeyColumn[]): KeyColumn[][] {
  const stages: KeyColumn[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const key of keys) {
    size *= key.size
    if (size < MOST_KEYS) stages.at(-1)!.push(key)
    else {
      size = key.size * (stages.length === 0 ? 1 : MOST_GROUPS)
      stages.push([key])
    }
  }
  return stages
}

function* beginStage(keys: readonly KeyColumn[], scratch: Scratch): Work<Stage> {
  const room = FEWEST_PLACES / 2
  return {
    keys,
    table: yield* scratch.filled(FEWEST_PLACES * 4),
    mask: FEWEST_PLACES - 1,
    keysOf: scratch.allocate(room * 8),
    room,
    known: 0,
  }
}

/** Room for a block of new keys: places of which at least half stay empty. */
function* makeRoom(dataset: OpenDataset, stage: Stage, scratch: Scratch): Work<void> {
  if (stage.known + BLOCK_ROWS <= stage.room) return
  const { kernel, regions } = dataset
  const places = (stage.mask + 1) * 4
  const room = places / 2
  const moved = performance.now()
  const keysOf = scratch.allocate(room * 8)
  regions.bytes.copyWithin(keysOf, stage.keysOf, stage.keysOf + stage.known * 8)
  scratch.release(stage.keysOf)
  stage.keysOf = keysOf
  stage.room = room
  scratch.release(stage.table)
  stage.table = 0
  stage.table = yield* scratch.filled(places * 4)
  stage.mask = places - 1
  yield costSince(moved)
  for (let from = 0; from < stage.known; from += BLOCK_ROWS) {
    const started = performance.now()
    const until = Math.min(from + BLOCK_ROWS, stage.known)
    kernel.placeKeys(stage.keysOf, from, until, stage.table, stage.mask)
    yield costSince(started)
  }
}

/** The values of every group in each column: an address of four bytes for each group. */
function* splitStages(
  dataset: OpenDataset,
  stages: readonly Stage[],
  kept: Scratch,
  temporary: Scratch,
): Work<readonly number[]> {
  const { kernel } = dataset
  let columns: number[] = []
  for (const { keys, keysOf, known } of stages) {
    const own = keys.map(() => kept.allocate(known * 4))
    // What is left of a key when all but the first column are taken off is its value, or the group of the stage before.
    const hasBefore = columns.length > 0
    for (let key = keys.length - 1; key >= 0; key--)
      for (let from = 0; from < known; from += BLOCK_ROWS) {
        const started = performance.now()
        kernel.splitKeys(keysOf, from, Math.min(from + BLOCK_ROWS, known), keys[key]!.size, own[key]!)
        yield costSince(started)
      }
    const before = columns
    columns = []
    if (hasBefore)
      for (const column of before) {
        const started = performance.now()
        const picked = kept.allocate(known * 4)
        kernel.pickByKey(column, keysOf, 0, known, picked)
        yield costSince(started)
        kept.release(column)
        columns.push(picked)
      }
    columns.push(...own)
    temporary.release(keysOf)
  }
  return columns
}
