/**
 * How a process counts in rows of the ledger: it repeats each change until the row is at the version it knows, and
 * takes a block of extra units for later along with the requested ones.
 */

import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { CountLedger } from './ledger.ts'
import {
  addUnits,
  type Block,
  emptyAt,
  expire,
  readSlots,
  type Slots,
  type Span,
  secondOf,
  secondsUntil,
  secondsUntilMore,
  settle,
  steady,
} from './slots.ts'

/** What is counted, up to a limit. */
export interface Window extends Span {
  /** Counts of different names are not shared. */
  readonly name: string
  readonly most: number
  /**
   * Whose counts are kept. `all`: everyone with events in the window; for names that clients cannot make up, such as
   * accounts. `recent`: a bounded number, beyond which the least recently counted one is forgotten.
   */
  readonly keeps: 'all' | 'recent'
  /** Units used before the ledger had a row; left out: 0. */
  readonly seed?: () => ValueOrPromise<number>
}

export interface WindowState {
  /** Whether the events were counted. */
  readonly admitted: boolean
  readonly remaining: number
  /** Whole seconds until there is more room; after a refusal, until the events would be admitted. */
  readonly resetSeconds: number
}

export interface WindowStore {
  /**
   * Counts `n` events, all or none. With `n` 0 it tells whether one event would be admitted.
   * @throws the errors of the ledger, if it is vital
   */
  take(window: Window, who: string | number, n: number, now: Date): ValueOrPromise<WindowState>
  /** Takes back the latest `n` events. */
  give(window: Window, who: string | number, n: number): ValueOrPromise<void>
}

/** What this process knows of a row of the ledger. */
export interface Counts extends Block {
  readonly name: string
  readonly who: string | number
  slots: Slots
  /** The row's version; 0: there is no row, -1: unknown. */
  version: number
  /** Units to take at the next access, if it comes soon. */
  size: number
  span: Span
  /** The last access, by the clock of the events. */
  askedAt: number
  /** When the row was last seen, by a monotonic clock. */
  seenAt: number
  /** An access under way, and the events that wait for it. */
  asking: Promise<unknown> | undefined
  waiting: number
  /** Whether a unit was used since the last check for idle blocks. */
  isBusy: boolean
}

/** Work on a copy of the counts; `isChanged`: the row must be written for the result to hold. */
export type Work<T> = (draft: Counts) => { readonly result: T; readonly isChanged: boolean }

export class RowQuestions {
  readonly #ledger: CountLedger
  readonly #onError: (error: unknown) => void
  readonly #onWritten: (counts: Counts) => void
  #pausedUntil = 0

  /**
   * @param onError called when a ledger that is not vital fails, before a pause without access to it
   * @param onWritten called with counts that were changed
   */
  constructor(ledger: CountLedger, onError: (error: unknown) => void, onWritten: (counts: Counts) => void) {
    this.#ledger = ledger
    this.#onError = onError
    this.#onWritten = onWritten
  }

  /** Does work on a row, one access at a time for each row. @throws the errors of a vital ledger */
  ask<T>(counts: Counts, window: Window, work: Work<T>): ValueOrPromise<T> {
    return this.#try(counts, window, work, false, 0)
  }

  /** @param isSeen whether the row was read for this work */
  #try<T>(counts: Counts, window: Window, work: Work<T>, isSeen: boolean, tries: number): ValueOrPromise<T> {
    // Tries in a row of one process, after which something is wrong.
    if (tries > 1000) throw new Error(`the count of ${counts.name} changes without end`)
    const again = () => this.#try(counts, window, work, true, tries + 1)
    if (!isSeen && counts.version < 0) return withValue(this.#read(counts, window), again)
    const { numbers, used } = counts.slots
    const draft = { ...counts, slots: { numbers: numbers.slice(), used } }
    const { result, isChanged } = work(draft)
    if (isChanged) {
      return withValue(this.#write(counts, draft, window), (isWritten) =>
        isWritten ? result : withValue(this.#read(counts, window), again),
      )
    }
    if (isSeen || performance.now() - counts.seenAt < this.#ledger.freshMs) return result
    return withValue(this.#read(counts, window), again)
  }

  #read(counts: Counts, window: Window): ValueOrPromise<void> {
    const row = this.guard(
      () => this.#ledger.read(counts.name, String(counts.who)),
      () => null,
    )
    return withValue(row, (found) => {
      counts.seenAt = performance.now()
      if (found === null) {
        // The ledger failed: continue with what this process knows.
        if (counts.version >= 0) return
      } else if (found !== undefined) {
        if (found.version !== counts.version) counts.slots = readSlots(found.slots)
        counts.version = found.version
        return
      }
      // Unknown until the seed is: if reading the seed fails, the count must not start from 0.
      counts.version = -1
      counts.slots = { numbers: [], used: 0 }
      counts.free = counts.lent = 0
      return withValue(window.seed?.() ?? 0, (used) => {
        counts.version = 0
        if (used > 0) addUnits(counts.slots, window, used, 0, 0)
      })
    })
  }

  #write(counts: Counts, draft: Counts, window: Window): ValueOrPromise<boolean> {
    const { slots, version: known } = draft
    const version = slots.used === 0 ? 0 : 1 + Math.floor(Math.random() * 2 ** 52)
    const leaves = emptyAt(slots, window)
    const next = version === 0 ? null : { version, slots: slots.numbers.join(' '), emptyAt: leaves }
    const changed = this.guard(
      () => this.#ledger.change({ name: counts.name, who: String(counts.who), known, next }),
      () => null,
    )
    return withValue(changed, (isWritten) => {
      if (isWritten === false) return false
      if (isWritten) counts.seenAt = performance.now()
      const { slots, lent, free, second, usedAt, size, askedAt, span } = draft
      // A ledger that failed still has the old version; with that, the counts are written later.
      Object.assign(counts, { slots, lent, free, second, usedAt, size, askedAt, span })
      if (isWritten) counts.version = version
      counts.isBusy = true
      this.#onWritten(counts)
      return true
    })
  }

  /** A ledger that is not vital may fail without failing a request. */
  guard<T>(ask: () => ValueOrPromise<T>, otherwise: () => T | null): ValueOrPromise<T | null> {
    if (this.#ledger.isVital) return ask()
    if (performance.now() < this.#pausedUntil) return otherwise()
    try {
      return ask()
    } catch (error) {
      this.#pausedUntil = performance.now() + 1000
      this.#onError(error)
      return otherwise()
    }
  }
}

export function newCounts({ name, seconds, until }: Window, who: string | number): Counts {
  const span = { seconds, until }
  const block = { second: -1, lent: 0, free: 0, usedAt: 0, size: 0, askedAt: Number.NEGATIVE_INFINITY }
  const row = { slots: { numbers: [], used: 0 }, version: -1, seenAt: 0 }
  return { name, who, span, ...row, ...block, asking: undefined, waiting: 0, isBusy: false }
}

const LARGEST_BLOCK = 256

/**
 * Takes `n` units from the row, if there is room, and a block of more for use without the ledger.
 * @param at by the clock of the ledger @param sharers processes that may hold blocks
 */
export function takeUnits(
  draft: Counts,
  window: Window,
  n: number,
  at: number,
  sharers: number,
): ReturnType<Work<WindowState>> {
  const { slots } = draft
  const { most } = window
  const wasUnused = draft.lent > 0 && 2 * draft.free > draft.lent
  settle(slots, window, draft)
  const { moment, isSetBack } = steady(slots, window, at)
  expire(slots, window, moment)
  const wanted = Math.max(n, 1)
  if (slots.used + wanted > most) {
    // If the limit was lowered meanwhile, more than `wanted` events must leave first.
    const resetSeconds = secondsUntil(slots, window, slots.used + wanted - most, moment)
    return { result: { admitted: false, remaining: 0, resetSeconds }, isChanged: isSetBack }
  }
  if (n > 0) {
    const isSoon = Math.abs(at - draft.askedAt) <= 1000 // ms
    const size = isSoon ? draft.size : 0
    draft.size = wasUnused ? Math.max(1, size >> 1) : Math.min(Math.max(1, 2 * size), LARGEST_BLOCK)
    const room = most - slots.used - n
    // The blocks of all processes together leave most of the room in the ledger.
    const spared = Math.floor(room / (8 * sharers))
    draft.lent = Math.min(Math.max(draft.size - n, draft.waiting), spared)
    draft.free = draft.lent
    draft.second = secondOf(moment)
    draft.usedAt = moment
    draft.askedAt = at
    draft.span = window
    addUnits(slots, window, n, draft.lent, moment)
  }
  return { result: stateOf(draft, window, moment), isChanged: n > 0 || isSetBack }
}

/** The state after an admitted event. */
export function stateOf({ slots, free }: Counts, window: Window, at: number): WindowState {
  const resetSeconds = secondsUntilMore(slots, window, at)
  return { admitted: true, remaining: Math.max(0, window.most - slots.used + free), resetSeconds }
}
