/** Small version files and their catalog records. */

import { join } from 'node:path'
import type { Catalog } from '../../src/store/catalog/catalog.ts'
import type { DatasetInfo, DescriptorColumn, VersionRecord } from '../../src/store/catalog/record.ts'
import type { SearchedTexts } from '../../src/store/catalog/search/searched-texts.ts'
import type { DataDir } from '../../src/store/files/data-dir.ts'
import { VersionWriter } from '../../src/store/files/write-version.ts'

export interface SampleDataset extends Partial<DatasetInfo> {
  readonly columnNames?: readonly string[]
  readonly rows?: number
  readonly importedAt?: string
  /** Of the bytes that it was made of. */
  readonly sha256?: string
  /** What is searched besides the record. */
  readonly texts?: SearchedTexts
}

/** The record of a dataset of text columns. */
export function versionRecord(
  sample: SampleDataset,
  version: number,
  file: { sha256: string; bytes: number },
): VersionRecord {
  const {
    columnNames = ['name'],
    rows = 3,
    importedAt = '2025-01-31T08:00:00Z',
    sha256 = 'ab'.repeat(32),
    texts: _,
    ...info
  } = sample
  const dataset: DatasetInfo = {
    id: 'sample',
    domain: 'economy',
    title: 'Sample',
    description: null,
    publisher: null,
    license: null,
    keywords: [],
    source_url: null,
    source_package_id: null,
    ...info,
  }
  return {
    dataset,
    version,
    rows,
    quarantined: 0,
    columns: columnNames.map(textColumn),
    primary_key: [],
    sample_row: Object.fromEntries(columnNames.map((name) => [name, 'a'])),
    provenance: {
      ingestion_version: version,
      rows_imported: rows,
      rows_quarantined: 0,
      source_file: 'sample.csv',
      source_sha256: sha256,
      source_url: dataset.source_url,
      source_package_id: dataset.source_package_id,
      imported_at: importedAt,
      sources: [{ file: 'sample.csv', sha256, rows, imported_at: importedAt }],
    },
    quality: {
      dataset: dataset.id,
      ingestion_version: version,
      measured: true,
      rows: { read: rows, imported: rows, quarantined: 0, left_out: 0 },
      completeness: [],
      mended: { surplus_blanks: 0, joined: 0, left_off: 0 },
      unproven: [],
      repairs: [],
      validation: [],
      quarantine: [],
      left_out: [],
    },
    file,
    definition: { id: dataset.id, domain: dataset.domain },
    reading: { revision: 1, digest: '' },
    said: {},
  }
}

/** Writes a version file, publishes it and deletes what is no longer kept; returns the version's number. */
export async function publishSample(
  catalog: Catalog,
  dataDir: DataDir,
  sample: SampleDataset,
): Promise<number> {
  const id = sample.id ?? 'sample'
  const version = await catalog.reserveVersion(id)
  const work = dataDir.claimWorkFolder()
  try {
    const path = join(work.path, 'version.db')
    const file = writeSample(path, id, version)
    const place = () => dataDir.placeVersion(path, id, version)
    const record = versionRecord(sample, version, file)
    const dropped = await catalog.publish(record, place, null, { texts: sample.texts })
    dataDir.discard(dropped)
    return version
  } finally {
    work.release()
  }
}

/** A version file of one text column and three rows. */
export function writeSample(
  path: string,
  dataset = 'sample',
  version = 1,
): { sha256: string; bytes: number } {
  const writer = new VersionWriter(path)
  writer.writeColumn(0, { name: 'name', type: 'string', distinct: 2, nullCount: 1, codeWidth: 1 })
  writer.writeSegment(0, 'codes', Uint8Array.of(1, 0, 2))
  writer.writeSegment(0, 'offsets', new Uint8Array(Uint32Array.of(0, 1, 2).buffer))
  writer.writeSegment(0, 'heap', new TextEncoder().encode('ab'))
  return writer.finish({ dataset, domain: 'economy', version, rows: 3 })
}

function textColumn(name: string): DescriptorColumn {
  return {
    name,
    title: null,
    unit: null,
    type: 'string',
    required: false,
    description: null,
    source_name: name,
    null_count: 0,
    distinct_count: 1,
    min: 'a',
    max: 'a',
  }
}
