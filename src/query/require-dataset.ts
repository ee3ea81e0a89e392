/** The dataset that an address names. */

import type { Catalog } from '../store/catalog/catalog.ts'
import { refuseDataset } from '../store/catalog/missing-dataset.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import { quote } from './values.ts'

/** @throws ApiError `dataset_not_found` */
export function requireDataset(catalog: Catalog, id: string): ServedDataset {
  const served = catalog.find(id)
  if (served === undefined) throw refuseDataset(catalog, id, quote(id), 'path.id')
  return served
}
