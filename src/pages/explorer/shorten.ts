/** What a page shows of wide tables and long cells; files and the API have all of it. */

import { shorten } from '../../base/text/fit-text.ts'

export type Row = Readonly<Record<string, string | number | boolean | null>>

/** Columns that a page offers and describes. */
export const MOST_COLUMNS = 100
/** Characters of a cell that a page shows. */
const LONGEST_CELL = 500

/** Rows as a page shows them. */
export function shortenRows(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'string' ? shorten(value, LONGEST_CELL) : value,
      ]),
    ),
  )
}
