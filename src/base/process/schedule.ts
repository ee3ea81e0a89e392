/** Scheduled work of a service: checks every few seconds what is due, and runs it in a separate process. */

import { Cron } from 'croner'
import type { Logger } from 'pino'
import type { EndedProgram, RunningProgram } from './child.ts'

/** Interval of the checks. A check takes microseconds. */
const LOOK_MS = 5000

export interface ScheduleOptions {
  readonly now: () => Date
  readonly log: Logger
  /** The folder that the work uses; `sweep` removes files that a stopped program left behind. */
  readonly dataDir: { sweep(): void }
}

export abstract class Schedule<Options extends ScheduleOptions> {
  protected readonly options: Options
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

  start(): void {
    this.#timer = setInterval(() => void this.runDue(), LOOK_MS)
    this.#timer.unref()
    void this.runDue()
  }

  /** Does all work that is due; joins a running check. */
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

const FIRST_RETRY_MS = 300_000
export const LAST_RETRY_MS = 86_400_000

/**
 * Parses a pattern of five fields, or a word such as `@daily`, and starts nothing. Hours are always UTC.
 * @throws Error of croner for a text that isn't a pattern
 */
export function readPattern(pattern: string): Cron {
  return new Cron(pattern, { paused: true, timezone: 'UTC', mode: '5-part' })
}

/** Milliseconds to wait after `failures` (at least 1) failures in a row: 5 minutes, doubling each time up to a day. */
export function retryDelay(failures: number): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20))
}

/** What is wrong with a schedule (a cron pattern of five parts, or a word such as `@daily`), or null. */
export function findScheduleProblem(pattern: string): string | null {
  try {
    const runs = readPattern(pattern).nextRun(new Date(0))
    return runs === null ? `'${pattern}' names a moment that never comes` : null
  } catch (error) {
    const reason = (error as Error).message.replace(/^CronPattern: /, '')
    return `'${pattern}' is not a schedule (minute, hour, day, month, day of the week; "0 6 * * 1" is Monday at 06:00 UTC): ${reason}`
  }
}
