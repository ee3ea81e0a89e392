/** Warnings about a table that was read: its encoding, the options asked for, and columns that change places. */

import type { RawEntries } from '../../engine/columns/column.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import type { ColumnPlan } from '../definition/columns.ts'
import type { ReadOptions } from '../definition/read-options.ts'
import type { Dialect } from '../records/dialect.ts'
import type { ConfidencePart } from '../report/confidence.ts'
import type { Unproven } from '../report/decisions.ts'
import { BROKEN_BYTE, showBroken } from '../report/marks.ts'
import { type Warning, warn } from '../report/reasons.ts'
import type { DecodedSource } from '../source/decode-source.ts'

/** What is unproven of the encoding, and the option that settles it. */
export function doubtEncoding(
  { encoding, doubt }: DecodedSource,
  { encoding: asked }: ReadOptions,
): Warning[] {
  if (doubt === null) return []
  const { word, other } = doubt
  if (other === null) return [warn('encoding_words', { encoding, word })]
  const values = { encoding, word, other: other.word, other_encoding: other.encoding }
  return [warn(asked === undefined ? 'encoding_other' : 'encoding_asked', values)]
}

/** An encoding that nothing proves and that nobody asked for. */
export function unprovenEncoding(
  { encoding, doubt }: DecodedSource,
  { encoding: asked }: ReadOptions,
): Unproven[] {
  return doubt === null || asked !== undefined ? [] : [{ kind: 'encoding', column: null, read_as: encoding }]
}

/** @param cells of the header, as they were decoded */
export function brokenNames(cells: readonly string[], encoding: string): Warning[] {
  const broken = cells.filter((cell) => cell.includes(BROKEN_BYTE)).map((cell) => `'${showBroken(cell)}'`)
  return broken.length === 0 ? [] : [warn('header_bytes', { encoding, names: broken.join(', ') })]
}

const DOUBLE_QUOTE = 0x22
const APOSTROPHE = 0x27

/** Options that say nothing about the file's format. */
export function ignoredOptions({ format, header }: DecodedSource, asked: ReadOptions): Warning[] {
  if (format === 'csv') return []
  const names = header === null ? (['encoding', 'delimiter'] as const) : (['delimiter'] as const)
  return names
    .filter((name) => asked[name] !== undefined)
    .map((option) => warn('ignored_option', { option, format }))
}

/** What the sheet hides was left out, and nobody said that it should be. */
export function leftHidden(
  { hidden }: ColumnPlan,
  { quarantine }: EncodedRecords,
  options: ReadOptions,
): Warning[] {
  const rows = quarantine.counts().find(({ reason }) => reason === 'hidden')?.count ?? 0
  if (options.hidden !== undefined || rows + hidden.length === 0) return []
  return [warn('hidden', { rows, columns: hidden.join(', ') })]
}

/** Apostrophes were found to be the quotes, by the beginning of the file; what if double ones wrap cells further on? */
export function otherQuotes({ quote }: Dialect, { columns }: ColumnPlan, records: EncodedRecords): Warning[] {
  if (quote !== APOSTROPHE) return []
  const present = columns.filter(({ cell }) => cell >= 0)
  return present.flatMap(({ name }, lane) => {
    const wrapped = countWrapped(records.entriesOf(lane), DOUBLE_QUOTE)
    return wrapped === 0 ? [] : [warn('double_quotes', { column: name, count: wrapped })]
  })
}

/** Distinct cells that begin and end with a sign. */
function countWrapped({ heap, offsets }: RawEntries, sign: number): number {
  let count = 0
  for (let entry = 0; entry + 1 < offsets.length; entry++) {
    const start = offsets[entry] as number
    const last = (offsets[entry + 1] as number) - 1
    if (last > start && heap[start] === sign && heap[last] === sign) count++
  }
  return count
}

const OF_EXCHANGE: ConfidencePart = { of: 'reading', sure: 0.7, doubt: null, override: null }

export function warnOfExchange(
  { columns }: ColumnPlan,
  { exchange }: EncodedRecords,
): { readonly confidence: readonly ConfidencePart[]; readonly warnings: readonly Warning[] } {
  if (exchange === null) return { confidence: [], warnings: [] }
  const { lanes, line } = exchange
  const present = columns.filter(({ cell }) => cell >= 0)
  const named = lanes.map((lane) => present[lane]?.name).join(', ')
  return { confidence: [OF_EXCHANGE], warnings: [warn('columns_exchanged', { columns: named, line })] }
}
