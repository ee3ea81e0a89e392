/** What a person may say about the header: `--header-row 3`, `3-4`, `0`, or `header_row` in a definition. */

import { CommandError } from '../../base/errors.ts'

/** A header that somebody named. */
export interface AskedHeader {
  /** Places among the records, from 1, blank ones included, in order; none: the file has no header. */
  readonly rows: readonly number[]
  /** Who says so, for messages. */
  readonly by: string
}

/**
 * Reads `3`, `0`, `3-4` or `3,4`.
 * @throws CommandError `usage` for any other text
 */
export function parseHeaderRows(text: string): number[] {
  const wrong = new CommandError(
    'usage',
    `--header-row '${text}' must be a record's number, counted from 1, two of them such as 3-4 for a header of several, or 0 when the file has none`,
  )
  if (!/^\d{1,9}([-,]\d{1,9})*$/.test(text.trim())) throw wrong
  const numbers = text.trim().split(/[-,]/).map(Number)
  const [from = 0, to = from] = numbers
  const isRange = text.includes('-')
  if ((isRange && numbers.length !== 2) || to - from > 20) throw wrong
  const rows = isRange ? Array.from({ length: to - from + 1 }, (_, i) => from + i) : numbers
  if (!areHeaderRows(rows)) throw wrong
  return rows
}

/** Whether the numbers may name a header: 0 alone, or records in order. */
export function areHeaderRows(rows: readonly number[]): boolean {
  if (rows.length === 1) return Number.isInteger(rows[0]) && (rows[0] as number) >= 0
  return rows.length > 1 && rows.every((row, i) => Number.isInteger(row) && row > (rows[i - 1] ?? 0))
}

/** What options or a definition say about the header; null when they say nothing. */
export function askedHeader(
  option: number | readonly number[] | undefined,
  defined: number | readonly number[] | undefined,
): AskedHeader | null {
  const given = option ?? defined
  if (given === undefined) return null
  const by = option === undefined ? 'header_row in the definition' : '--header-row'
  const rows = typeof given === 'number' ? [given] : given
  return { rows: rows.length === 1 && rows[0] === 0 ? [] : rows, by }
}
