/** Tables of texts whose last row cannot be told from a note. */

/**
 * Whether the last record of a table has one text alone: below texts of all kinds `_a,,` may be a row as well as a note.
 * @param rows cells as written; records without any text are blank and do not count
 */
export function endsLikeNote(rows: readonly (readonly string[])[]): boolean {
  const filled = rows.map((row) => row.filter((text) => text.trim() !== '').length)
  return filled.findLast((count) => count > 0) === 1
}
