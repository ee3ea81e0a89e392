/** A column of one row group: its dictionary and its pages, compressed one by one. */

import type { ByteSink } from '../../columns/byte-sink.ts'
import { viewCodes } from '../../columns/column.ts'
import { entryText } from '../../filter/entry-search.ts'
import type { OpenDataset } from '../../memory/open-dataset.ts'
import type { StreamTurns } from '../../turns.ts'
import {
  appendHybrid,
  appendPacked,
  appendValue,
  bitWidthOf,
  boundsOfTexts,
  type ChunkScratch,
  fillPage,
  PAGE_ROWS,
  pack,
  type StoredColumn,
} from './entry-values.ts'
import { type ChunkFacts, dataHeader, dictionaryHeader, ENCODING, type ValueBounds } from './metadata.ts'

/** A page of long texts ends early. */
const PAGE_BYTES = 2 ** 20
/** A larger dictionary does not pay; those of numbers are always smaller. */
const MOST_DICTIONARY_BYTES = 2 ** 22

const STEP_ENTRIES = 2 ** 14

const STEP_CODES = 2 ** 20

/** Above this many entries, a column in which nearly every row has its own gets no table of them. */
const FEW_ENTRIES = 2 ** 16

/** Bounds are searched among at most this many texts, and may have this many bytes. */
const MOST_BOUNDED = 2 ** 13
const LONGEST_BOUND = 64

interface Used {
  readonly codes: Uint32Array
  /** Bytes of a dictionary of them. */
  readonly bytes: number
}

export class ColumnChunk {
  readonly #dataset: OpenDataset
  readonly #column: StoredColumn
  readonly #scratch: ChunkScratch
  readonly #turns: StreamTurns
  readonly #rows: number
  #nulls = 0
  #leastCode = 0
  #largestCode = 0
  #bytes = 0
  #packedBytes = 0

  /** @param rows of the group, at most `GROUP_ROWS` */
  constructor(
    dataset: OpenDataset,
    column: StoredColumn,
    rows: number,
    scratch: ChunkScratch,
    turns: StreamTurns,
  ) {
    this.#dataset = dataset
    this.#column = column
    this.#rows = rows
    this.#scratch = scratch
    this.#turns = turns
  }

  /**
   * The bytes of the chunk.
   * @param rowsAt address of its row numbers @param at where in the file it begins
   */
  async *write(rowsAt: number, at: number): AsyncGenerator<Uint8Array, ChunkFacts> {
    this.#gather(rowsAt)
    await this.#turns.rest()
    const used = this.#column.kind === 'boolean' ? null : await this.#findUsed()
    await this.#turns.rest()
    const isCoded = used !== null && isWorthADictionary(used, this.#rows - this.#nulls)
    if (isCoded) yield await this.#writeDictionary(used)
    const dataAt = at + this.#packedBytes
    if (isCoded) yield* this.#writeCodedPages(used)
    else yield* this.#writePlainPages()
    for (const code of used?.codes ?? []) this.#scratch.table[code] = 0
    return {
      column: this.#column,
      rows: this.#rows,
      nulls: this.#nulls,
      bounds: this.#findBounds(used),
      encodings: [ENCODING.plain, ENCODING.runs, ...(isCoded ? [ENCODING.dictionary] : [])],
      dictionaryAt: isCoded ? at : null,
      dataAt,
      bytes: this.#bytes,
      packedBytes: this.#packedBytes,
    }
  }

  #gather(rowsAt: number): void {
    const { codeWidth, distinct } = this.#dataset.columns[this.#column.column]!
    const at = this.#dataset.segment(this.#column.column, 'codes')
    const { words } = this.#dataset.regions
    const source = viewCodes(codeWidth, words.buffer, at, this.#dataset.rows)
    const { codes } = this.#scratch
    let nulls = 0
    let least = distinct + 1
    let largest = 0
    for (let i = 0, row = rowsAt / 4; i < this.#rows; i++, row++) {
      const code = source[words[row]!]!
      codes[i] = code
      if (code === 0) nulls++
      else if (code < least) least = code
      if (code > largest) largest = code
    }
    this.#nulls = nulls
    this.#leastCode = least
    this.#largestCode = largest
  }

  /** The codes that occur, with their places in `scratch.table`; null where nearly all occur once, or none occur. */
  async #findUsed(): Promise<Used | null> {
    const { distinct } = this.#dataset.columns[this.#column.column]!
    if (distinct > FEW_ENTRIES && distinct * 2 > this.#dataset.rows) return null
    if (this.#nulls === this.#rows) return null
    if (this.#scratch.table.length <= distinct) this.#scratch.table = new Uint32Array(distinct + 1)
    const { codes, table } = this.#scratch
    for (let i = 0; i < this.#rows; i++) table[codes[i]!] = 1
    table[0] = 0
    let count = 0
    for (let from = this.#leastCode; from <= this.#largestCode; from += STEP_CODES) {
      count = this.#numberUsed(from, Math.min(this.#largestCode + 1, from + STEP_CODES), count)
      if (this.#largestCode - from > STEP_CODES) await this.#turns.rest()
    }
    const used = this.#scratch.used.subarray(0, count)
    return { codes: used, bytes: this.#bytesOf(used) }
  }

  /** Numbers the marked codes from `from` to `to`. @param count of codes numbered so far @returns the new count */
  #numberUsed(from: number, to: number, count: number): number {
    const { table, used } = this.#scratch
    let numbered = count
    for (let code = from; code < to; code++) {
      if (table[code] === 0) continue
      used[numbered++] = code
      table[code] = numbered
    }
    return numbered
  }

  #bytesOf(codes: Uint32Array): number {
    if (this.#column.kind === 'date') return codes.length * 4
    if (this.#column.kind !== 'text') return codes.length * 8
    const offsets = this.#dataset.segment(this.#column.column, 'offsets') / 4
    const { words } = this.#dataset.regions
    let bytes = 0
    for (const code of codes) bytes += 4 + words[offsets + code]! - words[offsets + code - 1]!
    return bytes
  }

  async #writeDictionary({ codes }: Used): Promise<Uint8Array> {
    const { values } = this.#scratch
    values.length = 0
    for (let from = 0; from < codes.length; from += STEP_ENTRIES) {
      this.#appendEntries(codes, from, Math.min(codes.length, from + STEP_ENTRIES))
      await this.#turns.rest()
    }
    return await this.#enclose(values, (packed) => dictionaryHeader(codes.length, values.length, packed))
  }

  /** Appends the values of codes, without nulls, to `scratch.values`, until these have `most` bytes. @returns the codes done */
  #appendEntries(codes: Uint32Array, from: number, to: number, most = Number.POSITIVE_INFINITY): number {
    const { values } = this.#scratch
    const kind = this.#column.kind
    if (kind === 'boolean') throw new Error('booleans are packed')
    const offsets = this.#dataset.segment(this.#column.column, 'offsets') / 4
    const heap = this.#dataset.segment(this.#column.column, 'heap')
    const { words } = this.#dataset.regions
    const bytes = Buffer.from(words.buffer)
    let i = from
    for (; i < to && values.length < most; i++) {
      const entry = offsets + codes[i]!
      if (codes[i] !== 0) appendValue(kind, values, bytes, heap + words[entry - 1]!, heap + words[entry]!)
    }
    return i - from
  }

  async *#writeCodedPages({ codes: used }: Used): AsyncGenerator<Uint8Array> {
    const { codes, places, table, values } = this.#scratch
    const width = bitWidthOf(used.length - 1)
    for (let from = 0; from < this.#rows; from += PAGE_ROWS) {
      const to = Math.min(this.#rows, from + PAGE_ROWS)
      let count = 0
      for (let i = from; i < to; i++) {
        const code = codes[i]!
        if (code !== 0) places[count++] = table[code]! - 1
      }
      values.length = 0
      values.push(width)
      if (count > 0) appendHybrid(values, places, 0, count, width)
      yield await this.#finishPage(from, to, ENCODING.dictionary)
      await this.#turns.rest()
    }
  }

  async *#writePlainPages(): AsyncGenerator<Uint8Array> {
    const { codes, values } = this.#scratch
    for (let from = 0; from < this.#rows; ) {
      const end = Math.min(this.#rows, from + PAGE_ROWS)
      values.length = 0
      let to = from
      if (this.#column.kind === 'boolean') {
        this.#appendBooleans(from, end)
        to = end
      }
      while (to < end && values.length < PAGE_BYTES) {
        to += this.#appendEntries(codes, to, Math.min(end, to + STEP_ENTRIES), PAGE_BYTES)
        await this.#turns.rest()
      }
      yield await this.#finishPage(from, to, ENCODING.plain)
      await this.#turns.rest()
      from = to
    }
  }

  #appendBooleans(from: number, to: number): void {
    const { codes, places, values } = this.#scratch
    const { distinct } = this.#dataset.columns[this.#column.column]!
    const isTrue = [0]
    for (let code = 1; code <= distinct; code++)
      isTrue.push(entryText(this.#dataset, this.#column.column, code) === 'true' ? 1 : 0)
    let count = 0
    for (let i = from; i < to; i++) if (codes[i] !== 0) places[count++] = isTrue[codes[i]!]!
    appendPacked(values, places, 0, count, 1)
  }

  /** The page of the rows `from` to `to`, whose values are in `scratch.values`. */
  #finishPage(from: number, to: number, encoding: number): Promise<Uint8Array> {
    const { codes, levels, page, values } = this.#scratch
    for (let i = from; i < to; i++) levels[i - from] = codes[i] === 0 ? 0 : 1
    fillPage(page, levels, to - from, values)
    return this.#enclose(page, (packed) => dataHeader(to - from, encoding, page.length, packed))
  }

  /** The header and the compressed page, lent until the next one. @param headerOf the header, from the compressed length */
  async #enclose(
    page: ByteSink,
    headerOf: (packed: number) => { readonly sink: ByteSink },
  ): Promise<Uint8Array> {
    const packed = await pack(page)
    const header = headerOf(packed.length).sink
    const { packed: lent } = this.#scratch
    lent.length = 0
    lent.append(header.bytes, 0, header.length)
    lent.append(packed, 0, packed.length)
    // Freed at once: the collector would wait until an export has made tens of megabytes of it.
    if (packed.buffer instanceof ArrayBuffer) packed.buffer.transfer(0)
    this.#bytes += header.length + page.length
    this.#packedBytes += lent.length
    return lent.bytes.subarray(0, lent.length)
  }

  /** Bounds of numbers and times are those of their codes. Texts are compared by their bytes, a different order. */
  #findBounds(used: Used | null): ValueBounds | null {
    if (this.#nulls === this.#rows) return null
    if (this.#column.kind !== 'text')
      return { min: this.#bound(this.#leastCode), max: this.#bound(this.#largestCode) }
    if (used === null || used.codes.length > MOST_BOUNDED) return null
    const [min, max] = boundsOfTexts(this.#dataset, this.#column.column, used.codes)
    return Math.max(min.length, max.length) > LONGEST_BOUND ? null : { min, max }
  }

  #bound(code: number): Uint8Array {
    if (this.#column.kind === 'boolean')
      return Uint8Array.of(entryText(this.#dataset, this.#column.column, code) === 'true' ? 1 : 0)
    const { values } = this.#scratch
    values.length = 0
    this.#appendEntries(Uint32Array.of(code), 0, 1)
    return values.take()
  }
}

function isWorthADictionary({ codes, bytes }: Used, values: number): boolean {
  if (bytes > MOST_DICTIONARY_BYTES) return false
  return bytes + (values * bitWidthOf(codes.length - 1)) / 8 < (bytes / codes.length) * values
}
