/**
 * Which group each row belongs to. While the values of the grouped columns have few combinations, a row's group is its
 * place among all of them, in the groups' order; else a table numbers the combinations that occur, in the rows' order.
 */

import type { Matches } from '../filter/matches.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import type { Scratch } from '../memory/scratch.ts'
import { jointSize } from '../sort/sort-passes.ts'
import type { Work } from '../turns.ts'
import type { KeyColumn } from './group-keys.ts'
import { MOST_GROUPS, TooManyGroupsError } from './group-query.ts'
import { BLOCK_ROWS, RowSteps } from './row-steps.ts'

/** Group numbers, and the values that each one means. */
export interface Numbering {
  /** Numbers from 0 up to this one, not included, may occur. */
  readonly size: number
  /** Address of each row's number, by place among the matching rows; 0: `addNumberSteps` finds them. */
  readonly rows: number
  /** The number of a group's value in the grouped column at a position. */
  readonly valueAt: (group: number, key: number) => number
}

/** Numbers all combinations of values; those of the last column change fastest. */
export function numberDirectly(keys: readonly KeyColumn[]): Numbering {
  const size = jointSize(keys)
  const steps = keys.map((_, key) => jointSize(keys.slice(key + 1)))
  return {
    size,
    rows: 0,
    valueAt: (group, key) => Math.floor(group / steps[key]!) % keys[key]!.size,
  }
}

/** Adds the steps that find the rows' numbers as `numberDirectly` assigns them. */
export function addNumberSteps(steps: RowSteps, keys: readonly KeyColumn[]): void {
  if (keys.length === 0) steps.add('clear', 0)
  for (const [position, { column, table, values, size }] of keys.entries())
    steps.add('join', steps.codes(column), table, values, size, position === 0 ? 1 : 0)
}

/** Keys must fit into eight bytes. When those of all columns do not, the groups of the first columns are numbered first. */
const MOST_KEYS = 2 ** 63
const FEWEST_PLACES = 2 ** 14
/** Places in the step `findKeys` of its table, and of the number of known keys. */
const FIND_TABLE = 3
const FIND_KNOWN = 6

interface Stage {
  readonly keys: readonly KeyColumn[]
  /** Address of the table and its number of places minus one; address of the keys by group and how many fit there. */
  table: number
  mask: number
  keysOf: number
  room: number
  known: number
}

/**
 * Numbers the combinations that occur among the matching rows.
 * @param kept holds the values of each group @param temporary holds everything else
 * @throws TooManyGroupsError
 */
export function* numberByTable(
  dataset: OpenDataset,
  keys: readonly KeyColumn[],
  matches: Matches,
  kept: Scratch,
  temporary: Scratch,
): Work<Numbering> {
  const stages: Stage[] = []
  for (const part of splitIntoStages(keys)) stages.push(yield* beginStage(part, temporary))
  const { total } = matches
  const rows = temporary.allocate(total * 4)
  const joint = temporary.allocate(BLOCK_ROWS * 8)
  const steps = new RowSteps(dataset, temporary)
  const finding = stages.map(({ keys, table, mask, keysOf }, number) => {
    if (number > 0) steps.add('groupsToKeys', 0, joint)
    for (const [position, { column, table, values, size }] of keys.entries())
      steps.add('joinKeys', steps.codes(column), table, values, size, number + position === 0 ? 1 : 0, joint)
    return steps.add('findKeys', 0, joint, table, mask, keysOf, 0)
  })
  let from = 0
  for (let before = 0; before < total; before += BLOCK_ROWS) {
    for (const [number, stage] of stages.entries())
      if (yield* makeRoom(dataset, stage, temporary))
        for (const [place, value] of [stage.table, stage.mask, stage.keysOf].entries())
          steps.change(finding[number]!, FIND_TABLE + place, value)
    const share = { from, before, total: Math.min(BLOCK_ROWS, total - before) }
    const [, ...numbers] = steps.call(matches, share, rows + before * 4, true)
    from = dataset.kernel.takeSteps(...numbers) >>> 0
    for (const [number, stage] of stages.entries()) {
      stage.known = steps.at(finding[number]!, FIND_KNOWN)
      if (stage.known > MOST_GROUPS) throw new TooManyGroupsError(largestKey(keys))
    }
    yield
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

/** The grouped column with the most values. */
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

/** Makes room for a block of new keys, so that at least half of the table stays empty. @returns whether the stage changed */
function* makeRoom(dataset: OpenDataset, stage: Stage, scratch: Scratch): Work<boolean> {
  if (stage.known + BLOCK_ROWS <= stage.room) return false
  const { kernel, regions } = dataset
  const places = (stage.mask + 1) * 4
  const room = places / 2
  const keysOf = scratch.allocate(room * 8)
  regions.bytes.copyWithin(keysOf, stage.keysOf, stage.keysOf + stage.known * 8)
  scratch.release(stage.keysOf)
  stage.keysOf = keysOf
  stage.room = room
  scratch.release(stage.table)
  stage.table = 0
  stage.table = yield* scratch.filled(places * 4)
  stage.mask = places - 1
  yield
  for (let from = 0; from < stage.known; from += BLOCK_ROWS) {
    const until = Math.min(from + BLOCK_ROWS, stage.known)
    kernel.placeKeys(stage.keysOf, from, until, stage.table, stage.mask)
    yield
  }
  return true
}

/** For each column the address of the values of all groups, four bytes each. */
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
    // Without its other columns a key is the value of the first column, or the group of the previous stage.
    const hasBefore = columns.length > 0
    for (let key = keys.length - 1; key >= 0; key--)
      for (let from = 0; from < known; from += BLOCK_ROWS) {
        kernel.splitKeys(keysOf, from, Math.min(from + BLOCK_ROWS, known), keys[key]!.size, own[key]!)
        yield
      }
    const before = columns
    columns = []
    if (hasBefore)
      for (const column of before) {
        const picked = kept.allocate(known * 4)
        kernel.pickByKey(column, keysOf, 0, known, picked)
        yield
        kept.release(column)
        columns.push(picked)
      }
    columns.push(...own)
    temporary.release(keysOf)
  }
  return columns
}
