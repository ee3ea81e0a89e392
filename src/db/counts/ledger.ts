/**
 * The shared place where all processes of a service count. A ledger has few verbs and knows nothing of windows. It has a
 * row for each count, and only a process that has seen the row's latest version can change it.
 */

import type { ValueOrPromise } from '../../base/value-or-promise.ts'

/** A row: `version` differs after every change. */
export interface LedgerRow {
  readonly version: number
  /** In the form of `readSlots`. */
  readonly slots: string
}

export interface LedgerChange {
  /** The window's name. */
  readonly name: string
  readonly who: string
  /** The version that the change is based on; 0 when there was no row. */
  readonly known: number
  /** null: deletes the row. `emptyAt`: when it may be swept, in milliseconds since 1970. */
  readonly next: (LedgerRow & { readonly emptyAt: number }) | null
}

export interface CountLedger {
  /** Whether an event that cannot be counted is refused. If not, the process counts alone meanwhile. */
  readonly isVital: boolean
  /** How long a refusal may be repeated without reading the ledger. */
  readonly freshMs: number
  /** How far its clock is ahead of ours, in milliseconds. */
  readonly ahead: number
  read(name: string, who: string): ValueOrPromise<LedgerRow | undefined>
  /** @returns whether the row had the known version and was changed */
  change(change: LedgerChange): ValueOrPromise<boolean>
  /**
   * Removes some rows whose events have all left. @returns milliseconds until there may be more to remove; 0: there may
   * be more now, Infinity: none until something is counted
   */
  sweep(now: number): ValueOrPromise<number>
  close(): ValueOrPromise<void>
}

/** Counts of one process, in its memory. */
export class MemoryLedger implements CountLedger {
  readonly isVital = true
  readonly freshMs = 0
  readonly ahead: number = 0
  readonly #rows = new Map<string, LedgerRow & { emptyAt: number }>()

  read(name: string, who: string): LedgerRow | undefined {
    return this.#rows.get(`${name} ${who}`)
  }

  change({ name, who, known, next }: LedgerChange): boolean {
    const key = `${name} ${who}`
    if ((this.#rows.get(key)?.version ?? 0) !== known) return false
    if (next === null) this.#rows.delete(key)
    else this.#rows.set(key, next)
    return true
  }

  sweep(now: number): number {
    for (const [key, { emptyAt }] of this.#rows) if (emptyAt <= now) this.#rows.delete(key)
    return Number.POSITIVE_INFINITY
  }

  close(): void {
    this.#rows.clear()
  }
}
