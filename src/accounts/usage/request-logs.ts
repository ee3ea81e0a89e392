/** The request log: its records, and upkeep of them in the background. */
export interface RequestLog {
  /** A page of records, all recorded so far included. @throws Error when the log cannot be read */
  page(query: LogQuery): Promise<LogPage>
  /** Statistics over the last `days` UTC days, today included. @throws Error when the log cannot be read */
  statistics(query: { keyIds: readonly number[]; days: number }, now: Date): Promise<LogStatistics>
  /** The use of datasets, all recorded so far included. @throws Error when it cannot be read */
  use(query: UseQuery): Promise<FoundUse>
  /** Resolves when everything recorded so far is among the rows of the log. */
  settle(): Promise<void>
  /** Removes records from before a moment, then the oldest beyond a number of rows, and what deleted keys left. */
  retain(before: Date, rows: number): Promise<void>
  /** Upkeep runs in the background from now on; before, the caller waits for it. */
  start(): void
  /** Records were written. */
  noteWritten(): void
  /** Removes the records of keys that were erased. */
  eraseSoon(): void
  /** Ends upkeep. Queries that wait are rejected. */
  close(): void
}

/**
 * Queries of the request log. A worker thread answers them and does the log's upkeep; it starts with the service, and the
 * next task starts it again after a failure.
 */

import { requireThreadFiles } from '../../base/process/open-files.ts'
import { fromSources } from '../../base/process/own-command.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { UsageDb } from '../../db/usage.ts'
import { dayNumber } from './calendar.ts'
import type { FoundUse, UseQuery } from './dataset-use.ts'
import type { LogPage, LogQuery } from './log-record.ts'
import type { LogStatistics } from './log-statistics.ts'
import { LogUpkeep } from './log-upkeep.ts'
import type { LogAnswer, LogTask, LogWork } from './log-worker.ts'

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** In an executable all modules of the program lie in its root; its threads keep their paths. */
const WORKER = new URL(fromSources ? './log-worker.ts' : './accounts/usage/log-worker.ts', import.meta.url)

/** Between two rounds of unpacking recorded lines into rows: large rounds cost less. */
const UNPACK_MS = 1000
/** After a round that failed. */
const RETRY_MS = 60_000
const DAY_S = 86_400
/** Upkeep that an earlier process left. */
const UNFINISHED = 'SELECT EXISTS (SELECT 1 FROM log_inbox) OR EXISTS (SELECT 1 FROM erased_keys)'

export class RequestLogs implements RequestLog {
  readonly #path: string
  readonly #db: UsageDb
  readonly #flush: () => ValueOrPromise<void>
  readonly #failed: (error: unknown) => void
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #tasks = 0
  #serving = false
  #unpacking: ReturnType<typeof setTimeout> | undefined
  #closed = false

  /**
   * @param path of `usage.db`
   * @param db the same, for a look at what an earlier process left
   * @param flush writes what the recorder still holds
   * @param failed gets the errors of upkeep in the background, which is repeated
   */
  constructor(
    path: string,
    db: UsageDb,
    flush: () => ValueOrPromise<void>,
    failed: (error: unknown) => void,
  ) {
    this.#db = db
    this.#path = path
    this.#flush = flush
    this.#failed = failed
  }

  async page(query: LogQuery): Promise<LogPage> {
    await this.settle()
    return this.#ask('page', query)
  }

  async statistics(query: { keyIds: readonly number[]; days: number }, now: Date): Promise<LogStatistics> {
    await this.settle()
    const since = (dayNumber(now) - query.days + 1) * DAY_S
    return this.#ask('statistics', { ...query, since })
  }

  async use(query: UseQuery): Promise<FoundUse> {
    await this.#flush()
    return this.#ask('use', query)
  }

  async settle(): Promise<void> {
    await this.#flush()
    await this.#ask('unpack', null)
  }

  async retain(before: Date, rows: number): Promise<void> {
    await this.settle()
    await this.#ask('erase', seconds(new Date()))
    await this.#ask('retain', { before: seconds(before), rows })
  }

  start(): void {
    this.#serving = true
    this.#started()
    void withValue(this.#db.ask(UNFINISHED, []), ([found]) => {
      if (found?.[0] === 1) this.eraseSoon()
    })
  }

  /** They become rows within a second. */
  noteWritten(): void {
    if (this.#serving && this.#unpacking === undefined) this.#unpackAfter(UNPACK_MS)
  }

  eraseSoon(): void {
    if (this.#serving) {
      this.#later('unpack', null)
      this.#later('erase', seconds(new Date()))
      return
    }
    const upkeep = new LogUpkeep(this.#path)
    for (const _ of upkeep.unpack());
    for (const _ of upkeep.erase(seconds(new Date())));
    upkeep.close()
  }

  /** Lets the worker finish its task. Queries that wait are rejected. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#unpacking)
    this.#worker?.postMessage({ id: 0, kind: 'close', input: null } satisfies LogTask)
    this.#fail(new Error('the log is closed'))
  }

  #unpackAfter(milliseconds: number): void {
    clearTimeout(this.#unpacking)
    this.#unpacking = setTimeout(() => {
      this.#unpacking = undefined
      this.#later('unpackSome', null, (more) => more && this.noteWritten())
    }, milliseconds)
    this.#unpacking.unref()
  }

  /** Work in the background. A later round repeats what fails. */
  #later<K extends keyof LogWork>(
    kind: K,
    input: LogWork[K]['takes'],
    then: (value: LogWork[K]['gives']) => void = () => {},
  ): void {
    this.#ask(kind, input).then(then, (error) => {
      if (this.#closed) return
      this.#failed(error)
      this.#unpackAfter(RETRY_MS)
    })
  }

  async #ask<K extends keyof LogWork>(kind: K, input: LogWork[K]['takes']): Promise<LogWork[K]['gives']> {
    if (this.#closed) throw new Error('the log is closed')
    const worker = this.#started()
    return await new Promise((resolve, reject) => {
      const id = ++this.#tasks
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
      worker.postMessage({ id, kind, input } satisfies LogTask)
    })
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker
    requireThreadFiles()
    const worker = new Worker(WORKER)
    worker.onmessage = ({ data }: MessageEvent<LogAnswer>) => this.#answer(data)
    worker.onerror = (event) => {
      worker.terminate()
      this.#worker = undefined
      this.#fail(new Error(event.message))
    }
    worker.unref()
    this.#worker = worker
    this.#later('open', this.#path)
    return worker
  }

  #answer({ id, value, error }: LogAnswer): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve(value)
    else waiting?.reject(new Error(error))
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}
