/** The warnings of a report by code, with the values that each names. Codes and values are public (contract 6). */

import type { Reason } from '../../base/errors.ts'
import type { PersonalColumn } from './decisions.ts'
import type { GateKind } from './reasons.ts'

export interface WarningValues {
  /** Nothing proves the encoding, and another one reads words as well. */
  encoding_other: { encoding: string; word: string; other: string; other_encoding: string }
  /** Nothing proves the encoding, and words of it are of no language. */
  encoding_words: { encoding: string; word: string }
  /** The encoding was asked for, and another one fits. */
  encoding_asked: { encoding: string; word: string; other: string; other_encoding: string }
  header_bytes: { encoding: string; names: string }
  date_order: { column: string; example: string; order: 'dmy' | 'mdy' }
  /** Values prove another order than the one asked for. */
  date_order_proven: { column: string; order: 'dmy' | 'mdy' }
  decimal_mark: { column: string; example: string; value: string }
  /** Few other values, or numbers of another kind, prove that an example is a decimal. */
  decimal_mark_rare: { column: string; example: string; value: string; proof: string }
  /** From a line on, columns have values like those of one another before. */
  columns_exchanged: { columns: string; line: number }
  formulas: { sheet: string; count: number }
  unnamed_header: { line: number }
  repeated_names: { count: number }
  double_quotes: { column: string; count: number }
  /** `columns`: their names, with commas; empty: none. */
  hidden: { rows: number; columns: string }
  ignored_option: { option: string; format: string }
  /** Rows that are totals of other rows, those of them whose numbers prove it, and where they are. */
  subtotals: { count: number; sums: number; lines: string }
  row_count: { before: number; now: number }
  no_rows: Record<string, never>
  all_quarantined: { rows: number }
  /** `percent`: of the served keys, those that the file still has. */
  few_keys: { key: string; version: number; percent: number }
  keys_not_compared: { version: number }
  /** Nobody named the columns: all were acknowledged. */
  personal_data_all: { columns: string }
  /** They were served before data about people were asked for. */
  personal_data_served: { columns: string }
  personal_data: { column: string; kind: PersonalColumn['kind']; rows: number }
  /** What is served already would be refused if it came now. */
  would_be_refused: { kind: GateKind }
  secret_not_kept: { host: string }
  not_encrypted: { address: string }
}

export type WarningCode = keyof WarningValues

/** A warning, and the same as a sentence for the command line. */
export interface Warning extends Reason {
  readonly code: WarningCode
  readonly message: string
}

export function warn<C extends WarningCode>(code: C, values: WarningValues[C], message: string): Warning {
  return { code, values, message }
}
