/** The quality report (contract 4) of one ingest, put together from counts made on the way. */

import type { DescriptorColumn, MendedCounts, Quality, Unproven } from '../../store/catalog/record.ts'
import type { QuarantineCount } from './quarantine.ts'
import type { RepairKind } from './repairs.ts'

export interface Repair {
  readonly column: string
  readonly kind: RepairKind
  /** Cells of imported rows; `stray_quote`: of all rows read. */
  readonly count: number
}

/** A rule that was checked, and the rows that failed it. */
export interface Validation {
  readonly column: string
  readonly rule: string
  readonly failed: number
}

export interface RowCounts {
  /** Records that are not blank: imported and quarantined. */
  readonly read: number
  readonly imported: number
  readonly quarantined: number
}

/** Everything the report is made of. */
export interface QualityCounts {
  readonly rows: RowCounts
  readonly columns: readonly DescriptorColumn[]
  readonly repairs: readonly Repair[]
  readonly validation: readonly Validation[]
  readonly quarantine: readonly QuarantineCount[]
  /** Records of another width that became rows, by what was done. */
  readonly mended: readonly QuarantineCount[]
  readonly unproven: readonly Unproven[]
}

function countMended(mended: readonly QuarantineCount[]): MendedCounts {
  const count = (kind: string) => mended.find(({ reason }) => reason === kind)?.count ?? 0
  return {
    surplus_blanks: count('surplus_blanks'),
    joined: count('joined'),
    left_off: count('left_off'),
  }
}

/** Ratios are of the imported rows, rounded to six digits; 1 when there are none. */
export function composeQuality(dataset: string, version: number, counts: QualityCounts): Quality {
  const { rows, columns, repairs, validation, quarantine, mended, unproven } = counts
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
    mended: countMended(mended),
    unproven,
    repairs: repairs.map(({ column, kind, count }) => ({ column, kind, count })),
    validation: [...validation],
    quarantine: quarantine.map(({ reason, count }) => ({ reason, count })),
  }
}
