/** What the number format of a cell says its number is. */

/** `code5`: written with zeros in front, five digits at least, as postal codes are. */
export type NumberKind = 'number' | 'date' | 'time' | 'datetime' | 'duration' | `code${number}`

/** Formats that have a number and no text in the file (ECMA-376 part 1, 18.8.30; 27 to 36 and 50 to 58 are East Asian). */
const BUILT_IN: readonly (readonly [from: number, to: number, kind: NumberKind])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'datetime'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 45, 'duration'],
  [46, 46, 'duration'],
  [47, 47, 'duration'],
  [50, 54, 'date'],
  [55, 56, 'time'],
  [57, 58, 'date'],
]

export function kindOfBuiltIn(id: number): NumberKind {
  return BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2] ?? 'number'
}

/** What of a format is shown as it stands: quoted text, escaped characters, fillers, colours, conditions, languages. */
const LITERAL = /"[^"]*"?|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi

/**
 * @param code a format such as `dd.mm.yyyy`, `[h]:mm:ss` or `#,##0.00`; of its up to four sections the first one, for
 * positive numbers, tells
 */
export function kindOfFormat(code: string): NumberKind {
  if (/^general$/i.test(code.trim())) return 'number'
  const [section = ''] = code.replace(LITERAL, '').split(';')
  if (/^0{2,15}$/.test(section.trim())) return `code${section.trim().length}`
  if (/\[(h+|m+|s+)\]/i.test(section)) return 'duration'
  const signs = section.replace(/general|am\/pm|a\/p/gi, '').toLowerCase()
  const hasDay = /[ydgb]|e(?![+-])/.test(signs) && !/[0#?]/.test(signs.replace(/[.,]0+/g, ''))
  const hasClock = /[hs]/.test(signs)
  if (hasDay) return hasClock ? 'datetime' : 'date'
  if (hasClock) return 'time'
  return /m/.test(signs) && !/[0#?]/.test(signs) ? 'date' : 'number'
}
