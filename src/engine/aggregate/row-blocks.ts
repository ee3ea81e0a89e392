/** The rows that filters match, block by block, with the codes of each block where the kernel groups and measures them. */

import type { Matches } from '../filter/matches.ts'
import { maskWords, type OpenDataset } from '../memory/open-dataset.ts'
import type { Scratch } from '../memory/scratch.ts'

/** Rows of a block: what is made of them stays in the processor's nearest caches. */
export const BLOCK_ROWS = 4096

export class RowBlocks {
  /** Rows of this block, and how many came before. */
  count = 0
  before = 0
  readonly #dataset: OpenDataset
  readonly #matches: Matches
  readonly #scratch: Scratch
  /** Address of the block's row numbers; 0: they follow one another. */
  #rows = 0
  #from = 0
  readonly #buffers = new Map<number, number>()
  readonly #listed: number

  constructor(dataset: OpenDataset, matches: Matches, scratch: Scratch) {
    this.#dataset = dataset
    this.#matches = matches
    this.#scratch = scratch
    this.#listed = matches.mask === 0 ? 0 : scratch.allocate(BLOCK_ROWS * 4)
  }

  next(): boolean {
    const { mask, rows, total } = this.#matches
    this.before += this.count
    if (this.before >= total) return false
    this.#from += this.#rows === 0 ? this.count : 0
    this.count = Math.min(BLOCK_ROWS, total - this.before)
    if (rows !== 0) this.#rows = rows + this.before * 4
    if (mask !== 0) {
      const { kernel, regions, rows: all } = this.#dataset
      const from = this.before === 0 ? 0 : this.#from
      this.#rows = this.#listed
      kernel.collect(mask, from, maskWords(all), this.#rows, this.count)
      this.#from = regions.words[this.#rows / 4 + this.count - 1]! + 1
    }
    return true
  }

  /** Address of the block's numbers, of those of a column by row, until the next block. */
  numbers({ at, width, block }: { at: number; width: number; block: number }): number {
    if (this.#rows === 0) return at + this.#from * width
    this.#dataset.kernel.pickNumbers(at, width, this.#rows, this.count, block)
    return block
  }

  /**
   * Address of the block's codes in a column, four bytes each, until the next block.
   * @throws DamagedFileError when the codes do not load
   */
  codes(column: number): number {
    const { codeWidth } = this.#dataset.columns[column]!
    const codes = this.#dataset.segment(column, 'codes')
    if (codeWidth === 4 && this.#rows === 0) return codes + this.#from * 4
    let buffer = this.#buffers.get(column)
    if (buffer === undefined) {
      buffer = this.#scratch.allocate(BLOCK_ROWS * 4)
      this.#buffers.set(column, buffer)
    }
    this.#dataset.kernel.readCodes(codes, codeWidth, this.#rows, this.#from, this.count, buffer)
    return buffer
  }
}
