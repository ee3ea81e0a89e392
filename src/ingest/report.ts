/** What `ingest --json` prints (contract 6): field names are public. */

import type { ColumnType } from '../engine/column.ts'
import type { Drift } from './drift.ts'
import type { Repair } from './quality.ts'
import type { QuarantineCount } from './records/quarantine.ts'
import type { Format } from './source/file-format.ts'

/** What was decided about a file where a person could decide otherwise. */
export interface Decision {
  /** For programs: `header`, `sheet`, `totals` … */
  readonly kind: string
  /** For people: what was decided and by what evidence, in one sentence. */
  readonly reason: string
  /** The option or the definition's field that says otherwise; null when there is none. */
  readonly override: string | null
}

/** Why the file may not replace what is served, and what allows it all the same. */
export interface Refusal {
  readonly kind: 'drift' | 'quarantine' | 'empty' | 'personal_data'
  /** For people; several lines when there is a list in it. */
  readonly message: string
  /** The option that answers it. */
  readonly override: string
}

/** A refused row; `raw` is its text in the file, cut to a readable length. */
export interface QuarantineExample {
  readonly line: number
  /** null when the record as a whole is at fault. */
  readonly column: string | null
  readonly reason: string
  readonly raw: string
}

/** A type that a column of texts nearly has, and what stands in its way. */
export interface NearType {
  readonly type: ColumnType
  /** 0..1: of the filled cells or of the distinct values, whichever is more. */
  readonly share: number
  /** How many distinct values prevent it. */
  readonly exceptions: number
  /** The most frequent of them, at most five, cut to a readable length. */
  readonly values: readonly { readonly value: string; readonly count: number }[]
}

/** A column that seems to hold data about people. */
export interface PersonalColumn {
  readonly column: string
  readonly kind: 'cnp' | 'email' | 'phone' | 'iban'
  /** 0..1, of the distinct values. */
  readonly share: number
  /** Imported rows that have such a value. */
  readonly rows: number
  /** The definition or `--allow-personal-data` says that it is meant. */
  readonly acknowledged: boolean
}

/**
 * What is printed for a file that no table could be made of: the same fields, but that nothing is known of a dialect,
 * columns and rows.
 */
export interface UnreadReport extends Omit<IngestReport, 'dialect' | 'refusals'> {
  readonly dialect: null
  readonly refusals: readonly {
    readonly kind: 'unreadable'
    readonly message: string
    readonly override: null
  }[]
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
    /** 0..1, the less certain of encoding and delimiter. */
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
  readonly quarantine: readonly QuarantineCount[]
  /** At most 20 of the refused rows, spread over the reasons, in file order. */
  readonly quarantine_sample: readonly QuarantineExample[]
  readonly drift: Drift | null
  readonly decisions: readonly Decision[]
  readonly personal_data: readonly PersonalColumn[]
  /** What keeps the file from being published; in a dry run, what would. Empty: nothing. */
  readonly refusals: readonly Refusal[]
  readonly warnings: readonly string[]
  readonly duration_ms: number
}
