/** A row of the table of settings. */

import type { Kind } from './setting-kinds.ts'

export interface Setting<T, Fallback extends string | null = string | null> {
  readonly kind: Kind<T>
  /** As people write it; null: the setting has no value unless one is given. */
  readonly fallback: Fallback
  /** What a number counts: `rows`. Sizes and durations carry their unit in the text. */
  readonly unit?: string
  /** The option's name on commands that have it. */
  readonly flag?: string
  readonly help: string
  /** Never printed, and readable from a file named by `IZVOR_<NAME>_FILE`. */
  readonly secret?: boolean
  /** A running service applies changes: it reads the value at each use. */
  readonly live?: boolean
}

export type Table = Readonly<Record<string, Setting<unknown>>>

/** The values of a table: a setting without fallback may be null. */
export type Values<T extends Table> = {
  readonly [K in keyof T]: T[K] extends Setting<infer V, infer F> ? (F extends null ? V | null : V) : never
}

export function setting<T, const Fallback extends string | null>(row: Setting<T, Fallback>) {
  return row
}

export function variableOf(name: string): string {
  return `IZVOR_${name.toUpperCase()}`
}
