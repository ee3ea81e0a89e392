/** Names for columns and datasets from the headers and titles of publishers. */

import anyAscii from 'any-ascii'

/**
 * Other scripts in Latin letters, for names. Cyrillic follows the usual English romanisation (BGN/PCGN, with the
 * Bulgarian law of 2009 for `ъ`), Greek the transcription of ISO 843, letter by letter. Datasets are served under these
 * names; any-ascii, which handles all other scripts, would give others.
 */
const CYRILLIC =
  'а a б b в v г g ґ g д d ђ dj ѓ gj е e ё yo є ye ж zh з z ѕ dz и i і i ї yi й y ј j к k ќ kj л l љ lj м m н n њ nj о o п p ' +
  'р r с s т t ћ c у u ў u ф f х h ц ts ч ch џ dz ш sh щ sht ъ a ы y ь  э e ю yu я ya ѝ i'

const GREEK =
  'ά a έ e ή i ί i ό o ύ y ώ o ϊ i ϋ y ΐ i ΰ y α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o'

/** Letters that Bulgarian does not have. In a text with them `щ` is `shch` and `ъ` is silent, as in Russian. */
const EASTERN = /[ыэёґєії]/i

const LETTERS = new Map(
  [CYRILLIC, GREEK].flatMap((table) => {
    const cells = table.split(' ')
    return Array.from({ length: cells.length / 2 }, (_, i): [string, string] => [
      cells[2 * i] as string,
      cells[2 * i + 1] as string,
    ])
  }),
)

/** Letters, vowel signs and digits of scripts other than Latin. */
const OTHER_SCRIPTS = /(?:(?![\0-\u024f\p{Script=Latin}])[\p{L}\p{M}\p{Nd}])+/gu

/** Longest name of a column, dataset or domain (contract 3). */
export const LONGEST_NAME = 64

/** Letters that Unicode does not decompose into a base letter and an accent. */
const BASE_LETTERS = new Map(
  Object.entries({ ł: 'l', đ: 'd', ø: 'o', ß: 'ss', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th', ı: 'i' }),
)

/** Latin text in lower case without diacritics: `Județ` -> `judet`. Other scripts stay as they are. */
export function stripDiacritics(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[łđøßæœðþı]/g, (letter) => BASE_LETTERS.get(letter) ?? letter)
}

/** A header as it is compared: without case, white space and diacritics. */
export function plainHeader(header: string): string {
  return stripDiacritics(header).replace(/\s+/g, '')
}

/**
 * snake_case in ASCII, at most 64 characters: `Rata şomajului (%)` -> `rata_somajului`. Empty when nothing of the text
 * has an ASCII form.
 */
export function snakeCase(text: string): string {
  return shorten(joinWords(text))
}

/** The name of a column by its header: as `snakeCase`, with the signs `#` and `%` as words. */
export function columnName(header: string): string {
  return shorten(longColumnName(header))
}

/** As `columnName`, of any length. */
export function longColumnName(header: string): string {
  return joinWords(header.replace(/[#№]/g, ' number ').replaceAll('%', ' percent '))
}

/**
 * Shortens a long name but keeps its first and last words: names that are alike up to the 64th character may differ at
 * the end.
 * @param tailRoom how many characters the last words may have, below 64
 */
export function shortenInside(name: string, tailRoom: number): string {
  if (name.length <= LONGEST_NAME) return name
  const tail = name.slice(-tailRoom)
  const words = tail.includes('_') ? tail.slice(tail.indexOf('_') + 1) : tail
  return `${name.slice(0, LONGEST_NAME - words.length - 1).replace(/_+$/, '')}_${words}`
}

function joinWords(text: string): string {
  return stripDiacritics(transliterate(text))
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
}

function shorten(name: string): string {
  return name.slice(0, LONGEST_NAME).replace(/_+$/, '')
}

/** Lower-case Latin letters, with Chinese syllables separated: `Население` -> `naselenie`, `人口` -> `ren kou`. */
function transliterate(text: string): string {
  const eastern: Record<string, string> = EASTERN.test(text) ? { щ: 'shch', ъ: '' } : {}
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/ο[υύ]/g, 'ou')
    .replace(
      /[\u0370-\u03ff\u0400-\u045f\u0490\u0491]/g,
      (letter) => eastern[letter] ?? LETTERS.get(letter) ?? letter,
    )
    .replace(OTHER_SCRIPTS, (word) => anyAscii(word).replace(/['`]/g, ''))
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
}
