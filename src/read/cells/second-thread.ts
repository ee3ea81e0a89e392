/**
 * The main thread's side of an ingest's other thread (`second-thread-worker.ts`): it sends blocks, never more than a few
 * ahead, takes over the encoded columns at the end, and then asks for sorting and hashing. On two cores an ingest of 230 MB
 * takes 2.9 s with it and 5.0 s without, best of five alternating runs.
 */

import { availableParallelism } from 'node:os'
import { CommandError } from '../../base/errors.ts'
import { fromSources } from '../../base/process/own-command.ts'
import type { ColumnType, RawEntries } from '../../engine/columns/column.ts'
import type { SortedEntries } from '../../engine/columns/dictionary.ts'
import type { RecordSplitter } from '../records/record-splitter.ts'
import { READ_AHEAD } from '../source/block-reader.ts'
import type { Failed, Sealed, ThreadAnswer, ThreadStart, ThreadTask } from './second-thread-worker.ts'

/** File size in bytes from which a second thread is worth starting. */
export const SECOND_THREAD_FROM_BYTES = 1 << 25

/** The lanes that another thread encodes; none for a file below `fromBytes`, or with only one core. */
export function lanesElsewhere(lanes: number, fileBytes: number, fromBytes: number): number[] {
  if (fileBytes < fromBytes || availableParallelism() < 2) return []
  // Reading and splitting take the main thread about as long as encoding half of the columns.
  return Array.from({ length: lanes }, (_, lane) => lane).filter((lane) => lane % 4 !== 0)
}

/** Must be ended with `stop`, whatever happens. */
export class SecondThread {
  /** Memory of its tables, in bytes. */
  bytes = 0
  /** In an executable all modules are in its root; only threads keep their paths. */
  readonly #worker = new Worker(
    new URL(
      fromSources ? './second-thread-worker.ts' : './read/cells/second-thread-worker.ts',
      import.meta.url,
    ),
  )
  readonly #idle: ArrayBuffer[] = []
  /** Those waiting for answers, in order; and the blocks among them. */
  readonly #waiting: PromiseWithResolvers<unknown>[] = []
  readonly #blocks: Promise<unknown>[] = []
  readonly #closed = Promise.withResolvers<void>()
  #isClosed = false
  #isSealed = false
  #failure: CommandError | null = null

  constructor(start: ThreadStart) {
    this.#worker.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => this.#receive(data)
    this.#worker.onerror = (event) => {
      event.preventDefault()
      this.#fail({ message: event.message })
    }
    this.#worker.addEventListener('close', () => {
      this.#isClosed = true
      this.#fail({ message: 'it ended early' })
      this.#closed.resolve()
    })
    this.#post({ start })
  }

  /** Waits until there is room for another block. @throws CommandError the failure of the other thread */
  async ready(): Promise<void> {
    // A few blocks in transit bridge a moment in which one thread is slower.
    if (this.#blocks.length > 3) await this.#blocks.shift()
    if (this.#failure) throw this.#failure
  }

  /** Sends the rows of the block that was just split; it may be changed afterwards. */
  send({ rows, width, starts, ends, usedBytes }: RecordSplitter, bytes: Uint8Array): void {
    const cells = rows * width
    const from = 2 * cells * Uint32Array.BYTES_PER_ELEMENT
    const room = from + usedBytes + READ_AHEAD
    let buffer = this.#idle.pop()
    if (buffer === undefined || buffer.byteLength < room) {
      // Freed at once: on a busy machine, garbage of megabytes accumulates faster than it is collected.
      buffer?.transfer(0)
      buffer = new ArrayBuffer(room + room / 8)
    }
    new Uint32Array(buffer, 0, cells).set(starts.subarray(0, cells))
    new Uint32Array(buffer, from / 2, cells).set(ends.subarray(0, cells))
    new Uint8Array(buffer, from).set(bytes.subarray(0, usedBytes))
    this.#blocks.push(this.#ask({ block: { buffer, rows, width } }, [buffer]))
  }

  /** The result of all blocks. @throws as `ready` */
  async seal(): Promise<Sealed> {
    const sealed = await this.#ask<Sealed>('seal')
    this.#isSealed = true
    for (const buffer of this.#idle.splice(0)) buffer.transfer(0)
    return sealed
  }

  /** The order of a column's entries, which are copied. @throws as `ready` */
  sort(type: ColumnType, { heap, offsets }: RawEntries): Promise<SortedEntries> {
    const entries = { heap: heap.slice(), offsets: offsets.slice() }
    return this.#ask({ sort: { type, entries } }, [entries.heap.buffer, entries.offsets.buffer])
  }

  /** The SHA-256 of a file, in lower-case hex. @throws as `ready` */
  hash(path: string): Promise<string> {
    return this.#ask({ hash: path })
  }

  /** Ends the thread and waits for its end: it may be writing its spill, unless that is sealed. */
  async stop(): Promise<void> {
    if (this.#isSealed && this.#waiting.length > 0) this.kill()
    else this.#post('stop')
    await this.#closed.promise
  }

  kill(): void {
    this.#worker.terminate()
  }

  /** @returns a promise that may be ignored: when it fails, the caller may have given up */
  #ask<T>(task: ThreadTask, moved: ArrayBuffer[] = []): Promise<T> {
    const asked = Promise.withResolvers<T>()
    asked.promise.catch(() => {})
    if (this.#failure) asked.reject(this.#failure)
    else this.#waiting.push(asked as PromiseWithResolvers<unknown>)
    this.#post(task, moved)
    return asked.promise
  }

  #receive(message: ThreadAnswer): void {
    if ('failed' in message) {
      this.#fail(message.failed)
      return
    }
    if ('buffer' in message) {
      this.bytes = message.bytes
      // Reused, unless a very long record made it too large.
      if (message.buffer.byteLength <= 1 << 22) this.#idle.push(message.buffer)
      else message.buffer.transfer(0)
    }
    this.#waiting.shift()?.resolve('answer' in message ? message.answer : undefined)
  }

  /** A full disk is recognized by the code, as everywhere in the ingest (`disk.ts`). */
  #fail({ message, kind, code, reasons }: Failed): void {
    const text =
      kind === undefined
        ? `the file could not be read to its end: a thread of the ingest failed: ${message}`
        : message
    const error = new CommandError(kind ?? 'failed', text, null, reasons)
    this.#failure ??= code === undefined ? error : Object.assign(error, { code })
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure)
  }

  #post(task: ThreadTask, moved: ArrayBuffer[] = []): void {
    if (!this.#isClosed) this.#worker.postMessage(task, moved)
  }
}
