/** The lines of a text that may hold rows, as quotes around it were lost. */

/** The cells of each line of a text. */
export function splitLines(text: string, delimiter: string): string[][] {
  return text.split(/\r\n|\r|\n/).map((line) => line.split(delimiter))
}

/**
 * Puts lines together to rows of so many cells each, or more; a line end may be part of a cell.
 * @returns null: they are no rows, or one alone
 */
export function joinLines(lines: readonly (readonly string[])[], width: number): string[][] | null {
  const rows: string[][] = []
  let open: string[] = []
  for (const line of lines) {
    const last = open.pop()
    const [first = '', ...others] = line
    open.push(last === undefined ? first : `${last}\n${first}`, ...others)
    if (open.length < width) continue
    rows.push(open)
    open = []
  }
  // The last text may go on.
  return rows.length > 1 && open.length < 2 ? rows : null
}
