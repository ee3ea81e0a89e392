/**
 * Counts events in sliding windows: never more than `most` in any period of `seconds`. The events of one second share a
 * slot, which leaves with the last of them, so a count errs by less than a second, on the strict side.
 *
 * All processes of a service count in one ledger. If much is left and much is used, a process takes units in blocks,
 * uses them without the ledger, and gives unused ones back: at the next access, or after a second or two without use. A
 * unit may only be used in the second in which it was taken.
 */

import { LRUCache } from 'lru-cache'
import type { ValueOrPromise } from '../base/value-or-promise.ts'
import {
  type Counts,
  newCounts,
  RowQuestions,
  stateOf,
  takeUnits,
  type Window,
  type WindowState,
  type WindowStore,
  type Work,
} from './counts/blocks.ts'
import { type CountLedger, MemoryLedger } from './counts/ledger.ts'
import { emptyAt, expire, isOpen, removeUnits, settle } from './counts/slots.ts'

export interface SlidingWindowsOptions {
  /** For each window that keeps only recent counts. */
  readonly mostTracked?: number
  /** Processes that may hold blocks: the more there are, the smaller the blocks. */
  readonly sharers?: () => number
  /** Called when a ledger that is not vital fails, before a pause without access to it. */
  readonly onError?: (error: unknown) => void
}

const IDLE_MS = 1000
const GIVEN_BACK_AT_ONCE = 200
const SOON_AGAIN_MS = 20
const SWEEP_MS = 5000
const LATEST_SWEEP_MS = 60_000
/** The size at which counts without events are first looked for. */
const FIRST_LOOK = 1000

/** The counts of a window that a process knows, by owner. */
interface Tracked extends Pick<Map<string | number, Counts>, 'size' | 'get' | 'delete'> {
  set(who: string | number, counts: Counts): unknown
}

/** Never forgets counts with events. Whenever the size has doubled, counts without events are removed. */
class TrackedAll extends Map<string | number, Counts> implements Tracked {
  readonly #now: () => number
  #lookAt = FIRST_LOOK

  constructor(now: () => number) {
    super()
    this.#now = now
  }

  override set(who: string | number, counts: Counts): this {
    super.set(who, counts)
    if (this.size <= this.#lookAt) return this
    const now = this.#now()
    for (const [other, { slots, span, asking }] of this)
      if (asking === undefined && emptyAt(slots, span) <= now) this.delete(other)
    this.#lookAt = Math.max(FIRST_LOOK, 2 * this.size)
    return this
  }
}

export class SlidingWindows implements WindowStore {
  readonly #ledger: CountLedger
  readonly #options: SlidingWindowsOptions
  readonly #rows: RowQuestions
  readonly #windows = new Map<string, Tracked>()
  /** Counts that hold a block. */
  readonly #lent = new Set<Counts>()
  #idleTimer: ReturnType<typeof setTimeout> | undefined
  #sweepTimer: ReturnType<typeof setTimeout> | undefined
  /** When something was last counted, by the ledger's clock and by the monotonic one. */
  #latest = 0
  #latestMark = 0
  #isClosed = false

  constructor(ledger: CountLedger = new MemoryLedger(), options: SlidingWindowsOptions = {}) {
    this.#ledger = ledger
    this.#options = options
    const failed = (error: unknown) => options.onError?.(error)
    this.#rows = new RowQuestions(ledger, failed, (counts) => {
      this.#latest = counts.askedAt
      this.#latestMark = performance.now()
      if (counts.free > 0) this.#lend(counts)
      else this.#lent.delete(counts)
      this.#sweepSoon()
    })
  }

  take(window: Window, who: string | number, n: number, now: Date): ValueOrPromise<WindowState> {
    const at = this.#momentOf(window, now)
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
    const { sharers } = this.#options
    return this.#ask(counts, window, (draft) =>
      takeUnits(draft, window, n, this.#momentOf(window, now), sharers?.() ?? 1),
    )
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

  /** How many counts of a window this process holds. */
  tracked({ name }: Window): number {
    return this.#windows.get(name)?.size ?? 0
  }

  /** Gives unused units back, and closes the ledger. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    clearTimeout(this.#sweepTimer)
    await Promise.allSettled([...this.#lent].map(async (counts) => this.#giveBack(counts)))
    await this.#ledger.close()
  }

  /** Waits for the access under way; the next one takes the units for all who wait. It fails if that access fails. */
  async #takeLater(counts: Counts, window: Window, n: number, now: Date): Promise<WindowState> {
    counts.waiting += n
    try {
      await counts.asking
    } finally {
      counts.waiting -= n
    }
    return this.take(window, counts.who, n, now)
  }

  /** By the ledger's clock; for a period by the process's clock, which names it: by another it might end too early. */
  #momentOf({ until }: Window, now: Date): number {
    return now.getTime() + (until === undefined ? this.#ledger.ahead : 0)
  }

  #ask<T>(counts: Counts, window: Window, work: Work<T>): ValueOrPromise<T> {
    const asked = this.#rows.ask(counts, window, work)
    if (!(asked instanceof Promise)) {
      this.#keep(counts, window)
      return asked
    }
    this.#trackedBy(window).set(counts.who, counts)
    const done = asked.finally(() => {
      counts.asking = undefined
      this.#keep(counts, window)
    })
    counts.asking = done
    return done
  }

  #keep(counts: Counts, window: Window): void {
    const tracked = this.#trackedBy(window)
    if (counts.slots.used > 0) tracked.set(counts.who, counts)
    else if (counts.asking === undefined) tracked.delete(counts.who)
  }

  #lend(counts: Counts): void {
    this.#lent.add(counts)
    if (this.#isClosed) return
    this.#idleTimer ??= setTimeout(() => this.#lookForIdle(), IDLE_MS)
    this.#idleTimer.unref()
  }

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

  /** @param waits milliseconds until there may be something to remove */
  #sweepSoon(waits = 0): void {
    if (this.#isClosed) return
    const ms = Math.max(SWEEP_MS, Math.min(waits, LATEST_SWEEP_MS))
    this.#sweepTimer ??= setTimeout(() => void this.#sweep(), ms)
    this.#sweepTimer.unref()
  }

  async #sweep(): Promise<void> {
    this.#sweepTimer = undefined
    try {
      const now = Math.round(this.#latest + performance.now() - this.#latestMark)
      const waits = await this.#rows.guard(
        () => this.#ledger.sweep(now),
        () => null,
      )
      if (waits !== Number.POSITIVE_INFINITY) this.#sweepSoon(waits ?? LATEST_SWEEP_MS)
    } catch {
      // Nothing is lost: the next change schedules another sweep.
    }
  }

  #trackedBy({ name, keeps }: Window): Tracked {
    return this.#windows.getOrInsertComputed(name, () => {
      if (keeps === 'all') return new TrackedAll(() => this.#latest)
      const dispose = (counts: Counts, _: unknown, reason: string) => {
        if (reason === 'evict') this.#forget(counts)
      }
      // Here clients choose the names. At most 1 KB each.
      return new LRUCache({ max: this.#options.mostTracked ?? 20_000, dispose })
    })
  }

  /** Drops the row of an evicted count, unless another process has counted since. */
  #forget(counts: Counts): void {
    this.#lent.delete(counts)
    if (counts.version <= 0) return
    const { name, who, version: known } = counts
    const gone = this.#rows.guard(
      () => this.#ledger.change({ name, who: String(who), known, next: null }),
      () => false,
    )
    if (gone instanceof Promise) gone.catch(() => {})
  }
}
