/**
 * Scheduled work of a service: checks every few seconds what is due, one check at a time, and runs it in a process of its
 * own.
 */

import type { Logger } from 'pino'
import type { EndedProgram, RunningProgram } from './child.ts'

/** Interval of the checks. A check takes microseconds. */
const LOOK_MS = 5000

export interface ScheduleOptions {
  readonly now: () => Date
  readonly log: Logger
  /** The folder that the work uses; `sweep` removes what a stopped program left behind. */
  readonly dataDir: { sweep(): void }
}

export abstract class Schedule<Options extends ScheduleOptions> {
  protected readonly options: Options
  /** Whether it is stopped: nothing may start any more. */
  protected isClosed = false
  readonly #what: string
  #timer: ReturnType<typeof setInterval> | undefined
  #running: RunningProgram | undefined
  #looking: Promise<void> | undefined

  /** @param what is done, in the plural, for the log */
  constructor(what: string, options: Options) {
    this.#what = what
    this.options = options
  }

  /** Runs all that is due, each by `run`. */
  protected abstract look(): Promise<void>

  /** Checks now and every few seconds from now on. */
  start(): void {
    this.#timer = setInterval(() => void this.runDue(), LOOK_MS)
    this.#timer.unref()
    void this.runDue()
  }

  /** Does all that is due, and returns when it is done; joins a running check. */
  async runDue(): Promise<void> {
    this.#looking ??= this.look()
      .catch((error: unknown) => {
        const message = `the schedule of ${this.#what} could not be followed; it will be tried again`
        this.options.log.error({ err: error }, message)
      })
      .finally(() => {
        this.#looking = undefined
      })
    await this.#looking
  }

  /** Waits for a program that was just started; undefined when it was stopped from here. */
  protected async run(program: RunningProgram): Promise<EndedProgram | undefined> {
    this.#running = program
    const end = await program.ended
    this.#running = undefined
    return this.isClosed || end.interrupted ? undefined : end
  }

  /** Stops the running program, whose work stays due, and removes what it left behind. */
  async stop(): Promise<void> {
    this.isClosed = true
    clearInterval(this.#timer)
    if (this.#looking === undefined) return
    this.#running?.stop()
    await this.#looking
    this.options.dataDir.sweep()
  }
}
