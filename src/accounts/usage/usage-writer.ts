/**
 * Writes pending usage: everything from 50 ms in one transaction. A flush that fails (a full disk) keeps its counts and
 * is repeated a second later; log records are kept up to a bound, then dropped and reported to `onDropped`.
 */

import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { PendingUsage, UsageBatch } from './pending-usage.ts'
import type { UsageTables } from './usage-tables.ts'

export interface WriterOptions {
  /** Called once for each failed attempt. */
  readonly onError?: (error: unknown) => void
  /** Called with the number of log records lost to a failing disk. */
  readonly onDropped?: (records: number) => void
}

const GATHER_MS = 50
const RETRY_MS = 1000
/** Pause while another thread or process writes, which takes a millisecond or two. */
const BUSY_RETRY_MS = 10
/** Attempts in a row after which a busy file counts as a failure. */
const MOST_BUSY = 100

export class UsageWriter {
  readonly #pending: PendingUsage
  readonly #store: UsageTables
  readonly #options: WriterOptions
  readonly #onWritten: (batch: UsageBatch) => void
  #busyInRow = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<boolean> | undefined
  isClosed = false

  /** @param onWritten called with each batch once it is committed */
  constructor(
    pending: PendingUsage,
    store: UsageTables,
    options: WriterOptions,
    onWritten: (batch: UsageBatch) => void,
  ) {
    this.#pending = pending
    this.#store = store
    this.#options = options
    this.#onWritten = onWritten
  }

  /** Schedules a flush, unless one is scheduled. */
  soon(): void {
    this.#timer ??= setTimeout(() => void this.flush(false), GATHER_MS)
  }

  /** As `UsageRecorder.flush`. */
  flush(patient: boolean): ValueOrPromise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#writing !== undefined) return this.#writing.then(() => this.flush(patient))
    if (this.isClosed || this.#pending.isEmpty) return
    // After a repeated batch, what gathered since it failed is written too.
    const again = this.#pending.isRepeated
    try {
      const written = this.#pending.write((batch) =>
        withValue(this.#store.write(batch, patient), () => {
          this.#onWritten(batch)
          this.#busyInRow = 0
          this.#tellDropped()
        }),
      )
      if (written instanceof Promise) {
        const failed = (error: unknown) => this.#failed(error)
        // What gathers meanwhile is written afterwards.
        this.#writing = written
          .then(() => true, failed)
          .finally(() => {
            this.#writing = undefined
            if (!this.#pending.isEmpty) this.soon()
          })
        return this.#writing.then((isWritten) => (again && isWritten ? this.flush(patient) : undefined))
      }
      if (again) return this.flush(patient)
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Nothing is written from now on. */
  stop(): void {
    clearTimeout(this.#timer)
    this.isClosed = true
  }

  #failed(error: unknown): false {
    const busy = (error as { code?: string }).code === 'SQLITE_BUSY' && ++this.#busyInRow < MOST_BUSY
    this.#timer = setTimeout(() => void this.flush(false), busy ? BUSY_RETRY_MS : RETRY_MS)
    if (busy) return false
    this.#busyInRow = 0
    this.#options.onError?.(error)
    this.#tellDropped()
    return false
  }

  #tellDropped(): void {
    const dropped = this.#pending.takeDropped()
    if (dropped > 0) this.#options.onDropped?.(dropped)
  }
}
