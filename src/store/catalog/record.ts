/** What the catalog stores of a published version, and the bodies it answers with (field names are public). */

import type { sources } from '../../db/schema/catalog-schema.ts'
import type { ColumnType, Value } from '../../engine/columns/column.ts'
import type { Unproven } from '../../read/report/decisions.ts'

/** What a definition or an ingest says about a dataset as a whole. */
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
  readonly title: string | null
  /** The unit of its numbers: `lei`, `%`. */
  readonly unit: string | null
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

/** A file whose rows are in a version. */
export interface SourceEntry {
  readonly file: string
  readonly sha256: string
  readonly rows: number
  /** RFC 3339 UTC, whole seconds. */
  readonly imported_at: string
}

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
  /** Every file that the rows came from, in the order of the rows; the fields above describe the last one. */
  readonly sources: readonly SourceEntry[]
}

export interface Quality {
  readonly dataset: string
  readonly ingestion_version: number
  readonly measured: boolean
  readonly rows: {
    readonly read: number
    readonly imported: number
    readonly quarantined: number
    readonly left_out: number
  }
  readonly completeness: readonly {
    readonly column: string
    readonly filled: number
    readonly missing: number
    readonly ratio: number
  }[]
  /** Records with more or fewer cells that became rows, by what was done. */
  readonly mended: { readonly surplus_blanks: number; readonly joined: number; readonly left_off: number }
  readonly unproven: readonly Unproven[]
  readonly repairs: readonly { readonly column: string; readonly kind: string; readonly count: number }[]
  readonly validation: readonly { readonly column: string; readonly rule: string; readonly failed: number }[]
  readonly quarantine: readonly { readonly reason: string; readonly count: number }[]
  /** Records around the table, none of its rows: titles, notes, signatures. */
  readonly left_out: readonly { readonly kind: string; readonly count: number }[]
}

/** Everything that a publication puts into the catalog. */
export interface VersionRecord {
  readonly dataset: DatasetInfo
  /** From `Catalog.reserveVersion`. */
  readonly version: number
  readonly rows: number
  readonly quarantined: number
  readonly columns: readonly DescriptorColumn[]
  readonly primary_key: readonly string[]
  readonly sample_row: SampleRow | null
  readonly provenance: Provenance
  readonly quality: Quality
  /** The version file: lower-case hex and bytes, from `VersionWriter.finish`. */
  readonly file: { readonly sha256: string; readonly bytes: number }
  readonly definition: unknown
  readonly reading: ReadingStamp
  /** The ingest's values of texts that `datasets edit` changed. */
  readonly said: {
    readonly dataset?: Partial<DatasetTexts>
    /** By name. */
    readonly columns?: Readonly<Record<string, Partial<ColumnTexts>>>
  }
}

/** The texts of a dataset that can be changed without a new version. */
export type DatasetTexts = Pick<DatasetInfo, 'title' | 'description' | 'publisher' | 'license' | 'keywords'>
export type ColumnTexts = Pick<DescriptorColumn, 'title' | 'unit' | 'description'>

/** Identifies how a file is read: with the same stamp the same bytes give the same version. */
export interface ReadingStamp {
  /** `READING_REVISION` (`read/report/`) of the program that read it. */
  readonly revision: number
  /** Digest of the options, the definition and the reference tables, in lower-case hex. */
  readonly digest: string
}

/** One dataset as lists and searches show it. Paths are relative to the service's address. */
export interface CatalogEntry extends Pick<DatasetInfo, 'id' | 'domain' | 'title' | 'description'> {
  readonly row_count: number
  readonly last_updated: string
  readonly endpoint: string
}

export type Descriptor = ReturnType<typeof toDescriptor>

/** The state of a refresh for everyone: without reasons of failures, which may name hosts of an internal network. */
export type PublicRefresh = Pick<
  typeof sources.$inferSelect,
  'schedule' | 'checked_at' | 'changed_at' | 'failed_at' | 'next_run_at'
>

/** What the data routes need of the version being served. */
export type ServedDataset = Readonly<ReturnType<typeof toServed>>

/** The path where a dataset is listed and filtered; exports are one level below. */
export function datasetEndpoint(domain: string, id: string): string {
  return `/v1/${domain}/${id}`
}

/** Adds the fields that older stored records lack: the records left out. */
export function completeRecord(stored: VersionRecord): VersionRecord {
  const { quality } = stored
  const rows = { ...quality.rows, left_out: quality.rows.left_out ?? 0 }
  return { ...stored, quality: { ...quality, left_out: quality.left_out ?? [], rows } }
}

export function toServed(record: VersionRecord, file: string, open: boolean) {
  const { dataset, version, rows, columns, primary_key, provenance } = record
  return {
    id: dataset.id,
    domain: dataset.domain,
    version,
    rows,
    lastUpdated: provenance.imported_at,
    sourceUrl: dataset.source_url,
    primaryKey: primary_key,
    columns,
    /** Whether its rows and files are shown without a key, if `public_browsing` is on. */
    open,
    file,
    sha256: record.file.sha256,
    bytes: record.file.bytes,
  }
}

/** @param source where it can be fetched again; undefined: nowhere */
export function toDescriptor(record: VersionRecord, source: PublicRefresh | undefined) {
  const { id, domain, title, description, publisher, license, keywords } = record.dataset
  const endpoint = datasetEndpoint(domain, id)
  let refresh: PublicRefresh | null = null
  if (source !== undefined) {
    const { schedule, checked_at, changed_at, failed_at, next_run_at } = source
    refresh = { schedule, checked_at, changed_at, failed_at, next_run_at }
  }
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
    /** null: its source cannot be fetched again. */
    refresh,
  }
}

/** A dataset as lists and searches show it, from the columns kept for that purpose. */
export function toEntry(row: Omit<CatalogEntry, 'endpoint'>): CatalogEntry {
  return { ...row, endpoint: datasetEndpoint(row.domain, row.id) }
}
