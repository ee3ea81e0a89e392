/** The columns that a query may name. */

import type { ColumnType } from '../engine/columns/column.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import { refuseDataset } from '../store/catalog/missing-dataset.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import { quote } from './values.ts'

export interface QuerySchema {
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[]
  readonly positions: ReadonlyMap<string, number>
}

/** Prepares a dataset's columns for parsing. */
export function querySchema(columns: QuerySchema['columns']): QuerySchema {
  return { columns, positions: new Map(columns.map((column, position) => [column.name, position])) }
}

const schemas = new WeakMap<ServedDataset, QuerySchema>()

/** The columns that queries of a served version may name; made once for each version. */
export function schemaOf(served: ServedDataset): QuerySchema {
  return schemas.getOrInsertComputed(served, () => querySchema(served.columns))
}

/** The dataset that a path names. @throws ApiError `dataset_not_found` */
export function requireDataset(catalog: Catalog, id: string): ServedDataset {
  const served = catalog.find(id)
  if (served === undefined) throw refuseDataset(catalog, id, quote(id), 'path.id')
  return served
}
