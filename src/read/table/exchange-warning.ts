/** The warning about columns whose values change places further down, and how sure a reading with them is. */

import type { EncodedRecords } from '../cells/encoded-records.ts'
import type { ColumnPlan } from '../definition/columns.ts'
import type { ConfidencePart } from '../report/confidence.ts'
import { type Warning, warn } from '../report/warnings.ts'

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
