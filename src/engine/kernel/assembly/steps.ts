/**
 * Blocks of matching rows: all steps are taken for one block before the next, so that its data stays in the processor's
 * nearest cache. A step is eight words: its kind, six numbers, and the address of what it read for the block.
 */

import { word } from './addresses'
import { findKeys, groupsToKeys, joinGroups, joinKeys, readCodes } from './group'
import { collect } from './masks'
import {
  addLimbs,
  addNumbers,
  countNew,
  countPresent,
  countRows,
  keepGreatest,
  keepLeast,
  moveToRuns,
} from './measures'
import { pickNumbers, readListedNumbers } from './numbers'

/** Kinds of steps, as `STEPS` in aggregate/row-steps.ts numbers them. */
const READ: u32 = 0
const PICK: u32 = 1
const PARSE: u32 = 2
const CLEAR: u32 = 3
const JOIN: u32 = 4
const JOIN_KEYS: u32 = 5
const GROUPS_TO_KEYS: u32 = 6
const FIND_KEYS: u32 = 7
const COUNT: u32 = 8
const PRESENT: u32 = 9
const LEAST: u32 = 10
const GREATEST: u32 = 11
const ADD: u32 = 12
const ADD_LIMBS: u32 = 13
const COUNT_NEW: u32 = 14
const MOVE: u32 = 15

const STEP_BYTES: usize = 32
const BLOCK_ROWS: u32 = 4096

/** The number of a step at a place. */
function n(step: usize, place: usize): u32 {
  return load<u32>(step + (place << 2))
}

/** Address of what the step with this number, from 1, read; 0 for number 0. */
function readBy(steps: usize, number: u32): usize {
  return number === 0 ? 0 : (load<u32>(steps + (number as usize) * STEP_BYTES - 4) as usize)
}

/**
 * Takes `count` steps for each block of the next `total` rows: those of a mask from row `from` on, or those of a list from
 * place `from` on, or, where both are 0, all rows from `from` on. `listed` has room for a block's row numbers. The groups of
 * the rows, four bytes each, are written to or read from `groups`: those of all rows if `keepsGroups`, else each block's in
 * the same place. Returns where the next rows begin.
 */
export function takeSteps(
  steps: usize,
  count: u32,
  mask: usize,
  list: usize,
  from: u32,
  total: u32,
  listed: usize,
  groups: usize,
  keepsGroups: bool,
): u32 {
  const end = steps + (count as usize) * STEP_BYTES
  for (let left = total; left > 0; ) {
    const size = min(left, BLOCK_ROWS)
    let rows: usize = 0
    if (mask !== 0) {
      rows = listed
      collect(mask, from, u32.MAX_VALUE, rows, size)
    } else if (list !== 0) rows = word(list, from)
    for (let step = steps; step < end; step += STEP_BYTES) takeStep(steps, step, rows, from, size, groups)
    from = mask === 0 ? from + size : load<u32>(word(rows, size - 1)) + 1
    left -= size
    if (keepsGroups) groups = word(groups, size)
  }
  return from
}

function takeStep(steps: usize, step: usize, rows: usize, from: u32, size: u32, groups: usize): void {
  const kind = n(step, 0)
  const codes = readBy(steps, n(step, 1))
  if (kind === READ) readBlock(step, rows, from, size)
  else if (kind === PICK) pickBlock(step, rows, from, size)
  else if (kind === PARSE) {
    const numbers = n(step, 5) as usize
    readListedNumbers(n(step, 2), n(step, 3), codes, size, n(step, 4), numbers)
    store<u32>(step, numbers as u32, 28)
  } else if (kind === CLEAR) memory.fill(groups, 0, (size as usize) << 2)
  else if (kind === JOIN)
    joinGroups(codes, n(step, 2), n(step, 3), n(step, 4), n(step, 5) !== 0, size, groups)
  else if (kind === JOIN_KEYS)
    joinKeys(codes, n(step, 2), n(step, 3), n(step, 4), n(step, 5) !== 0, size, n(step, 6))
  else if (kind === GROUPS_TO_KEYS) groupsToKeys(groups, size, n(step, 2))
  else if (kind === FIND_KEYS) {
    const known = findKeys(n(step, 2), size, n(step, 3), n(step, 4), n(step, 5), n(step, 6), groups)
    store<u32>(step, known, 24)
  } else if (kind === COUNT) countRows(groups, size, n(step, 2), n(step, 3))
  else if (kind === PRESENT) countPresent(groups, codes, size, n(step, 2))
  else if (kind === LEAST) keepLeast(groups, codes, size, n(step, 2))
  else if (kind === GREATEST) keepGreatest(groups, codes, size, n(step, 2))
  else if (kind === ADD)
    addNumbers(groups, codes, size, numbersOf(steps, step), n(step, 4), n(step, 5), n(step, 6))
  else if (kind === ADD_LIMBS) addLimbs(groups, codes, size, numbersOf(steps, step), n(step, 4), n(step, 5))
  else if (kind === COUNT_NEW) countNew(groups, codes, n(step, 2), size, n(step, 3), n(step, 4), n(step, 5))
  else if (kind === MOVE) moveToRuns(groups, codes, size, n(step, 2), n(step, 3))
}

/** The address of a step's numbers: at place 3 those by code, else what the step named at place 2 read. */
function numbersOf(steps: usize, step: usize): usize {
  const byCode = n(step, 3) as usize
  return byCode === 0 ? readBy(steps, n(step, 2)) : byCode
}

/** Reads the block's codes of a column; adjacent codes of four bytes are used where they are. */
function readBlock(step: usize, rows: usize, from: u32, size: u32): void {
  const codes = n(step, 2) as usize
  const width = n(step, 3)
  const isThere = width === 4 && rows === 0
  const at = isThere ? word(codes, from) : (n(step, 4) as usize)
  if (!isThere) readCodes(codes, width, rows, from, size, at)
  store<u32>(step, at as u32, 28)
}

/** Reads the block's numbers of a column that has them by row. */
function pickBlock(step: usize, rows: usize, from: u32, size: u32): void {
  const numbers = n(step, 2) as usize
  const width = n(step, 3)
  const at = rows === 0 ? numbers + (from as usize) * width : (n(step, 4) as usize)
  if (rows !== 0) pickNumbers(numbers, width, rows, size, at)
  store<u32>(step, at as u32, 28)
}

/** How two values are combined, as `BRINGING` in kernel-calls.ts numbers it. */
const SUM: u32 = 0
const WIDE_SUM: u32 = 1
const LEAST_OF: u32 = 2

/** Combines `bytes` bytes of values at `others` into those at `values`: counts, sums of eight bytes, the least or the greatest. */
export function bringIn(values: usize, others: usize, bytes: u32, how: u32): void {
  for (let at: usize = 0; at < (bytes as usize); at += 16) {
    const left = v128.load(values + at)
    const right = v128.load(others + at)
    let both: v128
    if (how === SUM) both = i32x4.add(left, right)
    else if (how === WIDE_SUM) both = i64x2.add(left, right)
    else both = how === LEAST_OF ? i32x4.min_u(left, right) : i32x4.max_u(left, right)
    v128.store(values + at, both)
  }
}
