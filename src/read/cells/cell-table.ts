/**
 * The distinct cells of one column, found by their bytes. A cell becomes a small number (1, 2, 3 … in order of first
 * occurrence; 0 is the empty cell) without creating a JavaScript string.
 *
 * Why it is fast: a cell of up to eight bytes, which most cells are, lives inside its slot of the hash table and is
 * compared as two integers. Longer cells keep two independent hashes there, and their bytes are compared only when both
 * match. A slot is four integers, so a look-up usually touches a single cache line.
 */

import { machineMemory } from '../../base/process/machine.ts'
import { discard, enlarge } from '../../engine/columns/byte-sink.ts'
import type { RecordSplitter } from '../records/record-splitter.ts'
import { refuse } from '../report/reasons.ts'
import { READ_AHEAD } from '../source/block-reader.ts'

const SLOT = 4
const INLINE_BYTES = 8
const FIRST_SLOTS = 64
const LARGEST_HEAP = 0xf000_0000
/** Keeps the first k bytes of a little-endian word. */
const WORD_MASK = new Int32Array([0, 0xff, 0xffff, 0xffffff, -1])

/** The bounds of a block's cells within its bytes. */
type CellBlock = Pick<RecordSplitter, 'starts' | 'ends' | 'width' | 'rows'> & { readonly view: DataView }

/** The cells of a table that takes no more look-ups. */
export type SealedTable = ReturnType<CellTable['take']>

export class CellTable {
  /** Distinct cells so far; their ids are 1..count. */
  count = 0
  #slots = new Int32Array(FIRST_SLOTS * SLOT)
  #mask = FIRST_SLOTS - 1
  #heap = new Uint8Array(1024)
  #heapView = new DataView(this.#heap.buffer)
  #offsets = new Uint32Array(65)
  readonly #seed: number

  /** @param seed any 32 bits; a fresh one for each run keeps a crafted file from filling one slot */
  constructor(seed: number) {
    this.#seed = seed | 0
  }

  /** The texts of all distinct cells, one after the other; the bytes belong to the table. */
  entries(): { heap: Uint8Array; offsets: Uint32Array } {
    const offsets = this.#offsets.subarray(0, this.count + 1)
    return { heap: this.#heap.subarray(0, offsets[this.count]), offsets }
  }

  /** Call it once, after the last block: it ends the look-ups. */
  seal(): void {
    discard(this.#slots)
    this.#slots = new Int32Array(0)
  }

  /** Call it instead of `seal`, in another thread: it returns what `adopt` takes. */
  take() {
    this.seal()
    return { count: this.count, heap: this.#heap, offsets: this.#offsets }
  }

  /** Takes over the table that another thread filled. */
  adopt({ count, heap, offsets }: SealedTable): void {
    this.count = count
    this.#heap = heap
    this.#offsets = offsets
  }

  get bytes(): number {
    return this.#heap.byteLength + this.#offsets.byteLength + this.#slots.byteLength
  }

  /** Writes into `ids` the id of each of the block's cells in one column. */
  encode(block: CellBlock, column: number, ids: Uint32Array): void {
    const { view, starts, ends, width, rows } = block
    const seed = this.#seed
    let slots = this.#slots
    let mask = this.#mask
    let heapView = this.#heapView
    let offsets = this.#offsets
    for (let row = 0, cell = column; row < rows; row++, cell += width) {
      const start = starts[cell] as number
      const length = (ends[cell] as number) - start
      if (length === 0) {
        ids[row] = 0
        continue
      }
      let first: number
      let second: number
      if (length <= INLINE_BYTES) {
        first = view.getInt32(start, true) & (length < 4 ? (WORD_MASK[length] as number) : -1)
        second = length <= 4 ? 0 : view.getInt32(start + 4, true) & (WORD_MASK[length - 4] as number)
      } else {
        first = seed
        second = length
        const whole = start + (length & ~3)
        for (let at = start; at < whole; at += 4) {
          const word = view.getInt32(at, true)
          first = Math.imul(first ^ word, 0x2c1b3c6d)
          first ^= first >>> 15
          second = Math.imul(second + word, 0x297a2d39) ^ (second >>> 13)
        }
        const rest = view.getInt32(whole, true) & (WORD_MASK[length & 3] as number)
        first = Math.imul(first ^ rest, 0x2c1b3c6d)
        second = Math.imul(second + rest, 0x297a2d39)
      }
      let hash = Math.imul(first ^ seed, 0x9e3779b1) ^ Math.imul(second + length, 0x85ebca6b)
      hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
      hash ^= hash >>> 13
      let slot = (hash & mask) * SLOT
      for (;;) {
        const id = slots[slot + 3] as number
        if (id === 0) {
          ids[row] = this.#insert(slot, first, second, length, view, start)
          slots = this.#slots
          mask = this.#mask
          heapView = this.#heapView
          offsets = this.#offsets
          break
        }
        if (
          slots[slot] === first &&
          slots[slot + 1] === second &&
          slots[slot + 2] === length &&
          (length <= INLINE_BYTES || sameBytes(heapView, offsets[id - 1] as number, view, start, length))
        ) {
          ids[row] = id
          break
        }
        slot = ((slot / SLOT + 1) & mask) * SLOT
      }
    }
  }

  #insert(
    slot: number,
    first: number,
    second: number,
    length: number,
    view: DataView,
    start: number,
  ): number {
    const from = this.#offsets[this.count] as number
    this.#reserve(from + length)
    const heap = this.#heap
    // Up to this length a loop copies faster than a view is made.
    if (length > 32) heap.set(new Uint8Array(view.buffer, view.byteOffset + start, length), from)
    else for (let i = 0; i < length; i++) heap[from + i] = view.getUint8(start + i)
    const id = ++this.count
    this.#offsets[id] = from + length
    const slots = this.#slots
    slots[slot] = first
    slots[slot + 1] = second
    slots[slot + 2] = length
    slots[slot + 3] = id
    if (id * 2 > this.#mask) this.#rehash()
    return id
  }

  /** Makes room for another entry, which ends at `end` in the heap. */
  #reserve(end: number): void {
    if (end > LARGEST_HEAP)
      throw refuse('too_large', {}, 'one column holds more than 3.7 GiB of distinct text')
    if (end + READ_AHEAD > this.#heap.length) {
      const room = Math.min(LARGEST_HEAP + 16, Math.max(this.#heap.length * 2, end + READ_AHEAD))
      this.#heap = enlarge(this.#heap, room)
      this.#heapView = new DataView(this.#heap.buffer)
    }
    if (this.count + 2 > this.#offsets.length)
      this.#offsets = enlarge(this.#offsets, this.#offsets.length * 2)
  }

  #rehash(): void {
    const old = this.#slots
    const mask = this.#mask * 2 + 1
    const slots = new Int32Array((mask + 1) * SLOT)
    const seed = this.#seed
    for (let at = 0; at < old.length; at += SLOT) {
      if (old[at + 3] === 0) continue
      const first = old[at] as number
      const second = old[at + 1] as number
      let hash = Math.imul(first ^ seed, 0x9e3779b1) ^ Math.imul(second + (old[at + 2] as number), 0x85ebca6b)
      hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
      hash ^= hash >>> 13
      let slot = (hash & mask) * SLOT
      while (slots[slot + 3] !== 0) slot = ((slot / SLOT + 1) & mask) * SLOT
      slots[slot] = first
      slots[slot + 1] = second
      slots[slot + 2] = old[at + 2] as number
      slots[slot + 3] = old[at + 3] as number
    }
    discard(old)
    this.#slots = slots
    this.#mask = mask
  }
}

function sameBytes(a: DataView, aAt: number, b: DataView, bAt: number, length: number): boolean {
  const whole = length & ~3
  for (let i = 0; i < whole; i += 4) {
    if (a.getInt32(aAt + i, true) !== b.getInt32(bAt + i, true)) return false
  }
  for (let i = whole; i < length; i++) {
    if (a.getUint8(aAt + i) !== b.getUint8(bAt + i)) return false
  }
  return true
}

/** Half of the machine's or container's memory; writing the largest column takes some more. */
export function cellMemory(): number {
  return machineMemory() / 2
}

/**
 * @param elsewhere bytes of tables in another thread
 * @throws CommandError `refused` when the tables hold more than `most` bytes
 */
export function refuseTooMuchText(tables: readonly CellTable[], elsewhere: number, most: number): void {
  const bytes = tables.reduce((sum, table) => sum + table.bytes, elsewhere)
  if (bytes <= most) return
  throw refuse(
    'too_large',
    {},
    `its different values take more than ${Math.round(most / 2 ** 20)} MiB, half of this machine's memory`,
  )
}
