/**
 * Cuts the plain records of a block in WebAssembly: 32 MB of trade data take 20 ms, and 57 ms in JavaScript. An ingest of
 * 230 MB ends 0.3 to 0.5 s sooner. `assembly/plain-records.ts` says what they are; `build/kernel.ts` compiles it.
 */

import { readFileSync } from 'node:fs'
import cutterFile from './plain-records.wasm' with { type: 'file' }
import type { Separators } from './separators.ts'

/** The arguments of `cutPlainRecords` are those of the AssemblyScript function. */
interface Cutter {
  cutPlainRecords(...numbers: number[]): number
  stoppedAt(): number
}

const PAGE = 65536
/** Bytes read past the end of a block. */
const SLACK = 64
/** Cells in one call: their bounds are copied while they are in the processor's cache. */
const MOST_CELLS = 1 << 14
const NO_QUOTE = 256

let compiled: WebAssembly.Module | null = null

export class PlainRecordCutter {
  readonly #memory = new WebAssembly.Memory({ initial: 1 })
  readonly #cutter: Cutter
  readonly #delimiter: number
  readonly #quote: number
  readonly #width: number
  /** Records that one call may cut. */
  readonly #most: number
  readonly #block: number
  #length = 0

  constructor({ delimiter, quote }: Separators, width: number) {
    compiled ??= new WebAssembly.Module(readFileSync(cutterFile))
    const instance = new WebAssembly.Instance(compiled, { env: { memory: this.#memory } })
    this.#cutter = instance.exports as unknown as Cutter
    this.#delimiter = delimiter
    this.#quote = quote < 0 ? NO_QUOTE : quote
    this.#width = width
    this.#most = Math.max(1, Math.floor(MOST_CELLS / width))
    // The assembly may begin one record more than it cuts.
    this.#block = Math.ceil((8 * (width + 1) * (this.#most + 1)) / SLACK) * SLACK
    this.#makeRoom(this.#block)
  }

  /** Loads the block to cut from. */
  load(bytes: Uint8Array, length: number): void {
    this.#makeRoom(this.#block + length + SLACK)
    new Uint8Array(this.#memory.buffer, this.#block, length).set(bytes.subarray(0, length))
    this.#length = length
  }

  /**
   * The plain records of the block from a position on, as many as one call cuts; null: the next one is not plain.
   * @returns positions in the block, valid until the next call: `next` is the start of the next record; cell (record,
   * column) is at record * width + column
   */
  cut(from: number) {
    const width = this.#width
    const most = this.#most
    const cellBytes = 4 * width * (most + 1)
    const records = 2 * cellBytes
    const ends = records + 4 * (most + 1)
    // biome-ignore format: eleven arguments, one call
    const count = this.#cutter.cutPlainRecords(this.#block, from, this.#length, this.#delimiter, this.#quote, width, most, 0, cellBytes, records, ends)
    if (count === 0) return null
    const { buffer } = this.#memory
    return {
      count,
      next: this.#cutter.stoppedAt() >>> 0,
      starts: new Uint32Array(buffer, 0, count * width),
      ends: new Uint32Array(buffer, cellBytes, count * width),
      recordStarts: new Uint32Array(buffer, records, count),
      recordEnds: new Uint32Array(buffer, ends, count),
    }
  }

  #makeRoom(bytes: number): void {
    const missing = bytes - this.#memory.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE))
  }
}
