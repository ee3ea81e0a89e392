/** One pass over a file: records become rows of entry ids, columns become tables of distinct cells. */

import { setImmediate } from 'node:timers/promises'
import { openQuoteError } from '../records/quoted-cells.ts'
import { openBlocks, RecordSplitter } from '../records/record-splitter.ts'
import type { Separators } from '../records/separators.ts'
import { BROKEN_BYTE } from '../report/marks.ts'
import type { Fault } from '../report/quarantine.ts'
import type { HiddenRows } from '../source/spreadsheet/sheet-records.ts'
import { Block } from '../structure/block.ts'
import { type BodyRules, BodyWatch } from '../structure/body.ts'
import type { Header } from '../structure/header.ts'
import type { WidthOutcome } from '../widths/width-outcome.ts'
import { EncodedRecords, type LaneRequest } from './encoded-records.ts'

const MARK = Buffer.from(BROKEN_BYTE)
const TITLE: Fault = { reason: 'title', column: null }
const INVALID_ENCODING: Fault = { reason: 'invalid_encoding', column: null }

export interface EncodeRequest extends LaneRequest {
  /** UTF-8, readable from any offset. */
  readonly path: string
  readonly separators: Separators
  readonly header: Header
  /** Offset after the byte order mark; the header's offsets are relative to it. */
  readonly from: number
  /** How records of another width are treated; null: there are none, as a converter made the records. */
  readonly ragged: 'repair' | 'quarantine' | null
  /** A person chose the header. */
  readonly isHeaderAsked: boolean
  readonly rules: BodyRules
  /** The text had bytes that its encoding lacks. */
  readonly hasBroken?: boolean
  /** Records to quarantine because their sheet hides them. */
  readonly hiddenRows?: readonly HiddenRows[] | undefined
  /** Reading stops after the block with this record; left out: reads everything. */
  readonly mostRecords?: number | undefined
  readonly onBlock: (bytes: number, rows: number) => void
}

/** What a second pass does differently from the first. */
export interface Judged {
  readonly outcome: WidthOutcome
  /** Rows of the right width to quarantine, by line. */
  readonly refused: ReadonlyMap<number, Fault>
}

/** @param judged null: records of another width do not become rows */
export async function encodeOnce(request: EncodeRequest, judged: Judged | null): Promise<EncodedRecords> {
  const { header, separators, mostRecords } = request
  const mender = judged?.outcome.mender() ?? null
  const watch = new BodyWatch(header, request.rules)
  const splitter = new RecordSplitter(separators, header.cells.length, { line: header.nextLine, mender })
  using reader = openBlocks(request.path, request.from + header.end, splitter)
  await using held = new AsyncDisposableStack()
  const records = held.use(new EncodedRecords(request, reader.fileBytes, judged?.outcome))
  for (const { offset, ...title } of header.titles)
    records.leftOut.add({ ...title, offset: request.from + offset }, TITLE)
  while (reader.fill()) {
    const used = splitter.split(reader.bytes, reader.length, reader.final)
    if (splitter.openQuote) throw openQuoteError(splitter.openQuote)
    const block = new Block(splitter, reader.bytes)
    watch.inspect(block, reader.final)
    if (request.hasBroken) markBroken(block, reader.bytes, used)
    markHidden(block, request.hiddenRows)
    for (let row = 0; judged !== null && judged.refused.size > 0 && row < splitter.rows; row++) {
      const fault = judged.refused.get(splitter.lines[row] as number)
      if (fault !== undefined && !block.out.rows.has(row)) block.out.rows.set(row, fault)
    }
    await records.addBlock(block, reader.view, reader.offset)
    reader.advance(used)
    request.onBlock(reader.offset, records.rows)
    // Fewer records are read when they are very wide.
    const isFar = reader.offset - request.from >= 1 << 23
    if (mostRecords !== undefined && (isFar || records.rows >= mostRecords)) break
    await setImmediate()
  }
  await records.seal(splitter, watch)
  held.move()
  return records
}

function markHidden({ splitter, out }: Block, hidden: readonly HiddenRows[] = []): void {
  if (hidden.length === 0) return
  const fault: Fault = { reason: 'hidden', column: null, isLayout: true }
  let at = 0
  for (let row = 0; row < splitter.rows; row++) {
    const line = splitter.lines[row] as number
    while ((hidden[at]?.to ?? line) < line) at++
    if (line >= (hidden[at]?.from ?? Number.POSITIVE_INFINITY)) out.rows.set(row, fault)
  }
}

/** The decoder marks bytes that the file's encoding lacks: records with such a mark are not rows. */
function markBroken(block: Block, read: Uint8Array, length: number): void {
  const bytes = Buffer.from(read.buffer, read.byteOffset, length)
  for (const entry of bytes.includes(MARK) ? block.above(length) : [])
    if (!block.isMarked(entry) && bytes.subarray(entry.start, entry.end).includes(MARK))
      block.mark(entry, INVALID_ENCODING)
}
