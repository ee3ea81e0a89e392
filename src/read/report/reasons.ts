/** Why a file cannot be read, or not be fetched, by code, with the values that each names. Codes and values are public. */

import type { Reason } from '../../base/errors.ts'

type Nothing = Record<string, never>

/** Of files that no table can be made of. */
interface FileReasons {
  empty_file: Nothing
  no_text: Nothing
  blank_sheet: { sheet: string }
  not_text: Nothing
  not_a_table: Nothing
  xlsb_workbook: Nothing
  nested_archive: Nothing
  archive_without_table: Nothing
  archive_of_several: { names: string }
  damaged_file: Nothing
  password_file: Nothing
  /** It grows beyond all measure, or claims what no table has. */
  unsafe_file: Nothing
  needs_memory: Nothing
  took_too_long: Nothing
  /** The process that read it was ended, each time that it was tried. */
  work_ended: Nothing
  too_large: Nothing
  disk_full: Nothing
  wrong_encoding: { encoding: string }
  json_invalid: { line: number; column: number }
  json_without_rows: Nothing
  json_several_tables: { names: string }
  json_too_many_names: { most: number }
  json_long_row: Nothing
  endless_line: Nothing
  endless_record: { line: number }
  open_quote: { line: number; cell: number }
  stray_header_quote: { line: number }
  too_many_columns: { line: number; cells: number; most: number }
  columns_hidden: Nothing
  header_row_blank: { row: number }
  header_row_missing: { row: number; records: number }
  header_width: { named: number; cells: number; rows: number; all: number }
}

/** Of readings that nothing proves. */
interface DoubtReasons {
  weak_delimiter: { sign: string }
  two_delimiters: Nothing
  fixed_width: Nothing
  title_or_name: { record: number; sign: string }
  /** One column, whose lines look as if they were delimited. */
  other_delimiter: { sign: string }
  other_layout: Nothing
  /** A sheet with its texts in one column, each a line with several columns in it. */
  sheet_of_lines: { record: number }
  header_like_data: { record: number }
  texts_below_header: { record: number; count: number }
}

/** Of addresses. */
interface FetchReasons {
  wrong_address: Nothing
  unknown_host: { host: string }
  no_answer: { host: string }
  bad_certificate: { host: string }
  connection_lost: { host: string }
  connection_failed: { host: string }
  http_status: { host: string; status: number }
  wrong_redirect: { host: string }
  insecure_redirect: { host: string }
  private_address: { host: string }
  too_slow: { host: string }
  wrong_packing: { host: string }
  too_large_to_fetch: { bytes: number }
  html_page: Nothing
  not_a_catalogue: { host: string }
  package_not_found: { host: string; name: string }
  package_closed: { host: string; name: string }
  package_without_files: Nothing
  package_of_several: Nothing
}

/** Of decisions that do not fit the file. */
interface DecisionReasons {
  unknown_sheet: { sheet: string }
  no_sheets: { sheet: string }
  unknown_encoding: { encoding: string }
  same_signs: { sign: string }
  unknown_column: { column: string }
  header_in_objects: Nothing
  no_columns: Nothing
  key_of_append: { key: string }
}

/** Gates say no more than their kind. */
type GateReasons = { [K in GateKind]: Nothing }

/** What keeps a file that was read from being published. */
export type GateKind =
  | 'drift'
  | 'append_drift'
  | 'quarantine'
  | 'too_many_mended'
  | 'empty'
  | 'too_few_rows'
  | 'duplicate_key'
  | 'personal_data'

export interface ReasonValues extends FileReasons, DoubtReasons, FetchReasons, DecisionReasons, GateReasons {}

export type ReasonCode = keyof ReasonValues

/** The reason of a `CommandError`. */
export function because<C extends ReasonCode>(code: C, values: ReasonValues[C]): readonly Reason[] {
  return [{ code, values }]
}

/** What keeps a file from being published: the kinds of the gates, or why no table could be made of it. */
export function reasonsOf(
  refusals: readonly ({ readonly kind: GateKind } | { readonly reasons: readonly Reason[] })[],
): Reason[] {
  return refusals.flatMap((refusal) =>
    'reasons' in refusal ? refusal.reasons : [{ code: refusal.kind, values: {} }],
  )
}
