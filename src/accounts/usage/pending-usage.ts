/**
 * Counts and records that are not yet written: a batch being written, and what has gathered since. A batch that could
 * not be written stays unchanged and is written again.
 */

import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import { dayName } from './calendar.ts'
import { type DatasetAnswer, PendingUse } from './dataset-use.ts'
import { type CallRecord, packCall } from './log-record.ts'

/** Everything written in one transaction. */
export interface UsageBatch {
  readonly calls: PendingCalls
  readonly use: PendingUse
  /** Log records, as `packCall` writes them. */
  readonly logs: readonly string[]
}

/** In characters; about 100,000 ordinary records. While the disk fails, records beyond it are dropped and counted. */
const MOST_TEXT = 16 * 2 ** 20

export class PendingUsage {
  #calls = new PendingCalls()
  #use = new PendingUse()
  #lines: string[] = []
  #characters = 0
  #dropped = 0
  #batch: UsageBatch | undefined

  get isEmpty(): boolean {
    return this.#batch === undefined && this.#calls.isEmpty && this.#use.isEmpty && this.waiting === 0
  }

  /** Whether the next batch was tried before. */
  get isRepeated(): boolean {
    return this.#batch !== undefined
  }

  /** Log records waiting to be written. */
  get waiting(): number {
    return this.#lines.length + (this.#batch?.logs.length ?? 0)
  }

  /** Adds calls to a key's day, its owner's month and its account's day, or takes them back. */
  add(key: CountedKey, day: number, month: string, calls: number): void {
    this.#calls.add(key, day, month, calls)
  }

  record(call: CallRecord): void {
    this.#calls.used(call.key_id, call.at * 1000)
    if (this.#characters > MOST_TEXT) {
      this.#dropped += 1
      return
    }
    const line = packCall(call)
    this.#characters += line.length
    this.#lines.push(line)
  }

  used(answer: DatasetAnswer): void {
    this.#use.add(answer)
  }

  /**
   * Calls `write` with the batch that failed before, else with what has gathered. Only one batch is written at a time:
   * call it again when `write` has ended.
   */
  write(write: (batch: UsageBatch) => ValueOrPromise<void>): ValueOrPromise<void> {
    if (this.#batch === undefined) {
      this.#batch = { calls: this.#calls, use: this.#use, logs: this.#lines }
      this.#calls = new PendingCalls()
      this.#use = new PendingUse()
      this.#lines = []
      this.#characters = 0
    }
    return withValue(write(this.#batch), () => {
      this.#batch = undefined
    })
  }

  /** Calls of an owner in a month or, for an account, on a day. */
  inPeriod(owner: string, period: string): number {
    return this.#parts().reduce((sum, calls) => sum + (calls.periods.get(owner)?.get(period) ?? 0), 0)
  }

  /** Calls of a key by day number; a day may come twice. */
  *daysOf(keyId: number): Generator<[day: number, calls: number]> {
    for (const { keys } of this.#parts()) yield* keys.get(keyId)?.calls ?? []
  }

  /** Calls of all keys by day number; a day may come twice. */
  *perDay(): Generator<[day: number, calls: number]> {
    for (const calls of this.#parts()) yield* calls.perDay()
  }

  /** Milliseconds since 1970; undefined when the key was not used since the last write. */
  lastUsed(keyId: number): number | undefined {
    const moments = this.#parts().map(({ keys }) => keys.get(keyId)?.lastUsed ?? Number.NEGATIVE_INFINITY)
    const latest = Math.max(...moments)
    return latest === Number.NEGATIVE_INFINITY ? undefined : latest
  }

  /** Drops the calls of a deleted key. */
  forgetKey(keyId: number): void {
    for (const { keys } of this.#parts()) keys.delete(keyId)
    this.#use.forgetKey(keyId)
    this.#batch?.use.forgetKey(keyId)
  }

  forgetOwner(owner: string): void {
    for (const { periods } of this.#parts()) periods.delete(owner)
  }

  /** Log records dropped for lack of room since the last call. */
  takeDropped(): number {
    const dropped = this.#dropped
    this.#dropped = 0
    return dropped
  }

  #parts(): readonly PendingCalls[] {
    return this.#batch === undefined ? [this.#calls] : [this.#batch.calls, this.#calls]
  }
}

/** A key as counting needs it: its number, its account, and whose monthly quota its calls use. */
export interface CountedKey {
  readonly keyId: number
  readonly userId: number | null
  /** `account:7`, or `key:3`. */
  readonly quotaOwner: string
}

/** Counted calls that are not yet in the database. Sums may be negative: an admitted call may be returned later. */
class PendingCalls {
  /** Calls by day number; `lastUsed` in ms since 1970, if the key got an answer since the last flush. */
  readonly keys = new Map<number, { readonly calls: Map<number, number>; lastUsed: number | undefined }>()
  /** Calls by owner and month, and of accounts by day as well. */
  readonly periods = new Map<string, Map<string, number>>()

  get isEmpty(): boolean {
    return this.keys.size === 0 && this.periods.size === 0
  }

  add(key: CountedKey, day: number, month: string, calls: number): void {
    increase(this.#key(key.keyId).calls, day, calls)
    this.#increase(key.quotaOwner, month, calls)
    if (key.userId !== null) this.#increase(`account:${key.userId}`, dayName(day), calls)
  }

  used(keyId: number, at: number): void {
    const key = this.#key(keyId)
    if (key.lastUsed === undefined || at > key.lastUsed) key.lastUsed = at
  }

  /** Calls of all keys by day number. */
  perDay(): Map<number, number> {
    const all = new Map<number, number>()
    for (const { calls } of this.keys.values()) {
      for (const [day, requests] of calls) increase(all, day, requests)
    }
    return all
  }

  #increase(owner: string, period: string, calls: number): void {
    increase(
      this.periods.getOrInsertComputed(owner, () => new Map()),
      period,
      calls,
    )
  }

  #key(keyId: number) {
    return this.keys.getOrInsertComputed(keyId, () => ({ calls: new Map(), lastUsed: undefined }))
  }
}

function increase<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
