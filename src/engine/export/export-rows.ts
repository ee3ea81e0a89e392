/** Exports as CSV and NDJSON. */

import type { OpenDataset } from '../memory/open-dataset.ts'
import type { ExportQuery } from '../query.ts'
import { rendererOf } from '../render.ts'
import { StreamTurns } from '../turns.ts'
import { type OpenCsvStyle, openCsvStyle } from './csv-style.ts'
import { RowsInOrder } from './rows-in-order.ts'

/** Rows whose numbers are gathered at a time; a chunk holds fewer. A sort that was evicted is made again for each batch. */
const BATCH_ROWS = 4096
const SORTED_BATCH_ROWS = 2 ** 15

const PLAIN = { delimiter: ',', safe: false } as const

/**
 * The matching rows as chunks of bytes, in file order unless the query sorts; CSV starts with a header line. Other
 * requests get their turns between chunks. A chunk is lent: it holds until the next one is requested, and then its memory
 * is overwritten. Copies would be garbage faster than it is collected: 13 MB for each export under way.
 * @throws DamagedFileError, before the first chunk, when a segment does not load
 */
export async function* exportRows(
  dataset: OpenDataset,
  { filters, fields, format, sort = [], csv = PLAIN, offset = 0, limit = Infinity }: ExportQuery,
  onRows: (rows: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const source = await RowsInOrder.open(dataset, { filters, sort })
  const turns = new StreamTurns()
  const most = sort.length === 0 ? BATCH_ROWS : SORTED_BATCH_ROWS
  let rows = 0
  let style: OpenCsvStyle | undefined
  try {
    if (format === 'csv') style = await dataset.turns.run(openCsvStyle(dataset, fields, csv))
    rows = dataset.regions.allocate(most * 4)
    rendererOf(dataset).prepare(fields, format)
    if (format === 'csv') yield csvHeader(dataset, fields, csv.delimiter)
    let lent = new Uint8Array(0)
    let [passed, left] = [offset, limit]
    while (left > 0) {
      const count = await source.next(rows, Math.min(most, passed + left))
      if (count === 0) break
      let done = Math.min(passed, count)
      passed -= done
      left -= count - done
      while (done < count) {
        const chunk = rendererOf(dataset).render(fields, format, rows + done * 4, count - done, style)
        done += chunk.rows
        // Other requests render into the same buffer before the chunk is sent.
        if (lent.length < chunk.bytes.length) lent = new Uint8Array(chunk.bytes.length)
        lent.set(chunk.bytes)
        yield lent.subarray(0, chunk.bytes.length)
        onRows(chunk.rows)
        await turns.rest()
      }
    }
  } finally {
    turns.end()
    if (rows !== 0) dataset.regions.release(rows)
    style?.release()
    source.close()
  }
}

/** Column names are `[a-z0-9_]` and need no quotes. */
function csvHeader(dataset: OpenDataset, fields: readonly number[], delimiter: string): Buffer {
  return Buffer.from(`${fields.map((column) => dataset.columns[column]!.name).join(delimiter)}\r\n`)
}
