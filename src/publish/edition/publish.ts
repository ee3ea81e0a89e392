/** The end of an ingest: the version file completed, checked, moved into place and made the served one. */

import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { Definition } from '../../read/definition/definition.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { PublicationTerms } from '../../store/catalog/publish.ts'
import type { DatasetInfo, Provenance, Reading } from '../../store/catalog/record.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { verifyVersionFile } from '../../store/files/verify-version.ts'
import type { VersionWriter } from '../../store/files/write-version.ts'
import { type Appended, addQuality, addSource } from './append.ts'
import type { BuiltVersion } from './build-version.ts'
import { composeQuality, type QualityCounts, type RowCounts } from './quality.ts'
import type { Origin } from './source-record.ts'

export interface PublishRequest {
  readonly info: DatasetInfo
  readonly definition: Definition | null
  readonly built: BuiltVersion
  /** Of the file, but for the columns. */
  readonly counts: QualityCounts
  readonly primaryKey: readonly string[]
  /** The file, and what it brought. */
  readonly source: { readonly file: string; readonly sha256: string; readonly rows: RowCounts }
  readonly reading: Reading
  /** null: the rows stand for themselves. */
  readonly appended: Appended | null
  /** Where the data can be fetched again, and how it is read. */
  readonly origin: Origin
  readonly importedAt: Date
}

/**
 * Serves the version from the next request on; until the last step readers see no change.
 * @returns its number
 * @throws CommandError `failed` when the disk is full, or another version is served than the terms expect, or the object store does not keep the file; DamagedFileError when the disk did not keep what was written
 */
export async function publishVersion(
  dataDir: DataDir,
  catalog: Catalog,
  writer: VersionWriter,
  request: PublishRequest,
  terms: PublicationTerms = {},
): Promise<number> {
  const { info, built, primaryKey, definition, appended } = request
  const counts = appended === null ? request.counts : addQuality(appended, request.counts)
  const { id, domain } = info
  const version = await catalog.reserveVersion(id)
  const file = writer.finish({ dataset: id, domain, version, rows: counts.rows.imported })
  verifyVersionFile(writer.path)
  const record = {
    dataset: info,
    version,
    rows: counts.rows.imported,
    quarantined: counts.rows.quarantined,
    columns: built.columns,
    primary_key: primaryKey,
    sample_row: built.sampleRow,
    provenance: composeProvenance(version, request),
    quality: composeQuality(id, version, counts),
    file,
    definition,
    reading: request.reading,
    said: {},
  }
  const { origin, source } = request
  const origins = { ...origin, sha256: origin.sha256 ?? source.sha256 }
  const place = () => dataDir.placeVersion(writer.path, id, version)
  const continued = appended === null ? {} : { expected: appended.record.version }
  const dropped = await catalog.publish(record, place, origins, { ...terms, ...continued })
  dataDir.discard(dropped)
  return version
}

function composeProvenance(version: number, request: PublishRequest): Provenance {
  const { info, source, appended, importedAt } = request
  const { file, sha256, rows } = source
  const imported_at = formatTimestamp(importedAt)
  const added = { file, sha256, rows: rows.imported, imported_at }
  return {
    ingestion_version: version,
    rows_imported: rows.imported,
    rows_quarantined: rows.quarantined,
    source_file: file,
    source_sha256: sha256,
    source_url: info.source_url,
    source_package_id: info.source_package_id,
    imported_at,
    sources: appended === null ? [added] : addSource(appended, added),
  }
}
