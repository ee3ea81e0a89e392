/**
 * Counts events in sliding windows: never more than `most` in any period of `seconds`. The events of one
 * second share a slot, which leaves with the last of them, so a count errs by under a second, on the strict side.
 *
 * All processes that serve the same count in one ledger. Where much is left and much is used, a process takes units in
 * blocks, uses them without asking, and gives back what it did not need: at the next question, or after a second or two
 * without use. A unit of a window may be used in the second that it was taken in.
 */

import { type ValueOrPromise, withValue } from '../base/value-or-promise.ts'
import { type CountLedger, MemoryLedger } from './counts/ledger.ts'
import {
  addUnits,
  type Block,
  copySlots,
  emptyAt,
  expire,
  isOpen,
  noSlots,
  readSlots,
  removeUnits,
  type Slots,
  type Span,
  secondOf,
  secondsUntil,
  secondsUntilMore,
  settle,
  steady,
  writeSlots,
} from './counts/slots.ts'
import { type Tracked, TrackedAll, TrackedRecent } from './counts/tracked.ts'

export interface Window extends Span {
  /** Windows of different names do not share their counts. */
  readonly name: string
  readonly most: number
  /**
   * Whose counts are kept. `all`: of everyone who has events in the window; for those whom clients cannot make up, such as
   * accounts. `recent`: of a bounded number, beyond which the least recently counted one is forgotten.
   */
  readonly keeps: 'all' | 'recent'
  /** What was used before the ledger knew of it; 0 without. */
  readonly seed?: () => ValueOrPromise<number>
}

export interface WindowState {
  /** Whether the events were counted. */
  readonly admitted: boolean
  readonly remaining: number
  /** Whole seconds until there is more room; after a refusal, until the events will be admitted. */
  readonly resetSeconds: number
}

export interface WindowStore {
  /**
   * Counts `n` events, all or none. `n` of 0 asks whether one would be admitted.
   * @throws what the ledger throws, where it is vital
   */
  take(window: Window, who: string | number, n: number, now: Date): ValueOrPromise<WindowState>
  /** Takes back the latest `n` events. */
  give(window: Window, who: string | number, n: number): ValueOrPromise<void>
}

export interface SlidingWindowsOptions {
  /** By each window that keeps recent ones only. */
  readonly mostTracked?: number
  /** Processes that may hold blocks: the more, the smaller these are. */
  readonly sharers?: () => number
  /** Called when a ledger that is not vital fails, before a pause in which it is not asked. */
  readonly onError?: (error: unknown) => void
}

/** What this process knows of a row of the ledger. */
interface Counts extends Block {
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
type Work<T> = (draft: Counts) => { readonly result: T; readonly isChanged: boolean }

/** Where clients choose whom they count as. At most 1 KB each. */
const MOST_TRACKED = 20_000
const LARGEST_BLOCK = 256
/** All blocks of all processes together leave most of what is left in the ledger. */
const SHARE = 8
const SOON_MS = 1000
const IDLE_MS = 1000
const GIVEN_BACK_AT_ONCE = 200
const SOON_AGAIN_MS = 20
const SWEEP_MS = 5000
/** After a failure of a ledger that is not vital. */
const PAUSE_MS = 1000
/** Tries in a row of one process, after which something is wrong. */
const MOST_TRIES = 1000

export class SlidingWindows implements WindowStore {
  readonly #ledger: CountLedger
  readonly #options: SlidingWindowsOptions
  readonly #windows = new Map<string, Tracked<Counts>>()
  /** Those that hold a block. */
  readonly #lent = new Set<Counts>()
  #idleTimer: ReturnType<typeof setTimeout> | undefined
  #sweepTimer: ReturnType<typeof setTimeout> | undefined
  #latest = 0
  #pausedUntil = 0
  #isClosed = false

  constructor(ledger: CountLedger = new MemoryLedger(), options: SlidingWindowsOptions = {}) {
    this.#ledger = ledger
    this.#options = options
  }

  take(window: Window, who: string | number, n: number, now: Date): ValueOrPromise<WindowState> {
    const at = now.getTime() + this.#ledger.ahead
    const counts = this.#trackedBy(window).get(who) ?? newCounts(window, who)
    if (counts.asking !== undefined) return this.#takeLater(counts, window, n, now)
    const { slots, free } = counts
    if (n > 0 && n <= free && slots.used - free + n <= window.most && isOpen(counts, window, at)) {
      counts.free -= n
      counts.isBusy = true
      if (at > counts.usedAt) counts.usedAt = at
      expire(slots, window, at)
      return stateOf(counts, window, at)
    }
    return this.#ask(counts, window, (draft) => this.#takeOf(draft, window, n, at))
  }

  give(window: Window, who: string | number, n: number): ValueOrPromise<void> {
    const counts = this.#trackedBy(window).get(who) ?? newCounts(window, who)
    if (counts.asking !== undefined) return counts.asking.then(() => this.give(window, who, n))
    if (window.until !== undefined && counts.version > 0) {
      counts.free += n
      counts.isBusy = true
      this.#lend(counts)
      return
    }
    return this.#ask(counts, window, (draft) => {
      const { used } = draft.slots
      settle(draft.slots, window, draft)
      removeUnits(draft.slots, n)
      return { result: undefined, isChanged: draft.slots.used !== used }
    })
  }

  /** Whose counts this process holds of a window. */
  tracked({ name }: Window): number {
    return this.#windows.get(name)?.size ?? 0
  }

  /** Gives back what is unused, and closes the ledger. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    clearTimeout(this.#sweepTimer)
    await Promise.allSettled([...this.#lent].map(async (counts) => this.#giveBack(counts)))
    await this.#ledger.close()
  }

  /** Waits for the question under way, whose successor takes what all who wait need. It fails with that question. */
  async #takeLater(counts: Counts, window: Window, n: number, now: Date): Promise<WindowState> {
    counts.waiting += n
    try {
      await counts.asking
    } finally {
      counts.waiting -= n
    }
    return this.take(window, counts.who, n, now)
  }

  #takeOf(draft: Counts, window: Window, n: number, at: number): ReturnType<Work<WindowState>> {
    const { slots } = draft
    const { most } = window
    const wasUnused = draft.lent > 0 && 2 * draft.free > draft.lent
    settle(slots, window, draft)
    const { moment, isSetBack } = steady(slots, window, at)
    expire(slots, window, moment)
    const wanted = Math.max(n, 1)
    if (slots.used + wanted > most) {
      // A limit that was lowered meanwhile takes more than `wanted` events to leave.
      const resetSeconds = secondsUntil(slots, window, slots.used + wanted - most, moment)
      return { result: { admitted: false, remaining: 0, resetSeconds }, isChanged: isSetBack }
    }
    if (n > 0) {
      const isSoon = Math.abs(at - draft.askedAt) <= SOON_MS
      draft.size = nextSize(isSoon ? draft.size : 0, wasUnused)
      const room = most - slots.used - n
      const spared = Math.floor(room / (SHARE * (this.#options.sharers?.() ?? 1)))
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

  /** Asks the ledger, one question at a time for each row. */
  #ask<T>(counts: Counts, window: Window, work: Work<T>): ValueOrPromise<T> {
    const asked = this.#try(counts, window, work, false, 0)
    if (!(asked instanceof Promise)) {
      this.#keep(counts, window)
      return asked
    }
    this.#trackedBy(window).set(counts.who, counts, isEmptyNow(this.#latest))
    const done = asked.finally(() => {
      counts.asking = undefined
      this.#keep(counts, window)
    })
    counts.asking = done
    return done
  }

  /** @param isSeen whether the row was read for this question */
  #try<T>(counts: Counts, window: Window, work: Work<T>, isSeen: boolean, tries: number): ValueOrPromise<T> {
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
  #read(counts: Counts, window: Window): ValueOrPromise<void> {
    const row = this.#guard(
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
      counts.version = 0
      counts.slots = noSlots()
      counts.free = counts.lent = 0
      return this.#seed(counts, window)
    })
  }

  #seed(counts: Counts, window: Window): ValueOrPromise<void> {
    if (window.seed === undefined) return
    return withValue(window.seed(), (used) => {
      if (used > 0) addUnits(counts.slots, window, used, 0, 0)
    })
  }

  /** @returns whether the draft holds now */
  #write(counts: Counts, draft: Counts, window: Window): ValueOrPromise<boolean> {
    const { slots, version: known } = draft
    const version = slots.used === 0 ? 0 : 1 + Math.floor(Math.random() * 2 ** 52)
    const leaves = emptyAt(slots, window)
    const next = version === 0 ? null : { version, slots: writeSlots(slots), emptyAt: leaves }
    const changed = this.#guard(
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
      this.#latest = askedAt
      if (counts.free > 0) this.#lend(counts)
      else this.#lent.delete(counts)
      this.#sweepSoon()
      return true
    })
  }

  /** The failure of a ledger that is not vital costs no request. */
  #guard<T>(ask: () => ValueOrPromise<T>, otherwise: () => T | null): ValueOrPromise<T | null> {
    if (this.#ledger.isVital) return ask()
    if (performance.now() < this.#pausedUntil) return otherwise()
    try {
      return ask()
    } catch (error) {
      this.#pausedUntil = performance.now() + PAUSE_MS
      this.#options.onError?.(error)
      return otherwise()
    }
  }

  #keep(counts: Counts, window: Window): void {
    const tracked = this.#trackedBy(window)
    if (counts.slots.used > 0) tracked.set(counts.who, counts, isEmptyNow(counts.askedAt))
    else if (counts.asking === undefined) tracked.delete(counts.who)
  }

  #lend(counts: Counts): void {
    this.#lent.add(counts)
    if (this.#isClosed) return
    this.#idleTimer ??= setTimeout(() => this.#lookForIdle(), IDLE_MS)
    this.#idleTimer.unref()
  }

  /** Gives back the blocks that were not used since the last look. */
  #lookForIdle(): void {
    this.#idleTimer = undefined
    let given = 0
    let waits = IDLE_MS
    for (const counts of this.#lent) {
      if (counts.asking !== undefined) continue
      if (counts.isBusy) counts.isBusy = false
      else if (given++ < GIVEN_BACK_AT_ONCE) void this.#giveBack(counts)
      else waits = SOON_AGAIN_MS
    }
    if (this.#lent.size === 0 || this.#isClosed) return
    this.#idleTimer ??= setTimeout(() => this.#lookForIdle(), waits)
    this.#idleTimer.unref()
  }

  async #giveBack(counts: Counts): Promise<void> {
    this.#lent.delete(counts)
    const { name, span } = counts
    const window: Window = { ...span, name, most: 0, keeps: 'all' }
    try {
      await counts.asking
      await this.#ask(counts, window, (draft) => {
        const { used } = draft.slots
        settle(draft.slots, span, draft)
        draft.size = 0
        return { result: undefined, isChanged: draft.slots.used !== used }
      })
    } catch {
      this.#lend(counts)
    }
  }

  #sweepSoon(): void {
    if (this.#isClosed) return
    this.#sweepTimer ??= setTimeout(() => void this.#sweep(), SWEEP_MS)
    this.#sweepTimer.unref()
  }

  async #sweep(): Promise<void> {
    this.#sweepTimer = undefined
    try {
      if (
        await this.#guard(
          () => this.#ledger.sweep(this.#latest),
          () => false,
        )
      )
        this.#sweepSoon()
    } catch {
      // Nothing is lost: the next sweep is after the next change.
    }
  }

  #trackedBy({ name, keeps }: Pick<Window, 'name' | 'keeps'>): Tracked<Counts> {
    let tracked = this.#windows.get(name)
    if (tracked === undefined) {
      const { mostTracked = MOST_TRACKED } = this.#options
      tracked =
        keeps === 'all' ? new TrackedAll() : new TrackedRecent(mostTracked, (counts) => this.#forget(counts))
      this.#windows.set(name, tracked)
    }
    return tracked
  }

  /** Drops the row of someone whom newer ones pushed out, unless another process has counted since. */
  #forget(counts: Counts): void {
    this.#lent.delete(counts)
    if (counts.version <= 0) return
    const { name, who, version: known } = counts
    const gone = this.#guard(
      () => this.#ledger.change({ name, who: String(who), known, next: null }),
      () => false,
    )
    if (gone instanceof Promise) gone.catch(noop)
  }
}

function newCounts({ name, seconds, until }: Window, who: string | number): Counts {
  return {
    ...{ name, who, slots: noSlots(), version: -1, size: 0, span: { seconds, until } },
    ...{ second: -1, lent: 0, free: 0, usedAt: 0, askedAt: Number.NEGATIVE_INFINITY, seenAt: 0 },
    ...{ asking: undefined, waiting: 0, isBusy: false },
  }
}

function stateOf({ slots, free }: Counts, window: Window, at: number): WindowState {
  const resetSeconds = secondsUntilMore(slots, window, at)
  return { admitted: true, remaining: Math.max(0, window.most - slots.used + free), resetSeconds }
}

function nextSize(size: number, wasUnused: boolean): number {
  return wasUnused ? Math.max(1, size >> 1) : Math.min(Math.max(1, 2 * size), LARGEST_BLOCK)
}

function isEmptyNow(at: number): (counts: Counts) => boolean {
  return ({ slots, span, asking }) => asking === undefined && emptyAt(slots, span) <= at
}

function noop(): void {}
