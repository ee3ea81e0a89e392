/** Rows as JSON and CSV bytes. Everything here is synchronous: its buffers are shared by all operations. */

import type { SegmentKind } from './columns/column.ts'
import type { OpenDataset } from './memory/open-dataset.ts'

type RowFormat = 'json' | 'ndjson' | 'csv'

/** Words of a column's description in the kernel's memory; `assembly/render.ts` lists the same. */
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
} as const
const COLUMN_BYTES = 64

/** The size of a chunk of output, unless a single row is larger. */
const CHUNK_BYTES = 192 * 1024

/** Kept free in front of the output, for the bracket that opens an array. */
const LEAD_BYTES = 16

const COMMA = 0x2c
const LINE_FEED = 0x0a
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const BRACKET = Buffer.from([OPEN_BRACKET])

/** CSV other than RFC 4180's. */
export interface CsvStyle {
  readonly delimiter: number
  /** Addresses of descriptions that take the place of the renderer's own, by column. */
  readonly columns: ReadonlyMap<number, number>
}

/** Renders a dataset's rows; its buffers live as long as the dataset. */
class Renderer {
  readonly #dataset: OpenDataset
  /** Descriptions of the columns rendered so far, and which side tables they already point to. */
  readonly #columns: { at: number; json: boolean; csv: boolean }[] = []
  #fields = 0
  #mostFields = 0
  #out = 0
  #outBytes = 0

  constructor(dataset: OpenDataset) {
    this.#dataset = dataset
  }

  /**
   * Loads what rendering `fields` needs, so that a later `render` of the same cannot fail.
   * @throws DamagedFileError
   */
  prepare(fields: readonly number[], format: RowFormat): void {
    for (const column of fields) this.#describe(column, format === 'csv' ? 'csv' : 'json')
    if (this.#outBytes === 0) this.#resizeOutput(CHUNK_BYTES)
    if (fields.length <= this.#mostFields) return
    if (this.#fields !== 0) this.#dataset.regions.release(this.#fields)
    this.#fields = 0
    this.#mostFields = 0
    this.#fields = this.#dataset.regions.allocate(fields.length * 4)
    this.#mostFields = fields.length
  }

  /**
   * Renders rows whose numbers are at address `rows`, as many of `count` as one chunk takes and at least one. The
   * bytes are a view into shared memory: copy or send them before anything else happens. JSON rows end in a comma.
   */
  render(
    fields: readonly number[],
    format: RowFormat,
    rows: number,
    count: number,
    style?: CsvStyle,
  ): { bytes: Uint8Array; rows: number } {
    const { kernel, regions } = this.#dataset
    this.prepare(fields, format)
    const words = regions.words
    for (let i = 0; i < fields.length; i++) {
      const column = fields[i]!
      words[this.#fields / 4 + i] = style?.columns.get(column) ?? this.#columns[column]!.at
    }
    for (;;) {
      const out = this.#out
      const limit = out + this.#outBytes
      const end =
        format === 'csv'
          ? kernel.renderCsv(this.#fields, fields.length, rows, count, out, limit, style?.delimiter ?? COMMA)
          : kernel.renderJson(this.#fields, fields.length, rows, count, out, limit, lineEnd(format))
      const done = kernel.rowsRendered()
      if (done > 0 || count === 0) return { bytes: regions.bytes.subarray(out, end >>> 0), rows: done }
      this.#resizeOutput(this.#outBytes * 2)
    }
  }

  /**
   * All of `count` rows as one JSON array. The bytes are lent: copy or send them before anything else happens. A page
   * that fits one chunk, as nearly all do, is handed over where it was rendered; a copy would cost nearly as much as
   * rendering it.
   */
  renderArray(fields: readonly number[], rows: number, count: number): Uint8Array {
    const first = this.render(fields, 'json', rows, count)
    if (first.rows === count) return this.#enclose(first.bytes)
    const pieces = [first.bytes.slice()]
    for (let done = first.rows; done < count; ) {
      const piece = this.render(fields, 'json', rows + done * 4, count - done)
      done += piece.rows
      pieces.push(piece.bytes.slice())
    }
    const array = Buffer.concat([BRACKET, ...pieces])
    // The comma behind the last row gives its place to the closing bracket.
    array[array.length - 1] = CLOSE_BRACKET
    return array
  }

  /**
   * A column's description with other flags, for CSV.
   * @param flags address of a byte for each code @returns the region it is in, which the caller releases
   */
  describeWith(column: number, flags: number): number {
    this.#describe(column, 'csv')
    const { regions } = this.#dataset
    const region = regions.allocate(COLUMN_BYTES)
    const words = regions.words
    words.copyWithin(
      region / 4,
      this.#columns[column]!.at / 4,
      this.#columns[column]!.at / 4 + COLUMN_BYTES / 4,
    )
    words[region / 4 + COLUMN.flags] = flags
    return region
  }

  /** Rows as the renderer left them, put between brackets in place: there is a byte to spare in front of them. */
  #enclose(rows: Uint8Array): Uint8Array {
    const { bytes } = this.#dataset.regions
    const from = this.#out - 1
    const to = this.#out + Math.max(rows.length, 1)
    bytes[from] = OPEN_BRACKET
    bytes[to - 1] = CLOSE_BRACKET
    return bytes.subarray(from, to)
  }

  #resizeOutput(bytes: number): void {
    const { regions } = this.#dataset
    if (this.#out !== 0) regions.release(this.#out - LEAD_BYTES)
    this.#out = 0
    this.#outBytes = 0
    // A single long row may want more in the middle of an export, which could then only be cut off.
    this.#out = regions.allocateAnyway(LEAD_BYTES + bytes) + LEAD_BYTES
    this.#outBytes = bytes
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
    const codes = this.#dataset.segment(column, 'codes')
    const offsets = this.#dataset.segment(column, 'offsets')
    const heap = this.#dataset.segment(column, 'heap')
    const flags = this.#dataset.segment(column, 'flags')
    const isText = layout.type === 'string' || layout.type === 'date' || layout.type === 'datetime'
    const prefix = Buffer.from(`,${JSON.stringify(layout.name)}:${isText ? '"' : ''}`)
    const at = regions.allocateForGood(COLUMN_BYTES + prefix.length)
    const words = regions.words.subarray(at / 4, (at + COLUMN_BYTES) / 4)
    words.fill(0)
    words.set([codes, layout.codeWidth, offsets, heap, flags], COLUMN.codes)
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
  let renderer = renderers.get(dataset)
  if (renderer === undefined) {
    renderer = new Renderer(dataset)
    renderers.set(dataset, renderer)
  }
  return renderer
}

function lineEnd(format: RowFormat): number {
  return format === 'json' ? COMMA : LINE_FEED
}
