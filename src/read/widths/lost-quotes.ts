/** Texts whose quotes, or delimiters beside them, were lost: lonely quotes, and lines that may be rows. */

/** A text begins right after the last quote, one ends right before the first, or neither. */
export type LonelyQuote = 'opens' | 'closes' | 'stands'

/** @returns null: the quotes of the text are pairs, or there are none */
export function lonelyQuote(text: string, quote: string): LonelyQuote | null {
  const pieces = quote === '' ? [] : text.split(quote)
  if (pieces.length % 2 === 1 || pieces.length === 0) return null
  if (/^\S/.test(pieces.at(-1) as string)) return 'opens'
  return /\S$/.test(pieces[0] as string) && !/^\S/.test(pieces[1] as string) ? 'closes' : 'stands'
}

/** For each quote within a word, the two values of which the text consists if a delimiter beside that quote is missing. */
export function* splitAtQuotes(text: string, quote: string): Generator<readonly [string, string]> {
  if (quote === '') return
  for (let at = text.indexOf(quote, 1); at > 0; at = text.indexOf(quote, at + 1)) {
    const [first, second] = [text.slice(0, at), text.slice(at + 1)]
    if (/\S$/.test(first) && /^\S/.test(second))
      yield [first.replaceAll(quote, ''), second.replaceAll(quote, '')]
  }
}

/** The cells of each line of a text. */
export function splitLines(text: string, delimiter: string): string[][] {
  return text.split(/\r\n|\r|\n/).map((line) => line.split(delimiter))
}

/**
 * Joins lines into rows with at least `width` cells each; a line end may be part of a cell.
 * @returns null: they are not rows, or only a single one
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
  // The last text may continue.
  return rows.length > 1 && open.length < 2 ? rows : null
}
