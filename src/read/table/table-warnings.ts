/** Warnings about a table that was read: its encoding, the options asked for, and columns that change places. */

import type { RawEntries } from '../../engine/columns/column.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import type { ColumnPlan } from '../definition/columns.ts'
import { adviseOption, flagOf, type ReadOptions } from '../definition/read-options.ts'
import type { Dialect } from '../records/dialect.ts'
import type { ConfidencePart } from '../report/confidence.ts'
import type { Unproven } from '../report/decisions.ts'
import { BROKEN_BYTE, showBroken } from '../report/marks.ts'
import { type Warning, warn } from '../report/warnings.ts'
import type { DecodedSource } from '../source/decode-source.ts'

/** What is unproven of the encoding, and the option that settles it. */
export function doubtEncoding(
  { encoding, doubt }: DecodedSource,
  { encoding: asked }: ReadOptions,
): Warning[] {
  if (doubt === null) return []
  const { word, other } = doubt
  const confirm = `${adviseOption('encoding', encoding)} confirms`
  const nothing = `the encoding is taken to be ${encoding}, but nothing proves it`
  if (other === null)
    return [
      warn(
        'encoding_words',
        { encoding, word },
        `${nothing}: words such as '${word}' are of no language that it is for. ${adviseOption('encoding')} names another one, ${confirm}`,
      ),
    ]
  const values = { encoding, word, other: other.word, other_encoding: other.encoding }
  const readsSo = `${adviseOption('encoding', other.encoding)} reads it so`
  if (asked !== undefined)
    return [
      warn(
        'encoding_asked',
        values,
        `the file is read as ${encoding}, as asked, but all of it is valid ${other.encoding}: '${word}' would be '${other.word}'. ${readsSo}`,
      ),
    ]
  return [
    warn(
      'encoding_other',
      values,
      `${nothing}: '${word}' would be '${other.word}' in ${other.encoding}. ${readsSo}, ${confirm}`,
    ),
  ]
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
  if (broken.length === 0) return []
  return [
    warn(
      'header_bytes',
      { encoding, names: broken.join(', ') },
      `the header has bytes that ${encoding} does not have, in ${broken.join(', ')}. If the file is in another encoding, name it with ${adviseOption('encoding')}; else say in a definition what the columns are called`,
    ),
  ]
}

const DOUBLE_QUOTE = 0x22
const APOSTROPHE = 0x27

/** Options that say nothing about the file's format. */
export function ignoredOptions({ format, header }: DecodedSource, asked: ReadOptions): Warning[] {
  if (format === 'csv') return []
  const names = header === null ? (['encoding', 'delimiter'] as const) : (['delimiter'] as const)
  return names
    .filter((name) => asked[name] !== undefined)
    .map((name) =>
      warn(
        'ignored_option',
        { option: name, format },
        `${flagOf(name)} was left aside: it says nothing about ${format.toUpperCase()}`,
      ),
    )
}

/** What the sheet hides was left out, and nobody said that it should be. */
export function leftHidden(
  { hidden }: ColumnPlan,
  { quarantine }: EncodedRecords,
  options: ReadOptions,
): Warning[] {
  const rows = quarantine.counts().find(({ reason }) => reason === 'hidden')?.count ?? 0
  if (options.hidden !== undefined || rows + hidden.length === 0) return []
  const parts = [
    ...(rows === 0
      ? []
      : [rows === 1 ? '1 hidden row is in quarantine' : `${rows} hidden rows are in quarantine`]),
    ...(hidden.length === 0 ? [] : [`the hidden columns are left out: ${hidden.join(', ')}`]),
  ]
  return [
    warn(
      'hidden',
      { rows, columns: hidden.join(', ') },
      `${parts.join(', and ')}; ${adviseOption('hidden')} reads what the sheet hides`,
    ),
  ]
}

/** Apostrophes were found to be the quotes, by the beginning of the file; what if double ones wrap cells further on? */
export function otherQuotes({ quote }: Dialect, { columns }: ColumnPlan, records: EncodedRecords): Warning[] {
  if (quote !== APOSTROPHE) return []
  const present = columns.filter(({ cell }) => cell >= 0)
  return present.flatMap(({ name }, lane) => {
    const wrapped = countWrapped(records.entriesOf(lane), DOUBLE_QUOTE)
    if (wrapped === 0) return []
    return [
      warn(
        'double_quotes',
        { column: name, count: wrapped },
        `'${name}' keeps the double quotes around ${wrapped} of its values, as apostrophes were taken for the quotes of the file; ${adviseOption('quote')} settles it`,
      ),
    ]
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
  const warning = warn(
    'columns_exchanged',
    { columns: named, line },
    `from line ${line} on, the values of the columns ${named} change places: the second part of the file seems to have its columns in another order. Bring them into the order of the header`,
  )
  return { confidence: [OF_EXCHANGE], warnings: [warning] }
}
