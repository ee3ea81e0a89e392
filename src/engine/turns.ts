/**
 * Long work in turns. The engine runs on the one JavaScript thread, so long work is a generator that yields often, and
 * other requests run after each turn.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { ownRound } from '../base/own-round.ts'

/** Work that yields where it may be interrupted, with a promise where it has to wait for one. */
export type Work<T> = Generator<Promise<unknown> | undefined, T, void>

/** Length of a turn, in ms of processor time of this thread. */
const TURN = 5

/**
 * What work gets at once when others used a whole turn in the same round of the event loop, in ms: enough for a page whose
 * order is known, or a count of two million rows.
 */
export const LEAST_AT_ONCE = 3

/** Work that takes less is not counted, in ms. */
const NEGLIGIBLE = 0.05

/** Rows worked on between two yields: a small part of a turn for any kind of work. */
export const BLOCK_ROWS = 2 ** 18

/** The blocks of the rows `first` to `end`. */
export function* blocksOf(
  end: number,
  first = 0,
): Generator<readonly [from: number, to: number], void, void> {
  for (let from = first; from < end; from += BLOCK_ROWS) yield [from, Math.min(from + BLOCK_ROWS, end)]
}

const FIRST_BLOCK_ROWS = 2 ** 10

/** The same for work that may stop early: each block doubles the rows done so far, up to the usual size. */
export function* growingBlocksOf(count: number): Generator<readonly [from: number, to: number], void, void> {
  let size = FIRST_BLOCK_ROWS
  for (let from = 0; from < count; from += size) {
    size = Math.min(Math.max(from, FIRST_BLOCK_ROWS), BLOCK_ROWS)
    yield [from, Math.min(from + size, count)]
  }
}

/** What bounds work that takes more than one turn. */
export interface TurnLimits {
  /** How many pieces of it may be under way at one time. */
  readonly most: number
  /** Milliseconds after which it fails. */
  readonly deadline: number
  /** Milliseconds that work gets at once, even when others used the turn of this round of the event loop; by default a whole turn. */
  readonly leastAtOnce?: number
}

/** More long work is under way than other requests can wait for. */
export class BusyError extends Error {}

/** Work took longer than its deadline allows. */
export class DeadlineError extends Error {}

/** Counts long work, and ends work that passes its deadline. */
export class TurnKeeper {
  readonly #limits: TurnLimits
  #running = 0
  /** Milliseconds of work done at once in this round of the event loop, by all keepers. */
  static #spent = 0

  constructor(limits: TurnLimits = { most: Number.POSITIVE_INFINITY, deadline: Number.POSITIVE_INFINITY }) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  /**
   * Runs the work. Returns its result when it fits into one turn, else a promise. All requests of one round of the event
   * loop share that turn: with a turn each, two hundred clients would wait for one another.
   * @throws BusyError, DeadlineError as rejections; the work releases what it holds
   */
  run<T>(work: Work<T>): T | Promise<T> {
    const used = new UsedTime()
    try {
      const step = goOn(work, Math.max(this.#limits.leastAtOnce ?? TURN, TURN - TurnKeeper.#spent), used)
      return step.done ? step.value : this.#finish(work, step.value)
    } finally {
      const ms = used.read()
      if (ms > NEGLIGIBLE) {
        if (TurnKeeper.#spent === 0) setImmediate(TurnKeeper.#beginRound)
        TurnKeeper.#spent += ms
      }
    }
  }

  static readonly #beginRound = () => {
    TurnKeeper.#spent = 0
  }

  /** Goes on in turns, at most one turn of long work per round: sixty queries of one client delay the others by one turn. */
  async #finish<T>(work: Work<T>, awaited: unknown): Promise<T> {
    // Its failure is handled from the start: it may come before the wait below, and work that is refused does not wait.
    if (awaited instanceof Promise) awaited.catch(() => {})
    if (this.#running >= this.#limits.most) return end(work, new BusyError('too much long work is under way'))
    this.#running++
    try {
      const until = performance.now() + this.#limits.deadline
      // The next round may begin before sockets are read again, right after the first turn; the one after it does not.
      await nextTurn()
      for (;;) {
        if (awaited instanceof Promise) await awaited.catch((error: Error) => end(work, error))
        await ownRound()
        if (performance.now() > until) return end(work, new DeadlineError('the work took longer than it may'))
        const step = goOn(work, TURN)
        if (step.done) return step.value
        awaited = step.value
      }
    } finally {
      this.#running--
    }
  }
}

/**
 * Processor time of this thread since the object was made, in ms. On a busy machine the clock runs on while the thread has no
 * processor, and short work must not count as long because of that. The system updates the figure when it takes the processor
 * away and at its ticks, about every 4 ms; the time since then is taken from the clock.
 */
class UsedTime {
  readonly #began = performance.now()
  readonly #before = countedTime()
  #counted = this.#before
  #countedAt = this.#began

  /** Call it often: it notes when the system's figure changes. */
  read(): number {
    const now = performance.now()
    if (now - this.#began < NEGLIGIBLE) return now - this.#began
    const counted = countedTime()
    if (counted !== this.#counted) {
      this.#counted = counted
      this.#countedAt = now
    }
    return Math.min(now - this.#began, counted - this.#before + now - this.#countedAt)
  }
}

function countedTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Runs work until it ends, has to wait, or has used more than `most` milliseconds. */
function goOn<T>(work: Work<T>, most: number, used = new UsedTime()) {
  for (;;) {
    const step = work.next()
    if (step.done || step.value instanceof Promise || used.read() > most) return step
  }
}

/** Of the time that others got at a stream's last rest, the share that all streams together may use before the next one. */
const STREAMS_SHARE = 0.25

/** The turns of a stream of chunks. A stream lasts as long as its reader takes, so it does not count as long work. */
export class StreamTurns implements Disposable {
  static #running = 0
  #from = 0
  #allowance = 0

  constructor() {
    StreamTurns.#running++
  }

  /**
   * Call it after each chunk. Others get a turn, unless they had so much time at the last rest that this stream may go on at
   * once. With one chunk per turn, a stream beside two hundred busy clients would wait nearly all the time.
   */
  async rest(): Promise<void> {
    const now = performance.now()
    if (now - this.#from < this.#allowance) return
    await nextTurn()
    this.#from = performance.now()
    const others = this.#from - now
    this.#allowance = Math.min(TURN, (others * STREAMS_SHARE) / StreamTurns.#running)
  }

  [Symbol.dispose](): void {
    StreamTurns.#running--
  }
}

/**
 * The turns of requests. The runtime accepts and reads new connections for as long as there are any: clients that open one
 * per request would keep it in one round of the event loop for seconds, in which no timer runs and no open connection is
 * read. Requests beyond a turn's time wait, in order, for the next round.
 */
export class RequestTurns {
  /** When this round's first request came; undefined between rounds. */
  #from: number | undefined
  readonly #waiting: (() => void)[] = []

  /** Answers at once in a round that has time left; else calls `later` in a later round. */
  run<T>(answer: () => T | Promise<T>, later = answer): T | Promise<T> {
    if (this.#from === undefined) {
      this.#from = performance.now()
      setImmediate(this.#endRound)
    } else if (this.#waiting.length > 0 || this.#isOver()) {
      const { promise, resolve } = Promise.withResolvers<T>()
      this.#waiting.push(() => resolve(Promise.try(later)))
      return promise
    }
    return answer()
  }

  #isOver(): boolean {
    return performance.now() - (this.#from ?? 0) > TURN
  }

  /** Called before sockets are read again: requests that wait get their time after that. */
  readonly #endRound = () => {
    if (this.#waiting.length > 0) setImmediate(this.#answerWaiting)
    else this.#from = undefined
  }

  readonly #answerWaiting = () => {
    this.#from = performance.now()
    let done = 0
    while (done < this.#waiting.length && !this.#isOver()) this.#waiting[done++]?.()
    this.#waiting.splice(0, done)
    this.#endRound()
  }
}

/** Ends the work where it is, so that its `finally` blocks run. */
function end<T>(work: Work<T>, error: Error): never {
  work.throw(error)
  throw error
}

const unlimited = new TurnKeeper()

/** As `TurnKeeper.run`, without limits. */
export function runInTurns<T>(work: Work<T>): T | Promise<T> {
  return unlimited.run(work)
}
