/** One worker, as its supervisor sees it. */

import type { Config } from '../../base/config/config.ts'
import type { LoadedConfig } from '../../base/config/load.ts'
import { childEnvironment } from '../../base/process/child.ts'
import type { ServiceMetrics } from '../../server/metrics/metrics.ts'
import type { ProcessMetrics } from '../../server/metrics/worker-metrics.ts'

/** `code` is null when a signal ended it. */
export type WorkerEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | number | null }

/** The command that starts a worker; no help shows it. */
export const WORKER_COMMAND = 'serve-worker'
/** A worker that takes longer to answer is left out of a scrape. */
const PATIENCE_MS = 1000

export class WorkerProcess {
  readonly #child: ReturnType<typeof Bun.spawn>
  readonly #ready = Promise.withResolvers<Extract<FromWorker, { kind: 'ready' }>>()
  readonly #asked = new Map<number, (metrics: ProcessMetrics) => void>()
  readonly #startedAt = performance.now()
  #questions = 0
  readonly ended: Promise<WorkerEnd>

  /**
   * @param command the command line that starts the program again
   * @param start when the service began, and the worker's share of the settings
   * @param pass gets its messages to the other workers
   */
  constructor(
    command: readonly string[],
    start: Omit<Extract<ToWorker, { kind: 'start' }>, 'kind'>,
    pass: (message: DraftInterrupt) => void,
  ) {
    this.#child = Bun.spawn([...command, WORKER_COMMAND], {
      env: childEnvironment(),
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
      serialization: 'json',
      ipc: (received) => {
        const message = received as FromWorker
        if (message.kind === 'ready') this.#ready.resolve(message)
        else if (message.kind === 'metrics') this.#asked.get(message.id)?.(message.metrics)
        else pass(message)
      },
    })
    this.ended = this.#child.exited.then(() => {
      const { exitCode: code, signalCode: signal } = this.#child
      return { code, signal }
    })
    this.send({ kind: 'start', ...start })
  }

  get pid(): number {
    return this.#child.pid
  }

  /** Resolves when it accepts requests; never if it ends before that. */
  get ready(): Promise<{ readonly url: string; readonly datasets: number }> {
    return this.#ready.promise
  }

  /** Milliseconds since it was started. */
  get age(): number {
    return performance.now() - this.#startedAt
  }

  /** Never throws: a message to a process that has ended is lost. */
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
}

export type ToWorker =
  /** The first message: serve, with the worker's share of the settings. */
  | {
      readonly kind: 'start'
      readonly worker: number
      readonly config: Config
      readonly given: LoadedConfig
      readonly startedAt: string
    }
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

/** Ends the process that works on a draft, in the worker that started it. */
export interface DraftInterrupt {
  readonly kind: 'interrupt_draft'
  readonly draft: string
}

export type MetricsPart = keyof ServiceMetrics
