/**
 * Other scripts in Latin letters, for names. Cyrillic follows the usual English romanisation (BGN/PCGN, with the Bulgarian law
 * of 2009 for `ъ`), Greek the transcription of ISO 843, letter by letter: datasets are served by these names, and any-ascii,
 * which knows all other scripts, has other ones for both.
 */

import anyAscii from 'any-ascii'

const CYRILLIC =
  'а a б b в v г g ґ g д d ђ dj ѓ gj е e ё yo є ye ж zh з z ѕ dz и i і i ї yi й y ј j к k ќ kj л l љ lj м m н n њ nj о o п p ' +
  'р r с s т t ћ c у u ў u ф f х h ц ts ч ch џ dz ш sh щ sht ъ a ы y ь  э e ю yu я ya ѝ i'
const GREEK =
  'ά a έ e ή i ί i ό o ύ y ώ o ϊ i ϋ y ΐ i ΰ y α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o'
/** Letters that Bulgarian does not have: beside them `щ` is `shch` and `ъ` is silent, as in Russian and Ukrainian. */
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

/** The text in lower case and Latin letters, syllables of Chinese characters apart: `Население` -> `naselenie`, `人口` -> `ren kou`. */
export function transliterate(text: string): string {
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
