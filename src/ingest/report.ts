/** What `ingest --json` prints (contract 6): field names are public. */

import type { ColumnType } from '../engine/column.ts'
import type { Drift } from './drift.ts'
import type { Repair } from './quality.ts'
import type { QuarantineCount } from './records/quarantine.ts'

/** What was decided about a file where a person could decide otherwise. */
export interface Decision {
  /** For programs: `header`, `sheet`, `totals` … */
  readonly kind: string
  /** For people: what was decided and by what evidence, in one sentence. */
  readonly reason: string
  /** The option or the definition's field that says otherwise; null when there is none. */
  readonly override: string | null
}

export interface IngestReport {
  readonly dataset: string
  readonly domain: string
  /** null in a dry run: numbers are given to what is published. */
  readonly version: number | null
  readonly dry_run: boolean
  readonly published: boolean
  readonly source: { readonly file: string; readonly bytes: number; readonly sha256: string }
  readonly dialect: {
    readonly format: 'csv'
    readonly encoding: string
    readonly delimiter: string
    /** Empty when quotes mean nothing in the file. */
    readonly quote: string
    readonly line_end: string
    /** Records that make up the header, counted from 1, blank ones included. */
    readonly header_rows: readonly number[]
    readonly sheet: null
    /** 0..1, the less certain of encoding and delimiter. */
    readonly confidence: number
  }
  readonly columns: readonly {
    readonly name: string
    readonly type: ColumnType
    readonly source_name: string | null
    readonly null_count: number
    readonly distinct_count: number
  }[]
  readonly rows: {
    /** imported + quarantined */
    readonly read: number
    readonly blank: number
    readonly imported: number
    readonly quarantined: number
  }
  readonly repairs: readonly Repair[]
  readonly quarantine: readonly QuarantineCount[]
  readonly drift: Drift | null
  readonly decisions: readonly Decision[]
  readonly warnings: readonly string[]
  readonly duration_ms: number
}
