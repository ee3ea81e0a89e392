/** Publishes a plain table as a dataset without reading a file, for values that no file format can hold. */

import { join } from 'node:path'
import type { SegmentKind, Value } from '../../src/engine/columns/column.ts'
import type { Catalog } from '../../src/store/catalog/catalog.ts'
import type { DatasetInfo, VersionRecord } from '../../src/store/catalog/record.ts'
import type { NewSource } from '../../src/store/catalog/sources.ts'
import type { DataDir } from '../../src/store/files/data-dir.ts'
import { VersionWriter } from '../../src/store/files/write-version.ts'
import { memorySource } from './memory-source.ts'
import type { PlainTable } from './random-table.ts'
import { versionRecord } from './version.ts'

export interface TableDataset extends Partial<DatasetInfo> {
  readonly id: string
  readonly domain: string
  readonly table: PlainTable
  readonly primaryKey?: readonly string[]
  /** Where it can be fetched again. */
  readonly source?: NewSource
}

/** Writes the version file, publishes it and deletes what is no longer kept; returns the version's number. */
export async function publishTable(
  catalog: Catalog,
  dataDir: DataDir,
  dataset: TableDataset,
): Promise<number> {
  const version = await catalog.reserveVersion(dataset.id)
  const work = dataDir.claimWorkFolder()
  try {
    const path = join(work.path, 'version.db')
    const file = writeTable(path, dataset, version)
    const record = recordOf(dataset, version, file)
    const place = () => dataDir.placeVersion(path, dataset.id, version)
    dataDir.discard(await catalog.publish(record, place, dataset.source))
    return version
  } finally {
    work.release()
  }
}

function writeTable(path: string, { id, domain, table }: TableDataset, version: number) {
  const source = memorySource(table)
  const writer = new VersionWriter(path)
  for (const [position, column] of source.columns.entries()) {
    writer.writeColumn(position, column)
    for (const kind of Object.keys(column.segments) as SegmentKind[]) {
      writer.writeSegment(position, kind, Buffer.concat([...source.parts(position, kind)]))
    }
  }
  return writer.finish({ dataset: id, domain, version, rows: source.rows })
}

function recordOf(
  dataset: TableDataset,
  version: number,
  file: { sha256: string; bytes: number },
): VersionRecord {
  const { table, primaryKey = [], source: _source, ...info } = dataset
  const record = versionRecord({ title: info.id, ...info, rows: table.rows.length }, version, file)
  const source_file = `${info.id}.csv`
  return {
    ...record,
    columns: table.columns.map(({ name, type }, position) => {
      const values = table.rows.map((row) => row[position] ?? null)
      return {
        name,
        title: null,
        unit: null,
        type,
        required: false,
        description: null,
        source_name: name,
        null_count: values.filter((value) => value === null).length,
        distinct_count: new Set(values.filter((value) => value !== null)).size,
        min: null,
        max: null,
      }
    }),
    primary_key: primaryKey,
    sample_row: sampleRow(table),
    provenance: {
      ...record.provenance,
      source_file,
      sources: record.provenance.sources.map((source) => ({ ...source, file: source_file })),
    },
  }
}

function sampleRow(table: PlainTable): Record<string, Value | null> | null {
  const first = table.rows[0]
  if (first === undefined) return null
  return Object.fromEntries(table.columns.map((column, position) => [column.name, first[position]!]))
}
