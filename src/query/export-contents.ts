/** What the file of an export holds, by its format. */

import packageJson from '../../package.json' with { type: 'json' }
import { exportRows } from '../engine/export/export-rows.ts'
import { exportParquet } from '../engine/export/parquet/parquet.ts'
import type { OpenDataset } from '../engine/memory/open-dataset.ts'
import { textsAtPublication } from '../store/catalog/edit.ts'
import type { VersionRecord } from '../store/catalog/record.ts'
import type { ExportRequest } from './query.ts'

const CREATED_BY = `izvor version ${packageJson.version}`

/**
 * The rows that a request matches as chunks of bytes; each may be lent until the next is asked for.
 * @param record of the version; undefined when it was removed meanwhile
 * @param onRows gets the number of rows that the reader has taken
 * @throws DamagedFileError, before the first chunk
 */
export function exportContents(
  dataset: OpenDataset,
  request: ExportRequest,
  record: VersionRecord | undefined,
  onRows: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const { format } = request
  if (format !== 'parquet') return exportRows(dataset, { ...request, format }, onRows)
  const metadata = record === undefined ? {} : parquetMetadata(record)
  return exportParquet(dataset, { ...request, createdBy: CREATED_BY, metadata }, onRows)
}

/** Contract 8. What was said when the version was published: later edits change no file. */
function parquetMetadata(record: VersionRecord): Record<string, string> {
  const { license } = textsAtPublication(record)
  return {
    'izvor.dataset': record.dataset.id,
    'izvor.version': String(record.version),
    'izvor.source_sha256': record.provenance.source_sha256,
    ...(license !== null && { 'izvor.license': license }),
  }
}
