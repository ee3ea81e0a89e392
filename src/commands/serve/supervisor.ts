/**
 * Several workers on one port and one folder: starts and watches them, replaces those that end by themselves, and ends
 * them together. The supervisor opens no database and answers no request.
 */

import type { Logger } from 'pino'
import type { Config } from '../../base/config/config.ts'
import type { LoadedConfig } from '../../base/config/load.ts'
import { CommandError, EndedError } from '../../base/errors.ts'
import { defaultCeiling } from '../../engine/memory/memory-ceiling.ts'
import { drainDelay } from './service.ts'
import { type ToWorker, type WorkerEnd, WorkerProcess } from './worker-process.ts'

interface SupervisorOptions {
  readonly command: readonly string[]
  readonly given: LoadedConfig
  readonly startedAt: Date
  readonly log: Logger
  /** Called when a worker has ended by itself, before its replacement starts. */
  readonly onEnd: (worker: number) => void
}

/** The wait before replacing a worker that ended soon after its start; it doubles each time. */
const FIRST_WAIT_MS = 500
const LAST_WAIT_MS = 30_000
/** A worker that ran this long is replaced at once. */
const RAN_LONG_MS = 10_000
/** Time that a worker gets to end beyond its grace time. */
const END_MS = 10_000

const HEARD_MS = 500

interface Place {
  /** From 1 on. */
  readonly number: number
  /** Undefined between the end of a worker and the next start. */
  process: WorkerProcess | undefined
  isReady: boolean
  restarts: number
  /** How often in a row it ended soon after its start. */
  failures: number
}

export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #places: readonly Place[]
  #port: number
  #logLevel: string
  #isStopping = false

  constructor(options: SupervisorOptions) {
    this.#options = options
    const { workers, port, log_level } = options.given.values
    this.#port = port
    this.#logLevel = log_level
    this.#places = Array.from({ length: workers }, (_, index) => {
      return { number: index + 1, process: undefined, isReady: false, restarts: 0, failures: 0 }
    })
  }

  /** The workers that run, by number. */
  get running(): ReadonlyMap<string, WorkerProcess> {
    return new Map(this.#places.flatMap(({ number, process }) => (process ? [[`${number}`, process]] : [])))
  }

  /** How often each worker was replaced, by number, and whether it accepts requests. */
  get states() {
    return this.#places.map(({ number, restarts, isReady }) => ({ worker: `${number}`, restarts, isReady }))
  }

  isOwn(pid: number): boolean {
    return this.#places.some(({ process }) => process?.pid === pid)
  }

  /**
   * Starts the first worker, which makes or refuses the same as a single process would, then the others.
   * @returns once all accept requests: where they listen, and how many datasets the first one found
   * @throws EndedError when one ends before that, having said why; CommandError `failed` when something killed it
   */
  async start() {
    const [first, ...others] = this.#places
    try {
      const started = await this.#startFirst(first!)
      this.#port = Number(new URL(started.url).port)
      await Promise.all(others.map((place) => this.#startFirst(place)))
      for (const place of this.#places) this.#watch(place)
      return started
    } catch (error) {
      this.kill()
      throw error
    }
  }

  /** Makes all workers read the certificate again and log from this level on. */
  reload(logLevel: string): void {
    this.#logLevel = logLevel
    this.tell({ kind: 'reload', logLevel })
  }

  /** @param but a worker that does not get it */
  tell(message: ToWorker, but?: number): void {
    for (const { number, process } of this.#places) if (number !== but) process?.send(message)
  }

  /** Asks all workers to let running requests end, and returns when they have ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.tell({ kind: 'stop' })
    const { shutdown_grace, export_grace, drain_delay } = this.#shared
    const grace = (drain_delay ?? 0) + Math.max(shutdown_grace, export_grace ?? 0)
    const killer = setTimeout(() => this.kill(), grace * 1000 + END_MS)
    await Promise.all(this.#places.map(({ process }) => process?.ended))
    clearTimeout(killer)
  }

  /** Ends all workers at once. */
  kill(): void {
    this.#isStopping = true
    for (const { process } of this.#places) process?.kill()
  }

  get #shared(): Config {
    return {
      ...shareOf(this.#options.given.values, this.#port),
      log_level: this.#logLevel as Config['log_level'],
    }
  }

  #begin(place: Place): WorkerProcess {
    const { command, given, startedAt } = this.#options
    const { number: worker } = place
    const start = { worker, config: this.#shared, given, startedAt: startedAt.toISOString() }
    const process = new WorkerProcess(command, start, (message) => this.tell(message, worker))
    place.process = process
    void process.ready.then(() => {
      place.isReady = place.process === process
    })
    return process
  }

  /** Starts a worker for the first time; without it there is no service. */
  async #startFirst(place: Place) {
    const process = this.#begin(place)
    const end = await Promise.race([process.ready, process.ended])
    if ('url' in end) return end
    if (end.code !== null && end.code !== 0) throw new EndedError(end.code)
    const how = end.signal === null ? `exit code ${end.code}` : String(end.signal)
    throw new CommandError('failed', `worker ${place.number} ended before it was ready: ${how}`)
  }

  #watch(place: Place): void {
    const { process } = place
    void process?.ended.then((end) => {
      place.process = undefined
      place.isReady = false
      // Ctrl-C and service managers signal all processes; a worker may end before the supervisor gets the signal.
      setTimeout(() => this.#replace(place, end, process.age), end.code === 0 ? HEARD_MS : 0)
    })
  }

  #replace(place: Place, { code, signal }: WorkerEnd, age: number): void {
    if (this.#isStopping) return
    const { log, onEnd } = this.#options
    place.failures = age < RAN_LONG_MS ? place.failures + 1 : 0
    const wait = Math.min(LAST_WAIT_MS, place.failures === 0 ? 0 : FIRST_WAIT_MS * 2 ** (place.failures - 1))
    log.error({ worker: place.number, code, signal, next_ms: wait }, 'a worker ended; another one is started')
    onEnd(place.number)
    setTimeout(() => {
      if (this.#isStopping) return
      place.restarts++
      this.#begin(place)
      this.#watch(place)
    }, wait)
  }
}

/** A key may always run this number of exports at once, and its connections may all be with one worker. */
const LEAST_EXPORTS = 24

/**
 * The settings of one worker. Memory and places are divided, rounded up; one key's exports still fit.
 * @param port the shared port
 */
export function shareOf(config: Config, port: number): Config {
  const { workers } = config
  const places = (all: number) => Math.ceil(all / workers)
  const exports = (all: number) => Math.max(Math.min(all, LEAST_EXPORTS), places(all))
  return {
    ...config,
    port,
    reuse_port: true,
    drain_delay: drainDelay(config),
    memory_budget: Math.floor(config.memory_budget / workers),
    memory_ceiling: Math.floor((config.memory_ceiling ?? defaultCeiling()) / workers),
    max_queries: places(config.max_queries),
    max_queries_per_key: places(config.max_queries_per_key),
    max_exports: exports(config.max_exports),
    max_exports_total: exports(config.max_exports_total),
  }
}
