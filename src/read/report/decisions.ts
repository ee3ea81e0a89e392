/** What a reading decides, shows and leaves open (contract 6): field names are public. */

import type { ColumnType } from '../../engine/columns/column.ts'

/** A decision about a file that a person could make differently. */
export interface Decision {
  /** For programs: `header`, `sheet`, `totals` … */
  readonly kind: string
  /** For people: what was decided and by what evidence, in one sentence. */
  readonly reason: string
  /** The option or the definition's field that overrides it; null if there is none. */
  readonly override: string | null
}

/** What a record of the file is taken for. */
export type RecordRole = 'title' | 'header' | 'units' | 'data' | 'note' | 'blank'

/** Records at the beginning of the file that a report shows. */
export const REPORTED_RECORDS = 10

/** A record at the beginning of the file as it was read. */
export interface ShownRecord {
  /** From 1, counting blank ones, as `--header-row` does. */
  readonly number: number
  readonly role: RecordRole
  /** Empty for a blank record; cut to a readable length, and masked if they look personal. */
  readonly cells: readonly string[]
}

/** What the file leaves open, so that one of two readings was taken. */
export interface Unproven {
  /** `date_order`: day or month first; `decimal_mark`: point or comma. */
  readonly kind: 'encoding' | 'date_order' | 'decimal_mark'
  /** null: the whole file. */
  readonly column: string | null
  /** An encoding, `dmy` or `mdy`, `.` or `,`. */
  readonly read_as: string
}

/** The values that keep a column from a type. */
export interface Obstacles {
  /** How many distinct values. */
  readonly exceptions: number
  /** The most frequent of them, at most five, cut to a readable length; a line beyond 100,000 rows is null. */
  readonly values: readonly {
    readonly value: string
    readonly count: number
    readonly first_line: number | null
  }[]
}

/** A type that a text column nearly has, and what prevents it. */
export interface NearType extends Obstacles {
  readonly type: ColumnType
  /** 0..1: of the filled cells or of the distinct values, whichever is larger. */
  readonly share: number
}

/** Values of a text column in another notation than most. */
export interface MixedNotation {
  readonly type: ColumnType
  /** For numbers, the mark of most: ambiguous ones are read with it; null: the type has to be declared. */
  readonly decimal_mark: '.' | ',' | null
  /** Distinct values in another notation or in doubt, and their cells. */
  readonly exceptions: number
  readonly cells: number
  /** The most frequent of them; `otherwise`: the value with the other mark, null if it is the same. */
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
  /** The definition or `--allow-personal-data` allows it. */
  readonly acknowledged: boolean
}
