/** Pages and exports of an open dataset, as tests of the engine read them. */

import { exportRows } from '../../src/engine/export/export-rows.ts'
import type { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { ExportQuery, PageQuery } from '../../src/engine/row-query.ts'

/** The first fifty rows of the first column, unless the query says otherwise. */
export function page(query: Partial<PageQuery>): PageQuery {
  return { filters: [], sort: [], fields: [0], limit: 50, offset: 0, count: true, ...query }
}

/** The rows of a page. */
export function rowsOf(bytes: Uint8Array): unknown[] {
  return JSON.parse(Buffer.from(bytes).toString())
}

/** A whole export; its chunks are lent. */
export async function exported(dataset: OpenDataset, query: ExportQuery): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of exportRows(dataset, query)) chunks.push(chunk.slice())
  return Buffer.concat(chunks)
}
