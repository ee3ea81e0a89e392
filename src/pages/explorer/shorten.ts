/** What a page shows of tables that are wider and cells that are longer than anybody reads; files and the API hold all. */

import type { Row } from './explorer.tsx'

/** Columns that a page offers and describes. */
export const MOST_COLUMNS = 100
/** Characters of a cell that a page shows. */
const LONGEST_CELL = 500

/** The beginning of a text, with an ellipsis where something is left out. No character is cut in two. */
export function shorten(text: string, longest = LONGEST_CELL): string {
  if (text.length <= longest) return text
  // A character takes two units at most.
  const characters = [...text.slice(0, longest * 2 + 2)]
  return characters.length <= longest ? text : `${characters.slice(0, longest).join('')}…`
}

/** Rows as a page shows them. */
export function shortenRows(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? shorten(value) : value]),
    ),
  )
}
