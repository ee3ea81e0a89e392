/**
 * Long work in turns. The engine runs on the one JavaScript thread, so long work is a generator that yields now and then
 * with the cost of what it did; after a turn's worth other requests run.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'

/** Yields the cost of what it just did, or a promise it has to wait for. */
export type Work<T> = Generator<number | Promise<unknown>, T, void>

/**
 * What a turn may cost. Costs are nanoseconds, estimated from measurements on a small server: they bound how long
 * others wait and need no more precision than that.
 */
const TURN = 8_000_000

/**
 * What work gets at once when others had a whole turn in the same round of the event loop: as much as a page takes whose
 * order is known, or a count of two million rows.
 */
export const LEAST_AT_ONCE = 1_000_000

/** Rows worked on between two yields: a small part of a turn for any kind of work. */
const BLOCK_ROWS = 2 ** 18

/** The blocks of `count` rows. */
export function* blocksOf(count: number): Generator<readonly [from: number, to: number], void, void> {
  for (let from = 0; from < count; from += BLOCK_ROWS) yield [from, Math.min(from + BLOCK_ROWS, count)]
}

const FIRST_BLOCK_ROWS = 2 ** 10

/** The same for work that may stop early: each block doubles the rows so far, up to the usual size. */
export function* growingBlocksOf(count: number): Generator<readonly [from: number, to: number], void, void> {
  let size = FIRST_BLOCK_ROWS
  for (let from = 0; from < count; from += size) {
    size = Math.min(Math.max(from, FIRST_BLOCK_ROWS), BLOCK_ROWS)
    yield [from, Math.min(from + size, count)]
  }
}

/** Measured work that begins at once may get a second turn before others are looked at: both together take one turn. */
const MEASURED = 2

/** The cost of what was done since `started`, a moment of `performance.now()`: for work whose cost depends on the values. */
export function costSince(started: number): number {
  return (performance.now() - started) * 1e6 * MEASURED
}

/** What bounds work that takes more than one turn. */
export interface TurnLimits {
  /** How much of it may be under way; each makes all other requests wait a turn longer. */
  readonly most: number
  /** Milliseconds after which it is ended. */
  readonly deadline: number
  /** What work gets at once, even when others used the turn in the same round of the event loop; by default a whole turn. */
  readonly leastAtOnce?: number
}

/** More long work is under way than other requests can wait for. */
export class BusyError extends Error {}

/** Work that passed its deadline. */
export class DeadlineError extends Error {}

/** Counts long work, and ends work that passes its deadline. */
export class TurnKeeper {
  readonly #limits: TurnLimits
  #running = 0
  /** Cost of what was done at once in this round of the event loop. */
  #spent = 0

  constructor(limits: TurnLimits = { most: Number.POSITIVE_INFINITY, deadline: Number.POSITIVE_INFINITY }) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  /**
   * Runs the work: its result at once when it fits into one turn, else a promise of it. All requests of one round of the
   * event loop share that turn: with a turn each, two hundred clients would wait for one another.
   * @throws BusyError, DeadlineError as rejections; the work gives back what it holds
   */
  run<T>(work: Work<T>): T | Promise<T> {
    const most = Math.max(this.#limits.leastAtOnce ?? TURN, TURN - this.#spent)
    let done = 0
    try {
      for (;;) {
        const step = work.next()
        if (step.done) return step.value
        if (typeof step.value !== 'number') return this.#finish(work, step.value)
        done += step.value
        if (done > most) return this.#finish(work, nextTurn())
      }
    } finally {
      if (done > 0 && this.#spent === 0) setImmediate(this.#beginRound)
      this.#spent += done
    }
  }

  readonly #beginRound = () => {
    this.#spent = 0
  }

  async #finish<T>(work: Work<T>, awaited: Promise<unknown>): Promise<T> {
    if (this.#running >= this.#limits.most) return end(work, new BusyError('too much long work is under way'))
    this.#running++
    try {
      const until = performance.now() + this.#limits.deadline
      await awaited
      let done = 0
      for (;;) {
        if (performance.now() > until) return end(work, new DeadlineError('the work took longer than it may'))
        const step = work.next()
        if (step.done) return step.value
        if (typeof step.value !== 'number') await step.value
        else done += step.value
        if (done <= TURN) continue
        await nextTurn()
        done = 0
      }
    } finally {
      this.#running--
    }
  }
}

/** The share of the time others had since a stream's last chunk that all streams together may use before they wait. */
const STREAMS_SHARE = 0.25
/** The most that one of them may use: a turn, in ms. */
const LONGEST_STREAK = TURN / 1e6

/** The turns of a stream of chunks. A stream lasts as long as its reader takes, so it does not count as long work. */
export class StreamTurns implements Disposable {
  static #running = 0
  #from = 0
  #allowance = 0

  constructor() {
    StreamTurns.#running++
  }

  /**
   * Call it after each chunk: others get a turn, unless they had so much before that this stream may go on at once. With
   * one chunk per turn of two hundred busy clients a stream would wait nearly all the time.
   */
  async rest(): Promise<void> {
    const now = performance.now()
    if (now - this.#from < this.#allowance) return
    await nextTurn()
    this.#from = performance.now()
    const others = this.#from - now
    this.#allowance = Math.min(LONGEST_STREAK, (others * STREAMS_SHARE) / StreamTurns.#running)
  }

  [Symbol.dispose](): void {
    StreamTurns.#running--
  }
}

/**
 * The turns of requests. The runtime reads connections, and accepts new ones, for as long as there are any: clients with a
 * connection for each request would keep it in one round of the event loop for seconds, in which no timer runs and no
 * kept connection is read. What comes after a turn's worth waits, in order, for the next round.
 */
export class RequestTurns {
  /** When this round's first request came; undefined between rounds. */
  #from: number | undefined
  readonly #waiting: (() => void)[] = []

  /** Answers at once in a round that has time left; else what `later` answers in a later one. */
  run<T>(answer: () => T | Promise<T>, later = answer): T | Promise<T> {
    if (this.#from === undefined) this.#begin(performance.now())
    else if (this.#waiting.length > 0 || this.#isOver()) {
      const { promise, resolve } = Promise.withResolvers<T>()
      this.#waiting.push(() => resolve(Promise.try(later)))
      return promise
    }
    return answer()
  }

  #begin(now: number): void {
    this.#from = now
    setImmediate(this.#endRound)
  }

  #isOver(): boolean {
    return performance.now() - (this.#from ?? 0) > LONGEST_STREAK
  }

  readonly #endRound = () => {
    this.#from = undefined
    if (this.#waiting.length === 0) return
    this.#begin(performance.now())
    let done = 0
    while (done < this.#waiting.length && !this.#isOver()) this.#waiting[done++]?.()
    this.#waiting.splice(0, done)
  }
}

/** Ends the work where it stands, so that its `finally` blocks run. */
function end<T>(work: Work<T>, error: Error): never {
  work.throw(error)
  throw error
}

const unlimited = new TurnKeeper()

/** As `TurnKeeper.run`, without limits. */
export function runInTurns<T>(work: Work<T>): T | Promise<T> {
  return unlimited.run(work)
}
