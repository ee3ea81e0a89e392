/** A dataset as lists and searches show it, from the columns kept for that purpose. */

import { type CatalogEntry, datasetEndpoint } from './record.ts'

export interface EntryRow {
  readonly id: string
  readonly domain: string
  readonly title: string
  readonly description: string | null
  readonly row_count: number
  readonly imported_at: string
}

export function toEntry(row: EntryRow): CatalogEntry {
  const { id, domain, title, description, row_count, imported_at } = row
  const endpoint = datasetEndpoint(domain, id)
  return { id, domain, title, description, row_count, last_updated: imported_at, endpoint }
}
