/** Rows as JSON and CSV bytes. Each call is synchronous: its buffers are shared by all operations. */

import type { SegmentKind } from './columns/column.ts'
import type { OpenDataset } from './memory/open-dataset.ts'
import type { Scratch } from './memory/scratch.ts'
import type { Work } from './turns.ts'

type RowFormat = 'json' | 'ndjson' | 'csv'

/** Words of a column's description in the kernel's memory, as `assembly/render.ts` lists them. */
const COLUMN = {
  codes: 0,
  width: 1,
  offsets: 2,
  heap: 3,
  flags: 4,
  json: 5,
  csv: 9,
  prefix: 13,
  prefixLength: 14,
  isText: 15,
  short: 16,
} as const
const COLUMN_BYTES = 68

/** Cells that the kernel locates at a time: few enough that their data stays in the nearest cache until they are written. */
const CELLS_AHEAD = 1024
const MOST_ROWS_AHEAD = 32
const CELL_BYTES = 8

/** The size of a chunk of output, unless a single row is larger. */
const CHUNK_BYTES = 192 * 1024

/** Kept free before the output, for the bracket that opens an array. */
const LEAD_BYTES = 16

const COMMA = 0x2c
const LINE_FEED = 0x0a
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/** Memory that rows are rendered into. */
export class Output implements Disposable {
  readonly #dataset: OpenDataset
  at: number
  bytes = CHUNK_BYTES

  /** @throws MemoryFullError, MemoryRefusedError */
  constructor(dataset: OpenDataset) {
    this.#dataset = dataset
    this.at = dataset.regions.allocate(LEAD_BYTES + CHUNK_BYTES) + LEAD_BYTES
  }

  /** Makes room for a row that does not fit; the contents are lost. */
  double(): void {
    const { regions } = this.#dataset
    const bytes = this.bytes * 2
    // A long row in the middle of an export may need more; a refusal would cut the export off.
    const at = regions.allocateAnyway(LEAD_BYTES + bytes) + LEAD_BYTES
    this[Symbol.dispose]()
    this.at = at
    this.bytes = bytes
  }

  [Symbol.dispose](): void {
    this.#dataset.regions.release(this.at - LEAD_BYTES)
  }
}

/** Cells that there is room for: at least one row of them. */
function cellsFor(fields: number): number {
  return Math.max(CELLS_AHEAD, fields)
}

/** What an export has of its own. */
interface ExportForm {
  readonly delimiter: number
  /** Addresses of descriptions, by column. */
  readonly columns: ReadonlyMap<number, number>
  readonly out: Output
}

/** Renders a dataset's rows; its buffers live as long as the dataset. */
class Renderer {
  readonly #dataset: OpenDataset
  /** Descriptions of the columns rendered so far, and whether they already point to each side table. */
  readonly #columns: { at: number; json: boolean; csv: boolean }[] = []
  /** Cells that were located, and after them the addresses of the fields' descriptions. */
  #cells = 0
  #mostFields = 0
  #out: Output | undefined

  constructor(dataset: OpenDataset) {
    this.#dataset = dataset
  }

  /**
   * Loads what rendering `fields` needs, so that a later `render` of the same cannot fail.
   * @throws DamagedFileError
   */
  prepare(fields: readonly number[], format: RowFormat): void {
    for (const column of fields) this.#describe(column, format === 'csv' ? 'csv' : 'json')
    this.#out ??= new Output(this.#dataset)
    if (fields.length <= this.#mostFields) return
    if (this.#cells !== 0) this.#dataset.regions.release(this.#cells)
    this.#cells = 0
    this.#mostFields = 0
    this.#cells = this.#dataset.regions.allocate(cellsFor(fields.length) * CELL_BYTES + fields.length * 4)
    this.#mostFields = fields.length
  }

  /**
   * Renders rows whose numbers are at address `rows`: at least one, and as many of `count` as fit into one chunk. The
   * bytes are a view into shared memory: copy or send them before anything else is rendered there. JSON rows end in a comma.
   */
  render(
    fields: readonly number[],
    format: RowFormat,
    rows: number,
    count: number,
    form?: ExportForm,
  ): { bytes: Uint8Array; rows: number } {
    const { kernel, regions } = this.#dataset
    this.prepare(fields, format)
    const words = regions.words
    const cells = cellsFor(this.#mostFields)
    const fieldsAt = this.#cells + cells * CELL_BYTES
    for (let i = 0; i < fields.length; i++) {
      const column = fields[i]!
      words[fieldsAt / 4 + i] = form?.columns.get(column) ?? this.#columns[column]!.at
    }
    const isJson = format === 'csv' ? 0 : 1
    const end = format === 'ndjson' ? LINE_FEED : format === 'csv' ? (form?.delimiter ?? COMMA) : COMMA
    const ahead = Math.min(MOST_ROWS_AHEAD, Math.floor(cells / fields.length))
    const out = form?.out ?? this.#out!
    for (;;) {
      const { at, bytes } = out
      const to = kernel.render(
        fieldsAt,
        fields.length,
        this.#cells,
        ahead,
        rows,
        count,
        at,
        at + bytes,
        end,
        isJson,
      )
      const done = kernel.rowsRendered()
      if (done > 0 || count === 0) return { bytes: regions.bytes.subarray(at, to >>> 0), rows: done }
      out.double()
    }
  }

  /**
   * All of `count` rows as one JSON array. The bytes are lent: copy or send them before anything else happens. A page
   * that fits into one chunk, as nearly all do, is not copied, which would cost nearly as much as rendering it. Larger
   * ones are rendered in turns.
   */
  *renderArray(fields: readonly number[], rows: number, count: number): Work<Uint8Array> {
    const first = this.render(fields, 'json', rows, count)
    if (first.rows === count) {
      // The opening bracket has its place before the output; the closing one replaces the comma after the last row.
      const { bytes } = this.#dataset.regions
      const from = first.bytes.byteOffset - 1
      const to = from + 1 + Math.max(first.bytes.length, 1)
      bytes[from] = OPEN_BRACKET
      bytes[to - 1] = CLOSE_BRACKET
      return bytes.subarray(from, to)
    }
    const pieces = [Buffer.of(OPEN_BRACKET), first.bytes.slice()]
    for (let done = first.rows; done < count; ) {
      yield
      const piece = this.render(fields, 'json', rows + done * 4, count - done)
      done += piece.rows
      pieces.push(piece.bytes.slice())
    }
    const array = Buffer.concat(pieces)
    array[array.length - 1] = CLOSE_BRACKET
    return array
  }

  /** The address of a copy of a column's description with other flags, a byte per code (0: its own), and short texts (0: none). */
  describeWith(column: number, format: RowFormat, flags: number, short: number, scratch: Scratch): number {
    this.#describe(column, format === 'csv' ? 'csv' : 'json')
    const at = scratch.allocate(COLUMN_BYTES)
    const { words } = this.#dataset.regions
    const own = this.#columns[column]!.at
    words.copyWithin(at / 4, own / 4, (own + COLUMN_BYTES) / 4)
    if (flags !== 0) words[at / 4 + COLUMN.flags] = flags
    words[at / 4 + COLUMN.short] = short
    return at
  }

  #describe(column: number, format: 'json' | 'csv'): void {
    const known = this.#columns[column] ?? this.#describeText(column)
    if (known[format]) return
    const kinds = [`${format}_codes`, `${format}_offsets`, `${format}_heap`] as const
    const [codes, offsets, heap] = kinds.map((kind: SegmentKind) => this.#dataset.segment(column, kind))
    const entries = (this.#dataset.columns[column]!.segments[kinds[0]] ?? 0) / 4
    this.#dataset.regions.words.set([codes!, entries, offsets!, heap!], known.at / 4 + COLUMN[format])
    known[format] = true
  }

  #describeText(column: number): { at: number; json: boolean; csv: boolean } {
    const { regions, columns } = this.#dataset
    const layout = columns[column]!
    const kinds = ['codes', 'offsets', 'heap', 'flags'] as const
    const [codes, offsets, heap, flags] = kinds.map((kind) => this.#dataset.segment(column, kind))
    const isText = layout.type === 'string' || layout.type === 'date' || layout.type === 'datetime'
    const prefix = Buffer.from(`,${JSON.stringify(layout.name)}:${isText ? '"' : ''}`)
    const at = regions.allocateForGood(COLUMN_BYTES + prefix.length)
    const words = regions.words.subarray(at / 4, (at + COLUMN_BYTES) / 4)
    words.fill(0)
    words.set([codes!, layout.codeWidth, offsets!, heap!, flags!], COLUMN.codes)
    words.set([at + COLUMN_BYTES, prefix.length, isText ? 1 : 0], COLUMN.prefix)
    regions.bytes.set(prefix, at + COLUMN_BYTES)
    const described = { at, json: false, csv: false }
    this.#columns[column] = described
    return described
  }
}

const renderers = new WeakMap<OpenDataset, Renderer>()

/** The renderer of a dataset, made on first use. */
export function rendererOf(dataset: OpenDataset): Renderer {
  return renderers.getOrInsertComputed(dataset, () => new Renderer(dataset))
}
