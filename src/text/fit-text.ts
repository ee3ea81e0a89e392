/** Texts of any length and script in a given number of terminal columns. */

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The text, or its beginning and an ellipsis when it needs more than `columns` columns of a terminal. */
export function fitText(text: string, columns: number): string {
  // A grapheme has a column or none, so what lies far behind cannot be part of what fits.
  if (text.length <= columns * 8 && Bun.stringWidth(text) <= columns) return text
  let fitting = ''
  let used = 0
  for (const { segment } of graphemes.segment(text.slice(0, columns * 8))) {
    used += Bun.stringWidth(segment)
    if (used >= columns) break
    fitting += segment
  }
  return `${fitting}…`
}
