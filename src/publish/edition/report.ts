/** What `ingest --json` prints (contract 6), and the quality report (contract 4): field names are public. */

import type { Reason } from '../../base/errors.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import type {
  Decision,
  NearType,
  PersonalColumn,
  ShownRecord,
  Unproven,
} from '../../read/report/decisions.ts'
import type { Format } from '../../read/report/formats.ts'
import type { QuarantineCount } from '../../read/report/quarantine.ts'
import type { GateKind } from '../../read/report/reasons.ts'
import type { Repair } from '../../read/report/repairs.ts'
import type { Validation } from '../../read/values/validation.ts'
import type { DescriptorColumn, MendedCounts, Quality } from '../../store/catalog/record.ts'
import type { Drift } from './compare-served.ts'

/** Why the file may not replace what is served, and what allows it all the same. */
export interface Refusal {
  readonly kind: GateKind
  /** For people; several lines when there is a list in it. */
  readonly message: string
  /** The option that answers it. */
  readonly override: string
  /** Of personal data: those that have to be acknowledged. */
  readonly columns?: readonly string[]
}

/** A refused row; `raw` is its text in the file, cut to a readable length. */
export interface QuarantineExample {
  readonly line: number
  /** null when the record as a whole is at fault. */
  readonly column: string | null
  readonly reason: string
  readonly raw: string
}

/** A record of another width that became a row, and what was done. */
interface MendedExample {
  readonly line: number
  readonly kind: string
  readonly raw: string
}

/**
 * What is printed for a file that no table could be made of: the same fields, but that nothing is known of a dialect,
 * columns and rows.
 */
export interface UnreadReport extends Omit<IngestReport, 'dialect' | 'refusals'> {
  readonly dialect: null
  readonly refusals: readonly {
    /** `unsure`: it could be read in several ways, and none of them is proven. */
    readonly kind: 'unreadable' | 'unsure'
    readonly message: string
    /** The options that settle how it is read. */
    readonly override: string | null
    /** What the message says, for programs and pages (`reasons.ts`). */
    readonly reasons: readonly Reason[]
  }[]
}

export interface IngestReport {
  readonly dataset: string
  readonly domain: string
  /** null in a dry run: numbers are given to what is published. Of an unchanged file the served one. */
  readonly version: number | null
  readonly dry_run: boolean
  readonly published: boolean
  /** The served version was made of the same bytes in the same way, so there is nothing to publish. */
  readonly unchanged: boolean
  /** The served version that the rows are added to, its rows, and how many of these they replace; null: no append. */
  readonly append: { readonly version: number; readonly rows: number; readonly replaced: number } | null
  readonly source: { readonly file: string; readonly bytes: number; readonly sha256: string }
  readonly dialect: {
    readonly format: Format
    readonly encoding: string
    /** Empty for formats that have none, as are quote and line end. */
    readonly delimiter: string
    /** Empty when quotes mean nothing in the file. */
    readonly quote: string
    readonly line_end: string
    /** Records that make up the header, counted from 1, blank ones included. */
    readonly header_rows: readonly number[]
    /** null for formats without sheets. */
    readonly sheet: string | null
    /** 0..1, of the whole reading: its least certain part. */
    readonly confidence: number
  }
  readonly columns: readonly {
    readonly name: string
    readonly type: ColumnType
    readonly source_name: string | null
    readonly null_count: number
    readonly distinct_count: number
    /** The first distinct values as the file has them, at most three, cut; masked where they look personal. */
    readonly examples: readonly string[]
    readonly nearly: NearType | null
    /** Why numbers stay text: identifiers. One sentence, or null. */
    readonly text_because: string | null
  }[]
  readonly rows: {
    /** imported + quarantined */
    readonly read: number
    readonly blank: number
    readonly imported: number
    readonly quarantined: number
  }
  readonly repairs: readonly Repair[]
  /** At most 20 of the mended records, spread over the kinds, in file order. */
  readonly repaired_sample: readonly MendedExample[]
  readonly quarantine: readonly QuarantineCount[]
  /** At most 20 of the refused rows, spread over the reasons, in file order. */
  readonly quarantine_sample: readonly QuarantineExample[]
  readonly drift: Drift | null
  readonly decisions: readonly Decision[]
  readonly personal_data: readonly PersonalColumn[]
  /** What keeps the file from being published; in a dry run, what would. Empty: nothing. */
  readonly refusals: readonly Refusal[]
  readonly warnings: readonly string[]
  /** What the warnings say, in the same order, for programs and pages (`reasons.ts`). */
  readonly warning_codes: readonly Reason[]
  /** The first records of the file as they were read, at most ten. */
  readonly records: readonly ShownRecord[]
  readonly duration_ms: number
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
