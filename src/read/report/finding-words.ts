/** The codes of reports in words: why a row was refused, and what was repaired in a cell. */

import type { RepairKind } from './repairs.ts'

export const REASON_WORDS = {
  too_few_cells: 'fewer cells than the header',
  too_many_cells: 'more cells than the header',
  line_break: 'a line break without quotes cut the record',
  shifted: 'the values are shifted by one column',
  broken_quote: 'a quoted cell is never closed',
  invalid_json: 'the line is not JSON',
  invalid_encoding: 'bytes that the encoding does not have',
  hidden: 'the sheet hides the row',
  title: 'a title above the table',
  footnote: 'a note or a signature',
  repeated_header: 'the header printed again',
  second_table: 'a second table below the first',
  total_row: 'a row of totals',
  required_missing: 'no value in a column that the definition requires',
  key_missing: 'no value in a column of the primary key',
  duplicate_key: 'an earlier row has the same primary key',
  invalid_integer: 'not a whole number',
  invalid_decimal: 'not a number',
  invalid_boolean: 'neither yes nor no',
  invalid_date: 'not a date',
  invalid_datetime: 'not a date with a time',
} as const

export const REPAIR_WORDS: Readonly<Record<RepairKind, string>> = {
  trimmed: 'spaces around it left out',
  decimal_comma: '3,5 read as 3.5',
  thousands_separator: '1.234 or 1,234 read as 1234',
  zero_fraction: '10,00 read as 10',
  leading_zeros: '007 read as 7',
  rounded: 'more digits than can be kept',
  date_format: '31.01.2024 and the like read as 2024-01-31',
  assumed_utc: 'time without a zone, taken as UTC',
  boolean_word: 'yes, da, 1 and the like read as true, no, nu, 0 as false',
  minus_sign: 'another sign for minus',
  plus_sign: '+5 read as 5',
  percent_sign: '5 % read as 5',
  misread_windows_1252: 'a control character read as the windows-1252 sign in its place',
  serial_date: 'a number such as 45000, read as the day that spreadsheets mean by it',
  empty_text: 'an empty text read as null',
  stray_quote: 'a quote in the middle of a cell kept as text',
  missing_cells: 'last cells that the row lacks read as null',
  inner_delimiter: 'a cell that an unquoted delimiter had cut, joined again',
  merged_cell: 'filled from the merged cell',
  error_cell: 'a cell with an error, read as null',
}

/** What was done to records of another width that became rows. */
export const MENDED_WORDS = {
  surplus_blanks: 'surplus delimiters at the end, with nothing between them, cut',
  joined: 'a text that an unquoted delimiter had cut, joined',
  left_off: 'blank cells left off at the end, read as null',
} as const

/** The meaning of a code in one of the tables above; empty if the table lacks it. */
export function explainCode(words: Readonly<Record<string, string>>, code: string): string {
  return words[code] ?? ''
}
