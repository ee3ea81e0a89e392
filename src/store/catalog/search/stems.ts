/** What the forms of a word share: its stems by Snowball's rules for Romanian and English. */

import { stemmer as stemEnglish } from '@orama/stemmers/english'
import { stemmer as stemRomanian } from '@orama/stemmers/romanian'

/** Words of grammar that look like forms of other words: `care`, which, has the stem of `cars`. */
const FORMLESS = new Set(
  'care carei caror este sunt fost pentru prin dintre unei unui acest aceasta dupa'.split(' '),
)

/** Shorter words, and what has digits, have no forms. */
const SHORTEST = 3

/**
 * @param word folded, as `wordsOf` gives it
 * @returns the stems in either language, and two more: without diacritics the rules for Romanian miss the plural of
 * `instituție`, and with them those of `drum` and `venit`
 */
export function stemsOf(word: string): string[] {
  if (word.length < SHORTEST || /\d/.test(word) || FORMLESS.has(word)) return []
  const own = [word.replace(/[aeiou]+$/, ''), word.replace(/uri(le|lor)?$/, '')]
  const stems = own.map((stem) => (stem.length < SHORTEST ? word : stem))
  return [...new Set([stemRomanian(word), stemEnglish(word), ...stems])]
}
