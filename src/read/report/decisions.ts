/** What reading decides, shows and leaves open (contract 6): field names are public. */

import type { ColumnType } from '../../engine/columns/column.ts'

/** What was decided about a file where a person could decide otherwise. */
export interface Decision {
  /** For programs: `header`, `sheet`, `totals` … */
  readonly kind: string
  /** For people: what was decided and by what evidence, in one sentence. */
  readonly reason: string
  /** The option or the definition's field that says otherwise; null when there is none. */
  readonly override: string | null
}

/** What a record of the file is taken for. */
export type RecordRole = 'title' | 'header' | 'units' | 'data' | 'note' | 'blank'

/** Records of the beginning that a report shows. */
export const REPORTED_RECORDS = 10

/** A record at the beginning of the file as it was read. */
export interface ShownRecord {
  /** From 1, blank ones included: as `--header-row` counts. */
  readonly number: number
  readonly role: RecordRole
  /** None of a blank record; cut to a readable length, masked where they look personal. */
  readonly cells: readonly string[]
}

/** What the file leaves open and was read in one of two ways. */
export interface Unproven {
  /** `date_order`: day or month first; `decimal_mark`: point or comma. */
  readonly kind: 'encoding' | 'date_order' | 'decimal_mark'
  /** null: the whole file. */
  readonly column: string | null
  /** An encoding, `dmy` or `mdy`, `.` or `,`. */
  readonly read_as: string
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

/** Values of a column of texts that are written in another notation than most. */
export interface MixedNotation {
  readonly type: ColumnType
  /** Of numbers the mark of most: those that could be two are read by it; null: the type is to be declared. */
  readonly decimal_mark: '.' | ',' | null
  /** Distinct values in another notation or in doubt, and their cells. */
  readonly exceptions: number
  readonly cells: number
  /** The most frequent of them; `otherwise`: what it is by the other mark, null where that is the same. */
  readonly values: readonly {
    readonly value: string
    readonly count: number
    readonly read_as: string
    readonly otherwise: string | null
  }[]
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
