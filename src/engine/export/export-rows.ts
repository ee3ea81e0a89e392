/** Exports as CSV and NDJSON. */

import { ENTRY_FLAGS } from '../columns/column.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import { MemoryFullError, MemoryRefusedError } from '../memory/regions.ts'
import { Scratch } from '../memory/scratch.ts'
import { Output, rendererOf } from '../render.ts'
import type { CsvForm, ExportQuery } from '../row-query.ts'
import { blocksOf, StreamTurns, type Work } from '../turns.ts'
import { RowsInOrder } from './rows-in-order.ts'

/** Signs that a spreadsheet takes for the beginning of a formula. */
const FORMULA_SIGNS: ReadonlySet<number> = new Set(Buffer.from('=+-@'))

/** Entries examined between two yields. */
const BLOCK_ENTRIES = 2 ** 16

const SHORT_BYTES = 8

const RFC4180: CsvForm = { delimiter: ',', safe: false }

/**
 * Descriptions, by column, of the columns that an export of `rows` rows reads differently from a page.
 * @throws DamagedFileError when a segment does not load
 */
function* describeColumns(
  dataset: OpenDataset,
  { fields, format, csv = RFC4180 }: ExportQuery,
  rows: number,
  scratch: Scratch,
): Work<ReadonlyMap<number, number>> {
  const described = new Map<number, number>()
  for (const column of new Set(fields)) {
    const { segments, distinct } = dataset.columns[column]!
    const flags = format === 'csv' ? yield* markTexts(dataset, column, csv, scratch) : 0
    const isPlain = flags === 0 && segments.flags === undefined
    const short = isPlain && distinct <= rows ? yield* shortTexts(dataset, column, scratch) : 0
    if (flags === 0 && short === 0) continue
    described.set(column, rendererOf(dataset).describeWith(column, format, flags, short, scratch))
  }
  return described
}

/**
 * The texts of a column by code, if all are short: a cell then waits for memory once, not for its offset and then its text.
 * They are kept like orders.
 * @returns their address; 0 where some are long, or there is no memory for them
 */
function* shortTexts(dataset: OpenDataset, column: number, scratch: Scratch): Work<number> {
  const { kernel, orders, columns } = dataset
  const { distinct } = columns[column]!
  const key = `short texts of ${column}`
  let kept = orders.use(key)
  if (!kept) {
    const bytes = (distinct + 1) * SHORT_BYTES
    const [offsets, heap] = [dataset.segment(column, 'offsets'), dataset.segment(column, 'heap')]
    using own = new Scratch(dataset)
    try {
      const at = own.allocate(bytes)
      // The text of null is empty.
      dataset.regions.bytes.fill(0, at, at + SHORT_BYTES)
      for (const [from, to] of blocksOf(distinct)) {
        if (kernel.writeShort(offsets, heap, from + 1, to + 1, at) === 0) return 0
        yield
      }
      kept = orders.use(key) ?? orders.keep(key, own.keep(at), bytes, distinct)
    } catch (error) {
      if (error instanceof MemoryFullError || error instanceof MemoryRefusedError) return 0
      throw error
    }
  }
  scratch.hold(kept)
  return kept.at
}

/**
 * Flags that a column of texts needs in a form other than RFC 4180's: with another delimiter, or with formulas made harmless.
 * Stored flags say which texts need quotes for commas only, so texts are searched for the delimiter.
 * @returns the address of flags, a byte for each code; 0 where nothing changes
 */
function* markTexts(dataset: OpenDataset, column: number, form: CsvForm, scratch: Scratch): Work<number> {
  const { columns, regions } = dataset
  const { type, distinct } = columns[column]!
  // Values of other types contain no delimiter and are not taken for formulas.
  if (type !== 'string' || (form.delimiter === ',' && !form.safe)) return 0
  const flags = scratch.cleared(distinct + 1)
  const known = dataset.segment(column, 'flags')
  if (known !== 0) regions.bytes.copyWithin(flags, known, known + distinct + 1)
  for (let from = 0; from < distinct; from += BLOCK_ENTRIES) {
    markEntries(dataset, column, form, flags, from, Math.min(distinct, from + BLOCK_ENTRIES))
    yield
  }
  return flags
}

/** Marks the entries of a block. */
function markEntries(
  dataset: OpenDataset,
  column: number,
  { delimiter, safe }: CsvForm,
  flags: number,
  from: number,
  to: number,
): void {
  const offsetsAt = dataset.segment(column, 'offsets') / 4
  const heapAt = dataset.segment(column, 'heap')
  const { bytes, words } = dataset.regions
  const heap = Buffer.from(bytes.buffer, bytes.byteOffset + heapAt, words[offsetsAt + to]!)
  if (safe) {
    for (let entry = from; entry < to; entry++) {
      const start = words[offsetsAt + entry]!
      if (start < words[offsetsAt + entry + 1]! && FORMULA_SIGNS.has(heap[start]!))
        bytes[flags + entry + 1]! |= ENTRY_FLAGS.csvGuarded
    }
  }
  const sign = delimiter.charCodeAt(0)
  let entry = from
  for (let at = heap.indexOf(sign, words[offsetsAt + from]); at >= 0; ) {
    while (words[offsetsAt + entry + 1]! <= at) entry++
    bytes[flags + entry + 1]! |= ENTRY_FLAGS.csvQuoted
    at = heap.indexOf(sign, words[offsetsAt + entry + 1]!)
  }
}

/** Row numbers gathered at a time; a chunk holds fewer. A sort that was evicted is made again for each batch. */
const BATCH_ROWS = 4096
const SORTED_BATCH_ROWS = 2 ** 15

/**
 * The matching rows as chunks of bytes, in file order unless the query sorts; CSV starts with a header line. Other
 * requests get their turns between chunks. A chunk is lent: its memory is overwritten when the next one is requested.
 * Copies would become garbage faster than it is collected: 13 MB for each export under way.
 * @throws DamagedFileError, before the first chunk, when a segment does not load
 */
export async function* exportRows(
  dataset: OpenDataset,
  query: ExportQuery,
  onRows: (rows: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const { filters, fields, format, sort = [], csv = RFC4180, offset = 0, limit = Infinity } = query
  await dataset.load([[fields, format === 'csv' ? 'csv' : 'json']])
  using source = await RowsInOrder.open(dataset, { filters, sort })
  using turns = new StreamTurns()
  using scratch = new Scratch(dataset)
  const renderer = rendererOf(dataset)
  const most = sort.length === 0 ? BATCH_ROWS : SORTED_BATCH_ROWS
  const columns = await dataset.turns.run(
    describeColumns(dataset, query, Math.min(source.total, limit), scratch),
  )
  using out = new Output(dataset)
  const form = { delimiter: csv.delimiter.charCodeAt(0), columns, out }
  const rows = scratch.allocate(most * 4)
  renderer.prepare(fields, format)
  // Column names are `[a-z0-9_]` and need no quotes.
  if (format === 'csv')
    yield Buffer.from(`${fields.map((column) => dataset.columns[column]!.name).join(csv.delimiter)}\r\n`)
  let [passed, left] = [offset, limit]
  while (left > 0) {
    const count = await source.next(rows, Math.min(most, passed + left))
    if (count === 0) break
    let done = Math.min(passed, count)
    passed -= done
    left -= count - done
    while (done < count) {
      const chunk = renderer.render(fields, format, rows + done * 4, count - done, form)
      done += chunk.rows
      yield chunk.bytes
      onRows(chunk.rows)
      await turns.rest()
    }
  }
}
