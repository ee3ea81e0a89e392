/** A query as the engine takes it: typed, resolved to column positions, nothing left to refuse. */

import type { Operands, Operator } from './operators.ts'

/** A condition that a row must meet. */
export type Filter = ColumnFilter | WordFilter

/**
 * One column under one operator. `operands` are alternatives (a repeated parameter means OR); each operand is a list
 * because `in` and `not_in` compare with several values at once, the others with one. `is_null` takes `true`/`false`.
 * On a datetime column a date means the whole day. Comparisons never match null.
 */
export interface ColumnFilter {
  readonly column: number
  readonly operator: Operator
  readonly operands: Operands
}

/**
 * Words folded by `wordsOf` in base/text/words.ts. Each must begin a word in some text column of the row, or in the column
 * `within`, whatever its type. An empty list matches no row.
 */
export interface WordFilter {
  readonly words: readonly string[]
  readonly within?: number
}

/** Whether a filter compares the values of one column, and does not search for words. */
export function isColumnFilter(filter: Filter): filter is ColumnFilter {
  return 'column' in filter
}

export interface SortField {
  readonly column: number
  readonly descending: boolean
}

/** One page by offset. Filters combine with AND. */
export interface PageQuery {
  readonly filters: readonly Filter[]
  /** Earlier fields first; nulls last in both directions; ends in the default order, then the row number. */
  readonly sort: readonly SortField[]
  readonly fields: readonly number[]
  readonly limit: number
  readonly offset: number
  readonly count: boolean
}

export interface Page {
  /** Exact number of matching rows, or null when no count was requested. */
  readonly total: number | null
  readonly count: number
  readonly hasNext: boolean
  /** The rows as a JSON array, ready to be put into an envelope; perhaps lent, see `listPage`. */
  readonly rows: Uint8Array
}

/** One step of a walk in file order: matching rows whose row number is at least `from`. */
export interface WalkQuery extends Pick<PageQuery, 'filters' | 'fields' | 'limit'> {
  /** Row number (0-based, file order) to go on from. */
  readonly from: number
}

export interface WalkPage {
  readonly count: number
  /** Row number of the next matching row, or null at the end. */
  readonly next: number | null
  readonly rows: Uint8Array
}

/** How CSV is written. */
export interface CsvForm {
  readonly delimiter: string
  /** Whether `'` is put before texts that a spreadsheet would take for formulas. */
  readonly safe: boolean
}

export interface ExportQuery {
  readonly filters: readonly Filter[]
  readonly fields: readonly number[]
  readonly format: 'csv' | 'ndjson'
  /** As in `PageQuery`; left out or empty: as in the file. */
  readonly sort?: readonly SortField[]
  /** Left out: RFC 4180. */
  readonly csv?: CsvForm
  /** How many rows are skipped (default none), and how many are then exported (default all). */
  readonly offset?: number
  readonly limit?: number
}
