/** Warnings about a table that was read: its encoding, the requested options, and columns that change places. */

import type { EncodedRecords } from '../cells/encoded-records.ts'
import type { ColumnPlan } from '../definition/columns.ts'
import type { ReadOptions } from '../definition/read-options.ts'
import type { ConfidencePart } from '../report/confidence.ts'
import { BROKEN_BYTE, showBroken } from '../report/marks.ts'
import { type Warning, warn } from '../report/reasons.ts'
import type { Layout } from './judge-reading.ts'

const DOUBLE_QUOTE = 0x22
const APOSTROPHE = 0x27

/** About the encoding, the requested options, and what the sheet hides. */
export function warnOfFile(
  { decoded, options }: Layout,
  asked: ReadOptions,
  { hidden }: ColumnPlan,
  { quarantine }: EncodedRecords,
): Warning[] {
  const { format, encoding, doubt, header } = decoded
  const warnings = [...decoded.warnings]
  if (doubt !== null && doubt.other !== null) {
    const { word, other } = doubt
    const values = { encoding, word, other: other.word, other_encoding: other.encoding }
    warnings.unshift(warn(options.encoding === undefined ? 'encoding_other' : 'encoding_asked', values))
  } else if (doubt !== null) warnings.unshift(warn('encoding_words', { encoding, word: doubt.word }))
  // Options that do not apply to the file's format.
  for (const option of ['encoding', 'delimiter'] as const)
    if (format !== 'csv' && asked[option] !== undefined && (option === 'delimiter' || header === null))
      warnings.push(warn('ignored_option', { option, format }))
  // Nobody decided whether to leave out what the sheet hides.
  const rows = quarantine.counts().find(({ reason }) => reason === 'hidden')?.count ?? 0
  if (options.hidden === undefined && rows + hidden.length > 0)
    warnings.push(warn('hidden', { rows, columns: hidden.join(', ') }))
  return warnings
}

/** @param cells of the header, as decoded */
export function brokenNames(cells: readonly string[], encoding: string): Warning[] {
  const broken = cells.filter((cell) => cell.includes(BROKEN_BYTE)).map((cell) => `'${showBroken(cell)}'`)
  return broken.length === 0 ? [] : [warn('header_bytes', { encoding, names: broken.join(', ') })]
}

/** The beginning of the file shows apostrophes as quotes: warns if double quotes wrap cells further on. */
export function otherQuotes({ dialect, options }: Layout, { columns }: ColumnPlan, records: EncodedRecords) {
  if (options.quote !== undefined || dialect.quote !== APOSTROPHE) return []
  const present = columns.filter(({ cell }) => cell >= 0)
  return present.flatMap(({ name }, lane) => {
    const { heap, offsets } = records.entriesOf(lane)
    let count = 0
    for (let entry = 0; entry + 1 < offsets.length; entry++) {
      const start = offsets[entry] as number
      const last = (offsets[entry + 1] as number) - 1
      if (last > start && heap[start] === DOUBLE_QUOTE && heap[last] === DOUBLE_QUOTE) count++
    }
    return count === 0 ? [] : [warn('double_quotes', { column: name, count })]
  })
}

export function warnOfExchange({ columns }: ColumnPlan, { exchange }: EncodedRecords) {
  if (exchange === null) return { confidence: [], warnings: [] }
  const part: ConfidencePart = { of: 'reading', sure: 0.7 }
  const present = columns.filter(({ cell }) => cell >= 0)
  const named = exchange.lanes.map((lane) => present[lane]?.name).join(', ')
  const warning = warn('columns_exchanged', { columns: named, line: exchange.line })
  return { confidence: [part], warnings: [warning] }
}
