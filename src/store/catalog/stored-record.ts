/** The record of a version as the catalog stores it, and what the data routes take from it. */

import {
  type DescriptorColumn,
  NONE_MENDED,
  type Quality,
  type ServedDataset,
  type VersionRecord,
} from './record.ts'

/** The form of records that earlier versions of the program wrote. */
type OldRecord = Omit<VersionRecord, 'reading' | 'said' | 'columns' | 'provenance' | 'quality'> &
  Partial<Pick<VersionRecord, 'reading' | 'said'>> & {
    readonly columns: readonly (Omit<DescriptorColumn, 'title' | 'unit'> & Partial<DescriptorColumn>)[]
    readonly quality: Omit<Quality, 'mended' | 'unproven'> & Partial<Quality>
    readonly provenance: Omit<VersionRecord['provenance'], 'sources'> & Partial<VersionRecord['provenance']>
  }

/** @param json of any version of the program @throws SyntaxError */
export function parseRecord(json: string): VersionRecord {
  return completeRecord(JSON.parse(json))
}

/** A record with the fields that came later. */
export function completeRecord(stored: OldRecord): VersionRecord {
  const { provenance, columns } = stored
  const { source_file: file, source_sha256: sha256, rows_imported: rows, imported_at } = provenance
  return {
    reading: null,
    said: {},
    ...stored,
    columns: columns.map(({ name, ...column }) => ({ name, title: null, unit: null, ...column })),
    quality: { mended: NONE_MENDED, unproven: [], ...stored.quality },
    provenance: { ...provenance, sources: provenance.sources ?? [{ file, sha256, rows, imported_at }] },
  }
}

/** @param file path of the version file @param open as the catalog holds it */
export function toServed(record: VersionRecord, file: string, open: boolean): ServedDataset {
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
    open,
    file,
    sha256: record.file.sha256,
    bytes: record.file.bytes,
  }
}
