/** The public descriptions of a dataset, from what the catalog holds of it. */

import { type CatalogEntry, type Descriptor, datasetEndpoint, type VersionRecord } from './record.ts'
import type { DatasetSource } from './sources.ts'

/** @param source where it can be fetched again; undefined: nowhere */
export function toDescriptor(record: VersionRecord, source: DatasetSource | undefined): Descriptor {
  const { id, domain, title, description, publisher, license, keywords } = record.dataset
  const endpoint = datasetEndpoint(domain, id)
  return {
    id,
    domain,
    title,
    description,
    publisher,
    license,
    keywords,
    endpoint,
    export_endpoint: `${endpoint}/export`,
    aggregate_endpoint: `${endpoint}/aggregate`,
    facets_endpoint: `${endpoint}/facets`,
    row_count: record.rows,
    columns: record.columns,
    primary_key: record.primary_key,
    sample_row: record.sample_row,
    provenance: record.provenance,
    refresh: source ? toRefresh(source) : null,
  }
}

function toRefresh(source: DatasetSource): Descriptor['refresh'] {
  const { schedule, checked_at, changed_at, failed_at, next_run_at } = source
  return { schedule, checked_at, changed_at, failed_at, next_run_at }
}

export interface EntryRow
  extends Pick<CatalogEntry, 'id' | 'domain' | 'title' | 'description' | 'row_count'> {
  readonly imported_at: string
}

/** A dataset as lists and searches show it, from the columns kept for that purpose. */
export function toEntry({ imported_at, ...row }: EntryRow): CatalogEntry {
  return { ...row, last_updated: imported_at, endpoint: datasetEndpoint(row.domain, row.id) }
}
