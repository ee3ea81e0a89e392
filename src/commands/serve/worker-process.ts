/** One worker, as its supervisor sees it. */

import type { Config } from '../../base/config/config.ts'
import { childEnvironment } from '../../base/process/child.ts'
import type { ServiceMetrics } from '../../server/metrics/metrics.ts'
import type { ProcessMetrics } from '../../server/metrics/worker-metrics.ts'

export interface WorkerEnd {
  /** null: a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | number | null
}

export interface WorkerOptions {
  /** The command line that starts the program again. */
  readonly command: readonly string[]
  readonly worker: number
  /** Its share. */
  readonly config: Config
  /** When the service began. */
  readonly startedAt: Date
  /** Gets what it has to tell the other workers. */
  readonly pass: (message: DraftInterrupt) => void
}

/** The command that a worker is started with, which no help shows. */
export const WORKER_COMMAND = 'serve-worker'
/** A worker that does not answer so long is left out of a scrape. In ms. */
const PATIENCE_MS = 1000

export class WorkerProcess {
  readonly #child: ReturnType<typeof Bun.spawn>
  readonly #ready = Promise.withResolvers<Extract<FromWorker, { kind: 'ready' }>>()
  readonly #asked = new Map<number, (metrics: ProcessMetrics) => void>()
  readonly #startedAt = performance.now()
  #questions = 0
  /** Fulfils when it has ended. */
  readonly ended: Promise<WorkerEnd>

  constructor({ command, worker, config, startedAt, pass }: WorkerOptions) {
    this.#child = Bun.spawn([...command, WORKER_COMMAND], {
      ...{ env: childEnvironment(), stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' },
      serialization: 'json',
      ipc: (message) => this.#receive(message as FromWorker, pass),
    })
    this.ended = this.#child.exited.then(() => {
      const { exitCode: code, signalCode: signal } = this.#child
      return { code, signal }
    })
    this.send({ kind: 'start', worker, config, startedAt: startedAt.toISOString() })
  }

  get pid(): number {
    return this.#child.pid
  }

  /** Fulfils when it accepts requests; never when it ends before. */
  get ready(): Promise<{ readonly url: string; readonly datasets: number }> {
    return this.#ready.promise
  }

  /** Milliseconds since it was started. */
  get age(): number {
    return performance.now() - this.#startedAt
  }

  /** Never fails: what is sent to a process that has ended is lost. */
  send(message: ToWorker): void {
    try {
      this.#child.send(message)
    } catch {
      // It has ended.
    }
  }

  /** A part of its metrics; undefined when it does not answer in time. */
  async metrics(part: MetricsPart): Promise<ProcessMetrics | undefined> {
    const id = ++this.#questions
    const { promise, resolve } = Promise.withResolvers<ProcessMetrics | undefined>()
    const timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
    this.#asked.set(id, resolve)
    void this.ended.then(() => resolve(undefined))
    this.send({ kind: 'metrics', id, part })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#asked.delete(id)
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #receive(message: FromWorker, pass: (message: DraftInterrupt) => void): void {
    if (message.kind === 'ready') this.#ready.resolve(message)
    else if (message.kind === 'metrics') this.#asked.get(message.id)?.(message.metrics)
    else pass(message)
  }
}

export type ToWorker =
  /** The first message: serve, with the worker's share of what is divided. */
  | { readonly kind: 'start'; readonly worker: number; readonly config: Config; readonly startedAt: string }
  /** Let running requests end, then end. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'reload'; readonly logLevel: string }
  | { readonly kind: 'metrics'; readonly id: number; readonly part: MetricsPart }
  | DraftInterrupt

export type FromWorker =
  /** Requests are accepted. */
  | { readonly kind: 'ready'; readonly url: string; readonly datasets: number }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: ProcessMetrics }
  | DraftInterrupt

/** The process that works on a draft is to end, in whichever worker started it. */
export interface DraftInterrupt {
  readonly kind: 'interrupt_draft'
  readonly draft: string
}

export type MetricsPart = keyof ServiceMetrics
