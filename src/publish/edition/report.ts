/** Counts of an ingest, and the quality report (contract 4): field names are public. */

import type { Unproven } from '../../read/report/decisions.ts'
import type { QuarantineCount } from '../../read/report/quarantine.ts'
import type { GateKind } from '../../read/report/reasons.ts'
import type { Repair } from '../../read/report/repairs.ts'
import type { Validation } from '../../read/values/validation.ts'
import type { DescriptorColumn, Quality } from '../../store/catalog/record.ts'

/** Why the file may not replace what is served, and the option that allows it anyway. */
export interface Refusal {
  readonly kind: GateKind
  /** For people; several lines when it contains a list. */
  readonly message: string
  /** The option that answers it. */
  readonly override: string
  /** For personal data: the columns that have to be acknowledged. */
  readonly columns?: readonly string[]
}

/**
 * `read`: imported and quarantined; `left_out`: titles, notes, signatures, repeated headers and totals, which are not rows.
 */
export type RowCounts = Quality['rows']

/** Everything the report is made of. */
export interface QualityCounts {
  readonly rows: RowCounts
  readonly columns: readonly DescriptorColumn[]
  readonly repairs: readonly Repair[]
  readonly validation: readonly Validation[]
  readonly quarantine: readonly QuarantineCount[]
  readonly leftOut: readonly QuarantineCount[]
  /** Records of another width that became rows, by what was done to them. */
  readonly mended: readonly QuarantineCount[]
  readonly unproven: readonly Unproven[]
}

/** Ratios refer to the imported rows, rounded to six digits; 1 when there are none. */
export function composeQuality(dataset: string, version: number, counts: QualityCounts): Quality {
  const { rows, columns, repairs, validation, quarantine, leftOut, mended, unproven } = counts
  const count = (kind: string) => mended.find(({ reason }) => reason === kind)?.count ?? 0
  return {
    dataset,
    ingestion_version: version,
    measured: true,
    rows,
    completeness: columns.map(({ name, null_count: missing }) => {
      const filled = rows.imported - missing
      const ratio = rows.imported === 0 ? 1 : Math.round((filled / rows.imported) * 1e6) / 1e6
      return { column: name, filled, missing, ratio }
    }),
    mended: { surplus_blanks: count('surplus_blanks'), joined: count('joined'), left_off: count('left_off') },
    unproven,
    repairs: repairs.map(({ column, kind, count }) => ({ column, kind, count })),
    validation: [...validation],
    quarantine: quarantine.map(({ reason, count }) => ({ reason, count })),
    left_out: leftOut.map(({ reason: kind, count }) => ({ kind, count })),
  }
}
