/** Texts of any length and script in a given number of terminal columns. */

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The text, or its beginning and an ellipsis when it needs more than `columns` columns of a terminal. */
export function fitText(text: string, columns: number): string {
  // A text of more than 8 code units a column is taken as too long without measuring it.
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

const END_SHARE = 0.4

/** A name in a list, cut in the middle, since many names begin alike and end differently. */
export function fitName(name: string, columns: number): string {
  if (name.length > columns * 8 || Bun.stringWidth(name) <= columns) return fitText(name, columns)
  const segments = [...graphemes.segment(name)].map(({ segment }) => segment)
  let end = ''
  while (segments.length > 0) {
    const longer = (segments.pop() as string) + end
    if (Bun.stringWidth(longer) > columns * END_SHARE) break
    end = longer
  }
  return fitText(name, columns - Bun.stringWidth(end)) + end
}

/** The beginning of a text of more than `longest` characters, with an ellipsis after it. Surrogate pairs stay whole. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text
  // A character takes at most two code units.
  const characters = [...text.slice(0, longest * 2 + 2)]
  return characters.length <= longest ? text : `${characters.slice(0, longest).join('')}…`
}

/** The first of several texts, and how many more there are: `a, b and 3 more`. */
export function listSome(texts: readonly string[], most: number): string {
  const rest = texts.length - most
  return texts.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
