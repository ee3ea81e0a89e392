/** Warnings about options that say nothing about a file, and about the other kind of quotes. */

import type { RawEntries } from '../../engine/columns/column.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import type { ColumnPlan } from '../definition/columns.ts'
import { adviseOption, flagOf, type ReadOptions } from '../definition/read-options.ts'
import type { Dialect } from '../records/dialect.ts'
import { type Warning, warn } from '../report/warnings.ts'
import type { DecodedSource } from '../source/decode-source.ts'

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
