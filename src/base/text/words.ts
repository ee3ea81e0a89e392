/**
 * Text as searches of the catalog and of rows see it: words of letters and digits, in lower case, without diacritics.
 * FTS5's `unicode61 remove_diacritics 2` is not used: it keeps letters that Unicode does not decompose (đ, ł, ø, ß), so
 * "lodz" would miss "Łódź".
 */

/** What readers type for letters with a stroke, a hook or a ligature, and for the final sigma. */
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
const LETTER = /[\p{L}\p{N}]/u

/** Lower case without diacritics: `"Brașov, str. 5"` -> `"brasov, str. 5"`. Each character folds by itself. */
export function foldLetters(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(UNDECOMPOSED, (letter) => SPELT_OUT[letter] ?? letter)
}

/** `"Numărul_elevilor (2015)"` -> `["numarul", "elevilor", "2015"]`. Never throws. */
export function wordsOf(text: string): string[] {
  return foldLetters(text).match(WORDS) ?? []
}

/** Kinds of characters that do not become one letter or digit. All numbers are below any letter or digit. */
const LETTER_KIND = { separator: 0, mark: 1, letters: 2, other: 3 } as const

/** Code points that `letterFolds` knows: alphabets, punctuation and symbols up to the scripts of East Asia. */
const KNOWN_LETTERS = 0x3000

let known: Uint16Array | undefined

/**
 * What `wordsOf` makes of each code point below 0x3000: the letter or digit it becomes, or a kind: a separator, a mark
 * that is left out, several letters or digits (ß), or anything else, which only `wordsOf` can decide.
 */
export function letterFolds(): Uint16Array {
  if (known !== undefined) return known
  // All characters in one text, separated by line breaks: calling `normalize` for each takes ten times as long.
  const characters = Array.from({ length: KNOWN_LETTERS }, (_, code) => String.fromCharCode(code))
  const separated = characters.map((character) => (character === '\n' ? ' ' : character)).join('\n')
  known = Uint16Array.from(foldLetters(separated).split('\n'), kindOf)
  return known
}

function kindOf(folded: string): number {
  if (folded === '') return LETTER_KIND.mark
  if (folded.length === 1) return LETTER.test(folded) ? folded.charCodeAt(0) : LETTER_KIND.separator
  const words = folded.match(WORDS)
  if (words === null) return LETTER_KIND.separator
  return words[0].length === folded.length ? LETTER_KIND.letters : LETTER_KIND.other
}
