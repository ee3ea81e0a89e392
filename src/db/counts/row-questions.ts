/** Questions to a ledger about rows: each is asked again until the row is as it was known. */

import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { CountLedger } from './ledger.ts'
import {
  addUnits,
  type Block,
  copySlots,
  emptyAt,
  noSlots,
  readSlots,
  type Slots,
  type Span,
  writeSlots,
} from './slots.ts'

/** What is counted in a row. */
export interface Counted extends Span {
  /** Counts of different names are not shared. */
  readonly name: string
  /** What was used before the ledger knew of it; 0 without. */
  readonly seed?: () => ValueOrPromise<number>
}

/** What this process knows of a row of the ledger. */
export interface Counts extends Block {
  readonly name: string
  readonly who: string | number
  slots: Slots
  /** Of the row; 0: there is none, -1: not known. */
  version: number
  /** Units to take at the next question, when it comes soon. */
  size: number
  span: Span
  /** When the last question was, by the clock of the events. */
  askedAt: number
  /** When the row was last seen, by a clock that is never set. */
  seenAt: number
  /** A question under way, and the events that wait for it. */
  asking: Promise<unknown> | undefined
  waiting: number
  /** Whether a unit was used since the last look for idle blocks. */
  isBusy: boolean
}

/** What is done to a copy of the counts; `isChanged`: the row must be written for it to hold. */
export type Work<T> = (draft: Counts) => { readonly result: T; readonly isChanged: boolean }

/** After a failure of a ledger that is not vital. */
const PAUSE_MS = 1000
/** Tries in a row of one process, after which something is wrong. */
const MOST_TRIES = 1000

export class RowQuestions {
  readonly #ledger: CountLedger
  readonly #onError: (error: unknown) => void
  readonly #onWritten: (counts: Counts) => void
  #pausedUntil = 0

  /**
   * @param onError called when a ledger that is not vital fails, before a pause in which it is not asked
   * @param onWritten called with counts that were changed
   */
  constructor(ledger: CountLedger, onError: (error: unknown) => void, onWritten: (counts: Counts) => void) {
    this.#ledger = ledger
    this.#onError = onError
    this.#onWritten = onWritten
  }

  /** Does work on a row, one question at a time for each. @throws what a vital ledger throws */
  ask<T>(counts: Counts, window: Counted, work: Work<T>): ValueOrPromise<T> {
    return this.#try(counts, window, work, false, 0)
  }

  /** @param isSeen whether the row was read for this question */
  #try<T>(counts: Counts, window: Counted, work: Work<T>, isSeen: boolean, tries: number): ValueOrPromise<T> {
    if (tries > MOST_TRIES) throw new Error(`the count of ${counts.name} changes without end`)
    const again = () => this.#try(counts, window, work, true, tries + 1)
    if (!isSeen && counts.version < 0) return withValue(this.#read(counts, window), again)
    const draft = { ...counts, slots: copySlots(counts.slots) }
    const { result, isChanged } = work(draft)
    if (isChanged) {
      return withValue(this.#write(counts, draft, window), (isWritten) =>
        isWritten ? result : withValue(this.#read(counts, window), again),
      )
    }
    if (isSeen || performance.now() - counts.seenAt < this.#ledger.freshMs) return result
    return withValue(this.#read(counts, window), again)
  }

  /** Sees the row as it is. */
  #read(counts: Counts, window: Counted): ValueOrPromise<void> {
    const row = this.guard(
      () => this.#ledger.read(counts.name, String(counts.who)),
      () => null,
    )
    return withValue(row, (found) => {
      counts.seenAt = performance.now()
      if (found === null) {
        // The ledger failed: what this process knows goes on.
        if (counts.version >= 0) return
      } else if (found !== undefined) {
        if (found.version !== counts.version) counts.slots = readSlots(found.slots)
        counts.version = found.version
        return
      }
      // Not known until the seed is: a failure of it must not begin with nothing.
      counts.version = -1
      counts.slots = noSlots()
      counts.free = counts.lent = 0
      return withValue(window.seed?.() ?? 0, (used) => {
        counts.version = 0
        if (used > 0) addUnits(counts.slots, window, used, 0, 0)
      })
    })
  }

  /** @returns whether the draft holds now */
  #write(counts: Counts, draft: Counts, window: Counted): ValueOrPromise<boolean> {
    const { slots, version: known } = draft
    const version = slots.used === 0 ? 0 : 1 + Math.floor(Math.random() * 2 ** 52)
    const leaves = emptyAt(slots, window)
    const next = version === 0 ? null : { version, slots: writeSlots(slots), emptyAt: leaves }
    const changed = this.guard(
      () => this.#ledger.change({ name: counts.name, who: String(counts.who), known, next }),
      () => null,
    )
    return withValue(changed, (isWritten) => {
      if (isWritten === false) return false
      if (isWritten) counts.seenAt = performance.now()
      const { slots, lent, free, second, usedAt, size, askedAt, span } = draft
      // A ledger that failed has the old version still: with it, what was counted meanwhile is written later.
      Object.assign(counts, { slots, lent, free, second, usedAt, size, askedAt, span })
      if (isWritten) counts.version = version
      counts.isBusy = true
      this.#onWritten(counts)
      return true
    })
  }

  /** The failure of a ledger that is not vital costs no request. */
  guard<T>(ask: () => ValueOrPromise<T>, otherwise: () => T | null): ValueOrPromise<T | null> {
    if (this.#ledger.isVital) return ask()
    if (performance.now() < this.#pausedUntil) return otherwise()
    try {
      return ask()
    } catch (error) {
      this.#pausedUntil = performance.now() + PAUSE_MS
      this.#onError(error)
      return otherwise()
    }
  }
}

export function newCounts({ name, seconds, until }: Counted, who: string | number): Counts {
  return {
    ...{ name, who, slots: noSlots(), version: -1, size: 0, span: { seconds, until } },
    ...{ second: -1, lent: 0, free: 0, usedAt: 0, askedAt: Number.NEGATIVE_INFINITY, seenAt: 0 },
    ...{ asking: undefined, waiting: 0, isBusy: false },
  }
}
