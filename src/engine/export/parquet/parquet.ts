/**
 * Exports as Parquet. The dataset's dictionaries become those of the file: in each row group the entries that occur in it,
 * in column order. Libraries would take values and look for the distinct ones again.
 */

import type { OpenDataset } from '../../memory/open-dataset.ts'
import { Scratch } from '../../memory/scratch.ts'
import { StreamTurns, type Work } from '../../turns.ts'
import { RowsInOrder, type RowsQuery } from '../rows-in-order.ts'
import { ColumnChunk } from './column-chunk.ts'
import { ChunkScratch, GROUP_ROWS, type StoredColumn, valueKindOf } from './entry-values.ts'
import { type ChunkFacts, Footer } from './metadata.ts'

export const MAGIC = Buffer.from('PAR1')

export interface ParquetQuery extends RowsQuery {
  readonly fields: readonly number[]
  readonly createdBy: string
  readonly metadata: Readonly<Record<string, string>>
}

/**
 * The matching rows as a Parquet file, in chunks of bytes, in file order unless the query sorts. Other requests get their
 * turns between pages. A chunk is lent: it is valid until the next one is requested. Every column is optional, so that files
 * of different filters have the same schema.
 * @param onRows gets the number of rows that the reader has taken
 * @throws DamagedFileError, before the first chunk, when a segment does not load
 */
export async function* exportParquet(
  dataset: OpenDataset,
  { filters, sort, fields, createdBy, metadata }: ParquetQuery,
  onRows: (rows: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  await dataset.load([[fields, 'searched']])
  using source = await RowsInOrder.open(dataset, { filters, sort })
  using turns = new StreamTurns()
  using regions = new Scratch(dataset)
  const columns = await dataset.turns.run(fileColumns(dataset, fields))
  const rows = regions.allocate(GROUP_ROWS * 4)
  const footer = new Footer(columns)
  const scratch = new ChunkScratch()
  yield MAGIC
  let at = MAGIC.length
  for (;;) {
    const count = await source.next(rows, GROUP_ROWS)
    if (count === 0) break
    const chunks: ChunkFacts[] = []
    for (const column of columns) {
      const chunk = yield* new ColumnChunk(dataset, column, count, scratch, turns).write(rows, at)
      at += chunk.packedBytes
      chunks.push(chunk)
    }
    footer.addGroup(count, chunks)
    onRows(count)
  }
  yield footer.finish(createdBy, metadata)
}

function* fileColumns(dataset: OpenDataset, fields: readonly number[]): Work<StoredColumn[]> {
  const columns: StoredColumn[] = []
  for (const column of fields) {
    const kind = yield* valueKindOf(dataset, column)
    columns.push({ column, name: dataset.columns[column]!.name, kind })
  }
  return columns
}
