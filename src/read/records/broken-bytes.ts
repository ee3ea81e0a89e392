/** Records with bytes that the file's encoding does not have: the decoding marks the places, these records go into quarantine. */

import { BROKEN_BYTE } from '../report/marks.ts'
import type { Fault } from '../report/quarantine.ts'
import type { RaggedRecord } from './record-mender.ts'
import type { RecordSplitter } from './record-splitter.ts'

const MARK = Buffer.from(BROKEN_BYTE)
const INVALID_ENCODING: Fault = { reason: 'invalid_encoding', column: null }

/** @param out what is not a row for other reasons, which stay; takes them up */
export function markBrokenRecords(
  splitter: RecordSplitter,
  block: Uint8Array,
  length: number,
  { rows, ragged }: { readonly rows: Map<number, Fault>; readonly ragged: Map<RaggedRecord, Fault> },
): void {
  const bytes = Buffer.from(block.buffer, block.byteOffset, length)
  const { rowStarts, rowEnds } = splitter
  let row = 0
  for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + MARK.length)) {
    while (row < splitter.rows && (rowEnds[row] as number) <= at) row++
    if (row < splitter.rows && (rowStarts[row] as number) <= at && !rows.has(row))
      rows.set(row, INVALID_ENCODING)
  }
  for (const record of splitter.ragged)
    if (!ragged.has(record) && bytes.subarray(record.start, record.end).includes(MARK))
      ragged.set(record, INVALID_ENCODING)
}
