/** The beginning of a text of more than `longest` characters, with an ellipsis behind it. Surrogate pairs stay whole. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text
  // A character takes at most two code units.
  const characters = [...text.slice(0, longest * 2 + 2)]
  return characters.length <= longest ? text : `${characters.slice(0, longest).join('')}…`
}
