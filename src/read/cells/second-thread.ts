/**
 * The other thread of an ingest (`second-thread-worker.ts`), seen from the main one: it sends blocks, never more than a
 * few ahead, takes over the encoded columns at the end, and then asks for sorting and hashing. On two cores an ingest of
 * 230 MB takes 2.9 s with it and 5.0 s without, best of five alternating runs.
 */

import { availableParallelism } from 'node:os'
import { CommandError } from '../../base/errors.ts'
import { fromSources } from '../../base/process/own-command.ts'
import type { ColumnType, RawEntries } from '../../engine/columns/column.ts'
import type { SortedEntries } from '../../engine/columns/dictionary.ts'
import type { RecordSplitter } from '../records/record-splitter.ts'
import { READ_AHEAD } from '../records/separators.ts'
import type { Failed, ThreadAnswer, ThreadStart, ThreadTask } from './second-thread-worker.ts'

/** Bytes of a file from which on a second thread is worth its start. */
export const SECOND_THREAD_FROM_BYTES = 1 << 25

/** The lanes that another thread encodes; none of a file below `fromBytes`, and none where there is only one core. */
export function lanesElsewhere(lanes: number, fileBytes: number, fromBytes: number): number[] {
  if (fileBytes < fromBytes || availableParallelism() < 2) return []
  // Reading and splitting take the main thread about as long as encoding half of the columns.
  return Array.from({ length: lanes }, (_, lane) => lane).filter((lane) => lane % 4 !== 0)
}

/** Ends with `stop`, whatever happened. */
export class SecondThread {
  /** Memory that its tables take. */
  bytes = 0
  /** In an executable all modules of the program lie in its root; its threads keep their paths. */
  readonly #worker = new Worker(
    new URL(
      fromSources ? './second-thread-worker.ts' : './read/cells/second-thread-worker.ts',
      import.meta.url,
    ),
  )
  readonly #idle: ArrayBuffer[] = []
  #ahead = 0
  #sealed: Sealed | null = null
  readonly #sorted = new Map<number, SortedEntries>()
  #sha256: string | null = null
  /** Orders and hashes that were asked for and are not there yet. */
  #asked = 0
  #failure: CommandError | null = null
  #closed = false
  #wake: () => void = () => {}

  constructor(start: ThreadStart) {
    this.#worker.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => this.#receive(data)
    this.#worker.onerror = (event) => {
      event.preventDefault()
      this.#fail({ message: event.message })
    }
    this.#worker.addEventListener('close', () => {
      this.#closed = true
      this.#fail({ message: 'it ended early' })
    })
    this.#post({ start })
  }

  /** Waits until there is room for another block. @throws CommandError what the other thread failed with */
  async ready(): Promise<void> {
    // Blocks on their way are enough to outlast a moment in which one thread is slower.
    await this.#until(() => this.#ahead < 4)
  }

  /** Gives the rows of the block that was just split; it may be changed afterwards. */
  send({ rows, width, starts, ends, usedBytes }: RecordSplitter, bytes: Uint8Array): void {
    const cells = rows * width
    const from = 2 * cells * Uint32Array.BYTES_PER_ELEMENT
    const room = from + usedBytes + READ_AHEAD
    let buffer = this.#idle.pop()
    if (buffer === undefined || buffer.byteLength < room) {
      // Given back at once: on a busy machine garbage of megabytes gathers faster than it is collected.
      buffer?.transfer(0)
      buffer = new ArrayBuffer(room + room / 8)
    }
    new Uint32Array(buffer, 0, cells).set(starts.subarray(0, cells))
    new Uint32Array(buffer, from / 2, cells).set(ends.subarray(0, cells))
    new Uint8Array(buffer, from).set(bytes.subarray(0, usedBytes))
    this.#ahead++
    this.#post({ block: { buffer, rows, width } }, [buffer])
  }

  /** What became of all blocks. @throws as `ready` */
  async seal(): Promise<Sealed> {
    this.#post('seal')
    await this.#until(() => this.#sealed !== null)
    for (const buffer of this.#idle.splice(0)) buffer.transfer(0)
    return this.#sealed as Sealed
  }

  /** Asks for the order of a column's entries, which are copied. */
  askOrder(column: number, type: ColumnType, { heap, offsets }: RawEntries): void {
    const entries = { heap: heap.slice(), offsets: offsets.slice() }
    this.#asked++
    this.#post({ sort: { column, type, entries } }, [entries.heap.buffer, entries.offsets.buffer])
  }

  /** What was asked with `askOrder`, once. @throws as `ready` */
  async order(column: number): Promise<SortedEntries> {
    await this.#until(() => this.#sorted.has(column))
    const sorted = this.#sorted.get(column) as SortedEntries
    this.#sorted.delete(column)
    return sorted
  }

  /** Asks for the SHA-256 of a file. */
  askHash(path: string): void {
    this.#asked++
    this.#post({ hash: path })
  }

  /** What was asked with `askHash`, in lower-case hex. @throws as `ready` */
  async hash(): Promise<string> {
    await this.#until(() => this.#sha256 !== null)
    return this.#sha256 as string
  }

  /** Ends the thread and waits for its end: it may be at work on its spill, unless that is sealed. */
  async stop(): Promise<void> {
    if (this.#sealed !== null && this.#asked > 0) this.kill()
    else this.#post('stop')
    while (!this.#closed) await this.#pause()
  }

  kill(): void {
    this.#worker.terminate()
  }

  async #until(isDone: () => boolean): Promise<void> {
    while (!isDone() && this.#failure === null) await this.#pause()
    if (this.#failure) throw this.#failure
  }

  #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    return promise
  }

  #receive(answer: ThreadAnswer): void {
    if ('failed' in answer) this.#fail(answer.failed)
    else if ('sealed' in answer) this.#sealed = answer.sealed
    else if ('sorted' in answer) {
      this.#asked--
      this.#sorted.set(answer.column, answer.sorted)
    } else if ('sha256' in answer) {
      this.#asked--
      this.#sha256 = answer.sha256
    } else {
      this.#ahead--
      this.bytes = answer.bytes
      // Used again, unless a record of many megabytes left it behind.
      if (answer.buffer.byteLength <= 1 << 22) this.#idle.push(answer.buffer)
      else answer.buffer.transfer(0)
    }
    this.#wake()
  }

  /** A full disk is known by the code, as anywhere in the ingest (`disk.ts`). */
  #fail({ message, kind, code, reasons }: Failed): void {
    const text =
      kind === undefined
        ? `the file could not be read to its end: a thread of the ingest failed: ${message}`
        : message
    const error = new CommandError(kind ?? 'failed', text, null, reasons)
    this.#failure ??= code === undefined ? error : Object.assign(error, { code })
    this.#wake()
  }

  #post(task: ThreadTask, moved: ArrayBuffer[] = []): void {
    if (!this.#closed) this.#worker.postMessage(task, moved)
  }
}

type Sealed = Extract<ThreadAnswer, { sealed: unknown }>['sealed']
