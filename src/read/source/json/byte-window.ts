/** A file read from front to back through a window that holds whatever is being looked at. */

import { closeSync, openSync, readSync } from 'node:fs'
import { refuse } from '../../report/reasons.ts'
import type { OnRead } from '../conversion/conversion.ts'

const FIRST_BYTES = 1 << 20
/** One line or element beyond it is not a row. */
const LARGEST = 1 << 26

export class ByteWindow {
  bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(FIRST_BYTES)
  /** Bytes in the window; its place in the file. */
  length = 0
  offset: number
  #ended = false
  readonly #file: number
  readonly #onRead: OnRead

  /** @param onRead told how far the file has been read */
  constructor(path: string, offset: number, onRead: OnRead) {
    this.#file = openSync(path, 'r')
    this.#onRead = onRead
    this.offset = offset
  }

  /**
   * Reads on, dropping what stands before `keep`.
   * @returns how far what is kept has moved to the front, or -1 at the end of the file
   * @throws CommandError `refused` when what is kept is too long
   */
  more(keep: number): number {
    if (this.#ended) return -1
    if (keep > 0) {
      this.bytes.copyWithin(0, keep, this.length)
      this.length -= keep
      this.offset += keep
    }
    if (this.length === this.bytes.length) {
      if (this.length >= LARGEST)
        throw refuse('json_long_row', {}, `longer than ${LARGEST >> 20} MB, at byte ${this.offset}`)
      const larger = Buffer.allocUnsafeSlow(this.length * 2)
      larger.set(this.bytes)
      this.bytes = larger
    }
    const read = readSync(
      this.#file,
      this.bytes,
      this.length,
      this.bytes.length - this.length,
      this.offset + this.length,
    )
    this.length += read
    this.#ended = read === 0
    this.#onRead(this.offset + this.length)
    return keep
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }
}
