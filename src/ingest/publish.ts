/** The end of an ingest: the version file completed, checked, moved into place and made the served one. */

import type { Catalog } from '../catalog/catalog.ts'
import type { DatasetInfo, Provenance } from '../catalog/record.ts'
import type { DataDir } from '../storage/data-dir.ts'
import { verifyVersionFile } from '../storage/verify-version.ts'
import type { VersionWriter } from '../storage/write-version.ts'
import { formatTimestamp } from '../text/timestamp.ts'
import type { BuiltVersion } from './build-version.ts'
import type { Definition } from './definition/definition.ts'
import { composeQuality, type QualityCounts } from './quality.ts'
import type { Origin } from './source-record.ts'

export interface PublishRequest {
  readonly info: DatasetInfo
  readonly definition: Definition | null
  readonly built: BuiltVersion
  readonly counts: QualityCounts
  readonly primaryKey: readonly string[]
  readonly source: { readonly file: string; readonly sha256: string }
  /** Where the data can be fetched again; null: nowhere. */
  readonly origin: Origin | null
  readonly importedAt: Date
}

/**
 * Serves the version from the next request on; until the very last step nothing has changed for anybody.
 * @returns its number
 * @throws CommandError `failed` when the disk is full; DamagedFileError when the disk did not keep what was written
 */
export function publishVersion(
  dataDir: DataDir,
  catalog: Catalog,
  writer: VersionWriter,
  request: PublishRequest,
): number {
  const { info, built, counts, primaryKey, definition } = request
  const { id, domain } = info
  const version = catalog.reserveVersion(id)
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
  }
  const { origin, source } = request
  const origins = origin && { ...origin, sha256: origin.sha256 ?? source.sha256 }
  const dropped = catalog.publish(record, () => dataDir.placeVersion(writer.path, id, version), origins)
  dataDir.discard(dropped)
  return version
}

function composeProvenance(version: number, request: PublishRequest): Provenance {
  const { info, counts, source, importedAt } = request
  return {
    ingestion_version: version,
    rows_imported: counts.rows.imported,
    rows_quarantined: counts.rows.quarantined,
    source_file: source.file,
    source_sha256: source.sha256,
    source_url: info.source_url,
    source_package_id: info.source_package_id,
    imported_at: formatTimestamp(importedAt),
  }
}
