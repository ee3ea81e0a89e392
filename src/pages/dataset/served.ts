/** The dataset a page is about. */

import { refuseDataset } from '../../catalog/missing-dataset.ts'
import type { ServedDataset } from '../../catalog/record.ts'
import { type QuerySchema, querySchema } from '../../datasets/query-schema.ts'
import { quote } from '../../datasets/values.ts'
import type { Service } from '../../http/service.ts'

/** @throws ApiError `dataset_not_found` */
export function requireDataset({ catalog }: Service, id: string): ServedDataset {
  const served = catalog.find(id)
  if (served === undefined) throw refuseDataset(catalog, id, quote(id), 'path.id')
  return served
}

const schemas = new WeakMap<ServedDataset, QuerySchema>()

/** What a query may name, made once per version. */
export function schemaOf(served: ServedDataset): QuerySchema {
  const schema = schemas.get(served) ?? querySchema(served.columns)
  schemas.set(served, schema)
  return schema
}
