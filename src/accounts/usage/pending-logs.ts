/** Log records that wait to be written, up to a bound: what a failing disk cannot take is dropped and counted. */

import { type CallRecord, packCall } from './log-record.ts'

/** In characters; about 100,000 ordinary records. */
const MOST_TEXT = 16 * 2 ** 20

export class PendingLogs {
  /** As `packCall` writes them. */
  lines: string[] = []
  #characters = 0
  #dropped = 0

  add(call: CallRecord): void {
    if (this.#characters > MOST_TEXT) {
      this.#dropped += 1
      return
    }
    const line = packCall(call)
    this.#characters += line.length
    this.lines.push(line)
  }

  /** They are written. */
  clear(): void {
    this.lines = []
    this.#characters = 0
  }

  /** Records dropped since this was asked last. */
  takeDropped(): number {
    const dropped = this.#dropped
    this.#dropped = 0
    return dropped
  }
}
