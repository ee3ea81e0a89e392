/** Work on matching rows, block by block, as steps of the kernel, so that threads can take them. */

import type { Matches } from '../filter/matches.ts'
import type { KernelCall, Part } from '../kernel/kernel-calls.ts'
import { maskWords, type OpenDataset } from '../memory/open-dataset.ts'
import { runParts, shareOut, threadsFor } from '../memory/parts.ts'
import type { Scratch } from '../memory/scratch.ts'
import type { Work } from '../turns.ts'

/** Rows of a block, as in `assembly/steps.ts`. */
export const BLOCK_ROWS = 4096

/** Kinds of steps, as `assembly/steps.ts` numbers them. */
const STEPS = [
  ...['read', 'pick', 'parse', 'clear', 'join', 'joinKeys', 'groupsToKeys', 'findKeys'],
  ...['count', 'present', 'least', 'greatest', 'add', 'addLimbs', 'countNew', 'move'],
] as const
type StepKind = (typeof STEPS)[number]
const STEP_WORDS = 8

/** `total` matching rows from row `from`, or from that place where the matches are a list; `before` others precede them. */
export interface RowShare {
  readonly from: number
  readonly total: number
  readonly before: number
}

/** The matching rows, in shares of about the same size. */
function shareRows(dataset: OpenDataset, { mask, total }: Matches, shares: number): readonly RowShare[] {
  let before = 0
  return shareOut(mask === 0 ? total : dataset.rows, shares, BLOCK_ROWS).map(([from, to]) => {
    const size = mask === 0 ? to - from : dataset.kernel.countBits(mask, maskWords(from), maskWords(to)) >>> 0
    before += size
    return { from, total: size, before: before - size }
  })
}

/** The steps for a share of the rows. */
export interface StepShare {
  readonly steps: RowSteps
  /** Address of the groups of all matching rows, or of one block. */
  readonly groups: number
  readonly keepsGroups: boolean
}

/** Rows between two yields, where the steps are taken on this thread. */
const ROWS_AT_ONCE = 2 ** 16

/** Takes steps for all matching rows: each list for one share of them. @param cost of a row, in nanoseconds */
export function* takeSteps(
  dataset: OpenDataset,
  matches: Matches,
  lists: readonly StepShare[],
  cost: number,
): Work<void> {
  if (lists.length > 1 || threadsFor(dataset, matches.total * cost) > 0) {
    const parts = shareRows(dataset, matches, lists.length).map((share, index): Part => {
      const { steps, groups, keepsGroups } = lists[index]!
      const call = steps.call(matches, share, keepsGroups ? groups + share.before * 4 : groups, keepsGroups)
      return { calls: [call], cost: share.total * cost }
    })
    yield* runParts(dataset, parts)
    return
  }
  const { steps, groups, keepsGroups } = lists[0]!
  let from = 0
  for (let before = 0; before < matches.total; before += ROWS_AT_ONCE) {
    const share = { from, before, total: Math.min(ROWS_AT_ONCE, matches.total - before) }
    const [, ...numbers] = steps.call(matches, share, keepsGroups ? groups + before * 4 : groups, keepsGroups)
    from = dataset.kernel.takeSteps(...numbers) >>> 0
    yield
  }
}

/** The steps for each block. A step is numbered, so that others can refer to what it read. */
export class RowSteps {
  readonly #dataset: OpenDataset
  readonly #scratch: Scratch
  readonly #words: number[] = []
  readonly #codes = new Map<number, number>()
  #at = 0
  #listed = 0

  constructor(dataset: OpenDataset, scratch: Scratch) {
    this.#dataset = dataset
    this.#scratch = scratch
  }

  get size(): number {
    return this.#words.length / STEP_WORDS
  }

  /** @param read the number of the step whose codes it takes, else 0 @returns its number, from 1 */
  add(kind: StepKind, read: number, ...numbers: readonly number[]): number {
    const step = [STEPS.indexOf(kind), read, ...numbers]
    this.#words.push(...step, ...new Array(STEP_WORDS - step.length).fill(0))
    return this.size
  }

  /**
   * The number of the step that reads the codes of a column, four bytes each.
   * @throws DamagedFileError when they do not load
   */
  codes(column: number): number {
    return this.#codes.getOrInsertComputed(column, () => {
      const codes = this.#dataset.segment(column, 'codes')
      return this.add('read', 0, codes, this.#dataset.columns[column]!.codeWidth, this.#buffer(4))
    })
  }

  /** The same for a column's numbers by row, `width` bytes each. */
  numbers(at: number, width: number): number {
    return this.add('pick', 0, at, width, this.#buffer(width))
  }

  /** The same for numbers parsed from the dictionary, eight bytes each. @throws as `codes` */
  parsed(column: number, places: number): number {
    const [offsets, heap] = [this.#dataset.segment(column, 'offsets'), this.#dataset.segment(column, 'heap')]
    return this.add('parse', this.codes(column), offsets, heap, places, this.#buffer(8))
  }

  /** A number in a step, which the kernel may have changed. */
  at(step: number, place: number): number {
    return this.#dataset.regions.words[this.#wordOf(step, place)]!
  }

  change(step: number, place: number, number: number): void {
    this.#dataset.regions.words[this.#wordOf(step, place)] = number
  }

  /** The call that takes the steps for some rows. @param groups address of the groups of all these rows, or of one block */
  call({ mask, rows }: Matches, { from, total }: RowShare, groups: number, keepsGroups: boolean) {
    if (mask !== 0) this.#listed ||= this.#buffer(4)
    const where = [mask, rows, from, total, this.#listed, groups, keepsGroups ? 1 : 0] as const
    return ['takeSteps', this.#write(), this.size, ...where] as const satisfies KernelCall
  }

  #buffer(bytes: number): number {
    return this.#scratch.allocate(BLOCK_ROWS * bytes)
  }

  #wordOf(step: number, place: number): number {
    return this.#write() / 4 + (step - 1) * STEP_WORDS + place
  }

  /** Writes the steps once; none may be added afterwards. @returns their address */
  #write(): number {
    if (this.#at === 0) {
      this.#at = this.#scratch.allocate(this.#words.length * 4)
      this.#dataset.regions.words.set(this.#words, this.#at / 4)
    }
    return this.#at
  }
}
