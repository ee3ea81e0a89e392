/** Exports as CSV and NDJSON. */

import { ENTRY_FLAGS } from '../columns/column.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import type { CsvForm, ExportQuery } from '../query.ts'
import { type CsvStyle, rendererOf } from '../render.ts'
import { StreamTurns, type Work } from '../turns.ts'
import { RowsInOrder } from './rows-in-order.ts'

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA_SIGNS: ReadonlySet<number> = new Set(Buffer.from('=+-@'))

/** Entries looked at between two yields, and what a byte of them costs. */
const BLOCK_ENTRIES = 2 ** 16

const ENTRY_COST = 4

const BYTE_COST = 1

class OpenCsvStyle implements CsvStyle {
  readonly delimiter: number
  readonly columns = new Map<number, number>()
  readonly #dataset: OpenDataset
  readonly #safe: boolean
  readonly #regions: number[] = []

  constructor(dataset: OpenDataset, { delimiter, safe }: CsvForm) {
    this.#dataset = dataset
    this.delimiter = delimiter.charCodeAt(0)
    this.#safe = safe
  }

  release(): void {
    for (const region of this.#regions) this.#dataset.regions.release(region)
    this.#regions.length = 0
  }

  /** Makes flags of a column of texts. Those of other types hold no delimiter, and are not texts. */
  *add(column: number): Work<void> {
    const { columns, regions } = this.#dataset
    const { type, distinct } = columns[column]!
    if (type !== 'string') return
    const flags = regions.allocate(distinct + 1)
    this.#regions.push(flags)
    const known = this.#dataset.segment(column, 'flags')
    if (known === 0) regions.bytes.fill(0, flags, flags + distinct + 1)
    else regions.bytes.copyWithin(flags, known, known + distinct + 1)
    for (let from = 0; from < distinct; from += BLOCK_ENTRIES) {
      const to = Math.min(distinct, from + BLOCK_ENTRIES)
      yield this.#mark(column, flags, from, to)
    }
    const described = rendererOf(this.#dataset).describeWith(column, flags)
    this.#regions.push(described)
    this.columns.set(column, described)
  }

  #mark(column: number, flags: number, from: number, to: number): number {
    const offsetsAt = this.#dataset.segment(column, 'offsets') / 4
    const heapAt = this.#dataset.segment(column, 'heap')
    const { bytes, words } = this.#dataset.regions
    const heap = Buffer.from(bytes.buffer, bytes.byteOffset + heapAt, words[offsetsAt + to]!)
    if (this.#safe) {
      for (let entry = from; entry < to; entry++) {
        const start = words[offsetsAt + entry]!
        if (start < words[offsetsAt + entry + 1]! && FORMULA_SIGNS.has(heap[start]!))
          bytes[flags + entry + 1]! |= ENTRY_FLAGS.csvGuarded
      }
    }
    const start = words[offsetsAt + from]!
    let entry = from
    for (let at = heap.indexOf(this.delimiter, start); at >= 0; ) {
      while (words[offsetsAt + entry + 1]! <= at) entry++
      bytes[flags + entry + 1]! |= ENTRY_FLAGS.csvQuoted
      at = heap.indexOf(this.delimiter, words[offsetsAt + entry + 1]!)
    }
    return (to - from) * ENTRY_COST + (heap.length - start) * BYTE_COST
  }
}

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

// CSV in another style than RFC 4180's: another delimiter, or with formula-like texts made harmless.
/**
 * Prepares the columns for a style. Which texts stand between quotes is known for commas only, so texts are looked
 * through for the delimiter; what is found is kept until `release`.
 * @returns undefined for plain CSV
 * @throws DamagedFileError when a segment does not load
 */
function* openCsvStyle(
  dataset: OpenDataset,
  fields: readonly number[],
  form: CsvForm,
): Work<OpenCsvStyle | undefined> {
  if (form.delimiter === ',' && !form.safe) return undefined
  const style = new OpenCsvStyle(dataset, form)
  try {
    for (const column of new Set(fields)) yield* style.add(column)
    return style
  } catch (error) {
    style.release()
    throw error
  }
}
