/** What the catalog keeps of a published version, and the bodies it answers with (field names are public). */

import type { ColumnType, Value } from '../engine/column.ts'

/** What a definition or the ingest says of a dataset as a whole. */
export interface DatasetInfo {
  readonly id: string
  readonly domain: string
  readonly title: string
  readonly description: string | null
  readonly publisher: string | null
  readonly license: string | null
  readonly keywords: readonly string[]
  readonly source_url: string | null
  readonly source_package_id: string | null
}

export interface DescriptorColumn {
  readonly name: string
  readonly type: ColumnType
  readonly required: boolean
  readonly description: string | null
  /** The header in the source file; null for a column the ingest added. */
  readonly source_name: string | null
  readonly null_count: number
  readonly distinct_count: number
  readonly min: Value | null
  readonly max: Value | null
}

export type SampleRow = Readonly<Record<string, Value | null>>

export interface Provenance {
  readonly ingestion_version: number
  readonly rows_imported: number
  readonly rows_quarantined: number
  readonly source_file: string
  readonly source_sha256: string
  readonly source_url: string | null
  readonly source_package_id: string | null
  /** RFC 3339 UTC, whole seconds. */
  readonly imported_at: string
}

export interface Quality {
  readonly dataset: string
  readonly ingestion_version: number
  readonly measured: boolean
  readonly rows: { readonly read: number; readonly imported: number; readonly quarantined: number }
  readonly completeness: readonly {
    readonly column: string
    readonly filled: number
    readonly missing: number
    readonly ratio: number
  }[]
  readonly repairs: readonly { readonly column: string; readonly kind: string; readonly count: number }[]
  readonly validation: readonly { readonly column: string; readonly rule: string; readonly failed: number }[]
  readonly quarantine: readonly { readonly reason: string; readonly count: number }[]
}

/** Everything a publish puts into the catalog. */
export interface VersionRecord {
  readonly dataset: DatasetInfo
  /** From `Catalog.reserveVersion`. */
  readonly version: number
  /** Rows served. */
  readonly rows: number
  readonly quarantined: number
  readonly columns: readonly DescriptorColumn[]
  readonly primary_key: readonly string[]
  /** null: the dataset has no rows. */
  readonly sample_row: SampleRow | null
  readonly provenance: Provenance
  readonly quality: Quality
  /** The version file: lower-case hex and bytes, as `VersionWriter.finish` gives them. */
  readonly file: { readonly sha256: string; readonly bytes: number }
  /** The definition it was ingested with, or null. */
  readonly definition: unknown
}

/** One dataset as lists and searches show it. Paths are relative to the service's address. */
export interface CatalogEntry {
  readonly id: string
  readonly domain: string
  readonly title: string
  readonly description: string | null
  readonly row_count: number
  readonly last_updated: string
  readonly endpoint: string
}

export interface Descriptor {
  readonly id: string
  readonly domain: string
  readonly title: string
  readonly description: string | null
  readonly publisher: string | null
  readonly license: string | null
  readonly keywords: readonly string[]
  readonly endpoint: string
  readonly export_endpoint: string
  readonly row_count: number
  readonly columns: readonly DescriptorColumn[]
  readonly primary_key: readonly string[]
  readonly sample_row: SampleRow | null
  readonly provenance: Provenance
  /** null: its source cannot be fetched again. Times are RFC 3339 UTC. */
  readonly refresh: {
    /** A cron pattern in UTC; null: by hand. */
    readonly schedule: string | null
    readonly checked_at: string | null
    readonly changed_at: string
    /** null: the last check went well. */
    readonly failed_at: string | null
    readonly next_run_at: string | null
  } | null
}

/** What the data routes need of the version being served. */
export interface ServedDataset {
  readonly id: string
  readonly domain: string
  readonly version: number
  readonly rows: number
  /** RFC 3339 UTC, whole seconds. */
  readonly lastUpdated: string
  readonly sourceUrl: string | null
  readonly primaryKey: readonly string[]
  readonly columns: readonly DescriptorColumn[]
  /** Path of the version file. */
  readonly file: string
  readonly sha256: string
}

/** One kept version, for the operator. */
export interface VersionSummary {
  readonly version: number
  readonly served: boolean
  readonly rows: number
  readonly quarantined: number
  readonly imported_at: string
  readonly source_file: string
  /** Of the source, in lower-case hex. */
  readonly source_sha256: string
  readonly file: string
  readonly bytes: number
  /** Of the version file. */
  readonly sha256: string
}

/** Where a dataset is listed and filtered; exports stand one level below. */
export function datasetEndpoint(domain: string, id: string): string {
  return `/v1/${domain}/${id}`
}
