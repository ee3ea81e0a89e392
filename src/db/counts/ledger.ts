/**
 * The one place where all processes that serve the same count. A ledger has few verbs, and knows nothing of windows: a row
 * for each that is counted, changed only by who has seen its latest state.
 */

import type { ValueOrPromise } from '../../base/value-or-promise.ts'

/** A row: `version` differs after every change. */
export interface LedgerRow {
  readonly version: number
  /** As `readSlots` takes it. */
  readonly slots: string
}

export interface LedgerChange {
  /** Of the window. */
  readonly name: string
  readonly who: string
  /** The version that the change was made of; 0 when there was no row. */
  readonly known: number
  /** null: the row goes. `emptyAt`: when it may be swept, milliseconds since 1970. */
  readonly next: (LedgerRow & { readonly emptyAt: number }) | null
}

export interface CountLedger {
  /** Whether what cannot be counted must be refused. Else it is counted by the process alone meanwhile. */
  readonly isVital: boolean
  /** How long a refusal may be repeated without a look into the ledger. */
  readonly freshMs: number
  /** What its clock is ahead of ours, in milliseconds. */
  readonly ahead: number
  read(name: string, who: string): ValueOrPromise<LedgerRow | undefined>
  /** @returns whether the row was as known, and is changed */
  change(change: LedgerChange): ValueOrPromise<boolean>
  /**
   * Removes some rows whose events have all left. @returns milliseconds until there may be more to remove; 0: there may be
   * now, Infinity: not before something is counted
   */
  sweep(now: number): ValueOrPromise<number>
  close(): ValueOrPromise<void>
}

/** Counts of one process, gone with it. */
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
