/** The words of a text as the search for rows sees them (contract 7), character by character. */

const SPELT: Record<string, string> = {
  ...{ đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ĸ: 'k', ł: 'l', ŋ: 'n', ø: 'o', ŧ: 't', þ: 'th', ſ: 's', ς: 'σ' },
  ...{ œ: 'oe', æ: 'ae', ß: 'ss' },
}

/** `"Łódź, în est"` -> `["lodz", "in", "est"]`. */
export function plainWords(text: string): string[] {
  let folded = ''
  for (const character of text.normalize('NFKD')) {
    for (const lower of character.toLowerCase()) {
      if (/\p{M}/u.test(lower)) continue
      const spelt = SPELT[lower] ?? lower
      folded += /[\p{L}\p{N}]/u.test(lower) ? spelt : ' '
    }
  }
  return folded.split(' ').filter((word) => word !== '')
}
