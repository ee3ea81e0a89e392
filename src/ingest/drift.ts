/** Whether a file still has the shape of what is served (contract 6): columns and types, not their order. */

import type { ColumnType } from '../engine/column.ts'

interface NamedType {
  readonly name: string
  readonly type: ColumnType
}

export interface Drift {
  readonly added: readonly NamedType[]
  readonly removed: readonly NamedType[]
  readonly changed: readonly { readonly name: string; readonly from: ColumnType; readonly to: ColumnType }[]
  /** Declared columns that the file lacks. */
  readonly missing: readonly string[]
  /** Columns of the file that the definition refuses (`other_columns`). */
  readonly undeclared: readonly string[]
}

/** @param served the columns being served, or null when nothing is */
export function compareColumns(
  served: readonly NamedType[] | null,
  columns: readonly NamedType[],
  missing: readonly string[],
  undeclared: readonly string[],
): Drift | null {
  const before = new Map((served ?? columns).map(({ name, type }) => [name, type]))
  const now = new Map(columns.map(({ name, type }) => [name, type]))
  const named = ([name, type]: [string, ColumnType]) => ({ name, type })
  const added = [...now].filter(([name]) => !before.has(name)).map(named)
  const removed = [...before].filter(([name]) => !now.has(name)).map(named)
  const changed = [...now].flatMap(([name, to]) => {
    const from = before.get(name)
    return from === undefined || from === to ? [] : [{ name, from, to }]
  })
  const drift = { added, removed, changed, missing, undeclared }
  return Object.values(drift).some((differences) => differences.length > 0) ? drift : null
}

/** The difference in sentences, one per line. */
export function describeDrift(drift: Drift): string {
  return [
    ...drift.missing.map((name) => `the file has no column for '${name}', which the definition declares`),
    ...drift.undeclared.map((header) => `the definition refuses other columns, and the file has '${header}'`),
    ...drift.added.map(({ name, type }) => `column '${name}' (${type}) is new`),
    ...drift.removed.map(({ name, type }) => `column '${name}' (${type}) is gone`),
    ...drift.changed.map(({ name, from, to }) => `column '${name}' was ${from} and is ${to} now`),
  ].join('\n')
}
