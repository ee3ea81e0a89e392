/** Whether a file still has the shape of what is served (contract 6): columns and types, not their order. */

import { columnName } from '../../base/text/snake-case.ts'
import { suggest } from '../../base/text/suggest.ts'
import type { ColumnType } from '../../engine/columns/column.ts'

interface NamedType {
  readonly name: string
  readonly type: ColumnType
}

interface ServedType extends NamedType {
  /** The header that it had; null or left out: none. */
  readonly source_name?: string | null
}

export interface Drift {
  readonly added: readonly NamedType[]
  readonly removed: readonly NamedType[]
  readonly changed: readonly { readonly name: string; readonly from: ColumnType; readonly to: ColumnType }[]
  /** Declared columns that the file lacks. */
  readonly missing: readonly string[]
  /** Columns of the file that the definition refuses (`other_columns`). */
  readonly undeclared: readonly string[]
  /** Columns that the file lacks, with a header of it that is nearly their name. */
  readonly renamed: readonly { readonly name: string; readonly header: string }[]
}

/**
 * @param served the columns being served, or null when nothing is
 * @param others headers of the file that no definition declares
 */
export function compareColumns(
  served: readonly ServedType[] | null,
  columns: readonly NamedType[],
  missing: readonly string[],
  undeclared: readonly string[],
  others: readonly string[] = [],
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
  const isNew = (header: string) => !before.has(columnName(header))
  const renamed = [
    ...missing.flatMap((name) => findHeader(name, others)),
    ...removed.flatMap(({ name }) => {
      const header = served?.find((column) => column.name === name)?.source_name
      // Under the same header it had another name from a definition.
      if (header != null && others.includes(header)) return [{ name, header: header.trim() }]
      return findHeader(name, others.filter(isNew))
    }),
  ]
  const drift = { added, removed, changed, missing, undeclared, renamed }
  return Object.values(drift).some((differences) => differences.length > 0) ? drift : null
}

/** The difference in sentences, one per line. */
export function describeDrift(drift: Drift): string {
  const isMissing = ({ name }: NamedType) => drift.missing.includes(name)
  return [
    ...drift.missing.map((name) => `the file has no column for '${name}', which the definition declares`),
    ...drift.undeclared.map((header) => `the definition refuses other columns, and the file has '${header}'`),
    ...drift.added
      .filter((column) => !isMissing(column))
      .map(({ name, type }) => `column '${name}' (${type}) is new`),
    ...drift.removed.map(({ name, type }) => `column '${name}' (${type}) is gone`),
    ...drift.changed.map(({ name, from, to }) => `column '${name}' was ${from} and is ${to} now`),
    ...drift.renamed.map(
      ({ name, header }) =>
        `perhaps '${name}' has another header now: ${JSON.stringify({ name, source: header })} under "columns" in a definition says so`,
    ),
  ].join('\n')
}

function findHeader(name: string, headers: readonly string[]): { name: string; header: string }[] {
  const [near] = suggest(name, headers.map(columnName))
  const header = headers.find((text) => columnName(text) === near)
  return header === undefined ? [] : [{ name, header: header.trim() }]
}
