/** One pass over the file: records become rows of entry ids, columns become tables of distinct cells. */

import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { BlockReader } from '../delimited/block-reader.ts'
import { openQuoteError, RecordSplitter, type Separators } from '../delimited/record-splitter.ts'
import type { Header } from '../structure/header.ts'
import { CellTable } from './cell-table.ts'
import { Quarantine, type RowPlace } from './quarantine.ts'
import { Spill } from './spill.ts'

export interface EncodeRequest {
  /** UTF-8, readable from any offset. */
  readonly path: string
  readonly workFolder: string
  readonly separators: Separators
  readonly header: Header
  /** Offset behind the byte order mark; the header's offsets count from here. */
  readonly from: number
  /** Cells, from 0, that become columns; each gets one lane of the spill, in this order. */
  readonly cells: readonly number[]
  /** Rows may still be refused: keep where each one stands, in three more lanes. */
  readonly keepPlaces: boolean
  readonly onBlock: (bytes: number, rows: number) => void
}

const TOO_FEW = { reason: 'too_few_cells', column: null }
const TOO_MANY = { reason: 'too_many_cells', column: null }
const BROKEN_QUOTE = { reason: 'broken_quote', column: null }

/** Rows of a column that the file lacks come in blocks of this many. */
const EMPTY_ROWS = 0x10000

export class EncodedRecords {
  /** Records that are not rows. */
  blank = 0
  /** One per asked cell. */
  readonly tables: readonly CellTable[]
  /** Per asked cell, how many were read in spite of stray quotes. */
  strayQuotes: readonly number[] = []
  /** Records of another width or with a broken quote, and rows refused later. */
  readonly quarantine = new Quarantine()
  /** Lanes: one per asked cell, then (`keepPlaces`) line, offset within the block, length. */
  private readonly spill: Spill
  /** File offset of each block of the spill. */
  private readonly blockOffsets: number[] = []

  private readonly cells: readonly number[]

  constructor({ cells, keepPlaces, workFolder }: EncodeRequest) {
    this.cells = cells
    const seed = crypto.getRandomValues(new Int32Array(1))[0] as number
    this.tables = cells.map(() => new CellTable(seed))
    this.spill = new Spill(join(workFolder, 'rows'), cells.length + (keepPlaces ? 3 : 0))
  }

  /** Records of the right width. */
  get rows(): number {
    return this.spill.rows
  }

  /**
   * The cell ids of all rows in one lane, a block at a time; each array is overwritten by the next one.
   * @param lane -1: of a column that the file lacks, empty in every row
   */
  *idsOf(lane: number): Generator<Uint32Array> {
    if (lane >= 0) return yield* this.spill.read(lane)
    const empty = new Uint32Array(Math.min(this.rows, EMPTY_ROWS))
    for (let row = 0; row < this.rows; row += empty.length) yield empty.subarray(0, this.rows - row)
  }

  /**
   * Where each row stands, a block at a time.
   * @param wanted not 0 for each row asked for
   */
  *placesOf(wanted: Uint16Array): Generator<{ row: number; place: RowPlace }> {
    const first = this.tables.length
    const starts = this.spill.read(first + 1)
    const lengths = this.spill.read(first + 2)
    let row = 0
    let block = 0
    for (const lines of this.spill.read(first)) {
      const start = starts.next().value as Uint32Array
      const length = lengths.next().value as Uint32Array
      const from = this.blockOffsets[block++] as number
      for (let i = 0; i < lines.length; i++, row++) {
        if (wanted[row] === 0) continue
        const place = {
          line: lines[i] as number,
          offset: from + (start[i] as number),
          length: length[i] as number,
        }
        yield { row, place }
      }
    }
  }

  /** Takes over the rows of a block that was just split; @param offset where it begins in the file */
  addBlock(splitter: RecordSplitter, view: DataView, offset: number): void {
    const { width, rows, starts, ends, lines, rowStarts, rowEnds } = splitter
    for (const { line, start, end, cells, broken } of splitter.ragged) {
      const fault = broken ? BROKEN_QUOTE : cells < width ? TOO_FEW : TOO_MANY
      this.quarantine.add({ line, offset: offset + start, length: end - start }, fault)
    }
    if (rows === 0) return
    this.blockOffsets.push(offset)
    const block = { view, starts, ends, width, rows }
    const { tables } = this
    const ids = new Uint32Array(rows)
    this.spill.writeBlock(rows, (lane) => {
      const table = tables[lane]
      if (table) {
        table.encode(block, this.cells[lane] as number, ids)
        return { values: ids, largest: table.count }
      }
      if (lane === tables.length) return { values: lines, largest: splitter.line }
      if (lane === tables.length + 1) return { values: rowStarts, largest: rowStarts[rows - 1] as number }
      for (let row = 0; row < rows; row++) ids[row] = (rowEnds[row] as number) - (rowStarts[row] as number)
      return { values: ids, largest: rowEnds[rows - 1] as number }
    })
  }

  /** To be called once, when the last block is in. */
  seal(splitter: RecordSplitter): void {
    this.blank = splitter.blank
    this.strayQuotes = this.cells.map((cell) => splitter.strayQuotes[cell] as number)
    this.spill.flush()
  }

  close(): void {
    this.spill.close()
  }
}

/**
 * Reads all records behind the header. Gives other work a turn between blocks.
 * @throws CommandError `refused` when a quote is never closed or a record is longer than 256 MB; `failed` on a full disk
 */
export async function encodeRecords(request: EncodeRequest): Promise<EncodedRecords> {
  const { header, separators } = request
  const splitter = new RecordSplitter(separators, header.cells.length, header.nextLine)
  const records = new EncodedRecords(request)
  const reader = new BlockReader(request.path, request.from + header.end)
  try {
    while (reader.fill()) {
      const used = splitter.split(reader.bytes, reader.length, reader.final)
      if (splitter.openQuote) throw openQuoteError(splitter.openQuote)
      records.addBlock(splitter, reader.view, reader.offset)
      reader.advance(used, splitter.line)
      request.onBlock(reader.offset, records.rows)
      await setImmediate()
    }
    records.seal(splitter)
    return records
  } catch (error) {
    records.close()
    throw error
  } finally {
    reader.close()
  }
}
