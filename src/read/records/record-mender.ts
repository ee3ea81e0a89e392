/** Cuts a record that is not a row into all of its cells: between the splitter and those who make rows of such records. */

import { blockRoom, READ_AHEAD } from '../source/block-reader.ts'
import { ORDINARY, QuotedCells, UNQUOTED } from './quoted-cells.ts'
import type { Separators } from './separators.ts'

/**
 * A record that is not a row: its number of cells is not the header's, or a quote broke it. Offsets are within the block.
 */
export interface RaggedRecord {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly cells: number
  /** A quote opened a cell that was not a quoted one. */
  readonly broken: boolean
  /** Number among the file's records, from 1, counting blank ones; and how many of those before it were blank. */
  readonly record: number
  readonly blankBefore: number
  /** Start and line of the next record. */
  readonly next: number
  readonly nextLine: number
}

/** The bounds of a record's cells within its block, without quotes. */
type CellBounds = Readonly<{ starts: readonly number[]; ends: readonly number[] }>

/** Gives the record on a line the bounds of as many cells as the header has, if the evidence allows it; else null. */
export type RecordMender = (line: number, cells: CellBounds) => CellBounds | null

/** A record's cells as they are, without their quotes. */
export interface RecordCells {
  readonly texts: readonly string[]
  readonly quoted: readonly boolean[]
  /** Text followed the closing quote. */
  readonly strays: readonly boolean[]
  /** It is uncertain where its cells end: some quote is alone, or neither at the beginning nor at the end of a cell. */
  readonly hasStray: boolean
}

/** Cuts the first cells of a record with known bounds. */
export function cutCells(
  reader: QuotedCells,
  bytes: Uint8Array,
  { start, end, cells }: Pick<RaggedRecord, 'start' | 'end' | 'cells'>,
) {
  const cut = {
    starts: [] as number[],
    ends: [] as number[],
    quoted: [] as boolean[],
    strays: [] as boolean[],
  }
  let hasStray = false
  for (let at = start; cut.starts.length < cells; at++) {
    const from = at
    const closing = at < end ? reader.read(bytes, at, end, true) : UNQUOTED
    const isQuoted = closing >= 0
    if (isQuoted) at = closing
    else while (at < end && reader.plain[bytes[at] as number] === ORDINARY) at++
    cut.starts.push(isQuoted ? reader.start : from)
    cut.ends.push(isQuoted ? reader.end : at)
    cut.quoted.push(isQuoted)
    cut.strays.push(isQuoted && reader.wasStray)
    hasStray ||= isQuoted ? reader.wasStray : bytes.subarray(from, at).includes(reader.quote)
  }
  return { ...cut, hasStray }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The first cells of a single record. @param bytes without the line end */
export function readAlone(bytes: Uint8Array, separators: Separators, cells: number): RecordCells {
  const end = bytes.length
  const block = new Uint8Array(blockRoom(end))
  block.set(bytes)
  // As when a block is split: a line end stops every loop, and cells are assembled after it.
  block[end] = 10
  const reader = new QuotedCells(separators)
  reader.scratch = end + READ_AHEAD
  const { starts, ends, ...marks } = cutCells(reader, block, { start: 0, end, cells })
  return { texts: starts.map((start, i) => decoder.decode(block.subarray(start, ends[i]))), ...marks }
}
