/** The header that a person names, read wherever in the file it stands. */

import { CommandError } from '../../base/errors.ts'
import type { AskedHeader } from '../definition/header-rows.ts'
import { BlockReader } from '../records/block-reader.ts'
import { openQuoteError, RecordSplitter } from '../records/record-splitter.ts'
import type { Separators } from '../records/separators.ts'
import { because } from '../report/reasons.ts'
import type { Span } from '../source/spans.ts'
import { blankHeader, composeHeader, type Header } from './header.ts'
import { COMPARED, type Line, toLine } from './lines.ts'

/**
 * The records that were named as the header, wherever they stand in the file.
 * @param from offset behind the byte order mark
 * @param spans merged cells of a converted spreadsheet
 * @throws CommandError `refused` when there is no such record, or no header can be made of it
 */
export function readHeaderAt(
  path: string,
  from: number,
  separators: Separators,
  asked: AskedHeader,
  spans: readonly Span[] = [],
): Header {
  const { rows, by } = asked
  const { lines, records, blank } = readLines(
    path,
    from,
    separators,
    rows[0] as number,
    rows.at(-1) as number,
  )
  if (rows.length === 1 && blank) return blank
  const levels = rows.map((row) => {
    const found = lines.find(({ record }) => record === row)
    if (found) return found
    const wrong = row <= records ? 'is blank' : `is not there: the file has ${records} records`
    throw new CommandError(
      'refused',
      `record ${row}, which ${by} names as the header, ${wrong}`,
      null,
      row <= records ? because('header_row_blank', { row }) : because('header_row_missing', { row, records }),
    )
  })
  const below = lines.filter(({ record }) => record > (rows.at(-1) as number))
  return composeHeader(levels, below, spans, null)
}

/**
 * The records from `first` to `last` and some behind them that are not blank, how many records were met, and the header
 * of blank names where `first` has delimiters only.
 */
function readLines(
  path: string,
  from: number,
  separators: Separators,
  first: number,
  last: number,
): { lines: Line[]; records: number; blank: Header | null } {
  const splitter = new RecordSplitter(separators, 0)
  const reader = new BlockReader(path, from)
  const lines: Line[] = []
  let blank: Header | null = null
  const isEnough = () => lines.filter(({ record }) => record > last).length > COMPARED
  try {
    while (!isEnough() && reader.fill()) {
      const used = splitter.split(reader.bytes, reader.length, reader.final)
      for (const record of splitter.ragged) {
        if (record.record < first || isEnough()) continue
        const line = toLine(reader.bytes, reader.offset - from, separators, record)
        if (lines.length === 0 && record.record === first + 1)
          blank = blankHeader(reader.bytes.subarray(0, record.start), separators, line)
        lines.push(line)
      }
      // Reading the rows reports a cell left open below the header.
      if (splitter.openQuote && splitter.records >= last) break
      if (splitter.openQuote) throw openQuoteError(splitter.openQuote)
      reader.advance(used, splitter.line)
    }
  } finally {
    reader.close()
  }
  return { lines, records: splitter.records, blank }
}
