/** The columns that a query may name. */

import type { ColumnType } from '../engine/column.ts'

export interface QuerySchema {
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[]
  readonly positions: ReadonlyMap<string, number>
}

/** Prepares a dataset's columns for parsing. */
export function querySchema(columns: QuerySchema['columns']): QuerySchema {
  return { columns, positions: new Map(columns.map((column, position) => [column.name, position])) }
}
