/**
 * What schedules of a service have in common: every few seconds they look for what is due, one look at a time, and run
 * it in a process of its own.
 */

import type { EndedProgram, RunningProgram } from './child.ts'

/** How often is looked for what is due. It takes microseconds. */
const LOOK_MS = 5000

export class ScheduleRunner {
  readonly #sweep: () => void
  readonly #look: () => Promise<void>
  #timer: ReturnType<typeof setInterval> | undefined
  #running: RunningProgram | undefined
  #looking: Promise<void> | undefined
  #closed = false

  /**
   * @param look runs all that is due, by `run`; must not throw
   * @param sweep clears away what a program left behind that was ended
   */
  constructor(sweep: () => void, look: () => Promise<void>) {
    this.#sweep = sweep
    this.#look = look
  }

  /** Nothing may be started any more, and what has ended is not looked at. */
  get isClosed(): boolean {
    return this.#closed
  }

  /** Looks now and every few seconds from now on. */
  start(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_MS)
    this.#timer.unref()
    void this.look()
  }

  /** Looks, and returns when all that was due is done; joins a look that is under way. */
  async look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    await this.#looking
  }

  /** Waits for a program that was just started; undefined when it was ended from here, and so tells nothing. */
  async run(program: RunningProgram): Promise<EndedProgram | undefined> {
    this.#running = program
    const end = await program.ended
    this.#running = undefined
    return this.#closed || end.interrupted ? undefined : end
  }

  /** Ends what runs, which stays due. What it left behind is cleared away. */
  async stop(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    if (this.#looking === undefined) return
    this.#running?.stop()
    await this.#looking
    this.#sweep()
  }
}
