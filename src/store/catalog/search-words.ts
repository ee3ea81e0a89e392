/**
 * Text as the catalog search sees it: words of letters and digits, lower case, without diacritics. Done here rather
 * than by FTS5's `unicode61 remove_diacritics 2`, which leaves letters that Unicode does not decompose (đ, ł, ø, ß)
 * as they are, so that "lodz" would miss "Łódź".
 */

/** Letters with a stroke, a hook or a ligature, and the final sigma: what readers type in their place. */
const SPELT_OUT: Readonly<Record<string, string>> = {
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  ł: 'l',
  ŋ: 'n',
  ø: 'o',
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ſ: 's',
  þ: 'th',
  ς: 'σ',
  ŧ: 't',
}
const UNDECOMPOSED = new RegExp(`[${Object.keys(SPELT_OUT).join('')}]`, 'g')
const MARKS = /\p{M}+/gu
const WORDS = /[\p{L}\p{N}]+/gu

/** `"Numărul_elevilor (2015)"` -> `["numarul", "elevilor", "2015"]`. Never throws. */
export function wordsOf(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(UNDECOMPOSED, (letter) => SPELT_OUT[letter] ?? letter)
  return folded.match(WORDS) ?? []
}
