/** The stems that the forms of a word share, by Snowball's rules for Romanian and English. */

import { stemmer as stemEnglish } from '@orama/stemmers/english'
import { stemmer as stemRomanian } from '@orama/stemmers/romanian'

/** Function words that look like forms of other words: `care` ("which") has the stem of `cars`. */
const FORMLESS = new Set(
  'care carei caror este sunt fost pentru prin dintre unei unui acest aceasta dupa'.split(' '),
)

/** Shorter words, and words with digits, have no stems. */
const SHORTEST = 3

/**
 * @param word folded, from `wordsOf`
 * @returns the stems in either language, and two more: without diacritics the rules for Romanian miss the plural of
 * `instituție`, and even with them those of `drum` and `venit`
 */
export function stemsOf(word: string): string[] {
  if (word.length < SHORTEST || /\d/.test(word) || FORMLESS.has(word)) return []
  const own = [word.replace(/[aeiou]+$/, ''), word.replace(/uri(le|lor)?$/, '')]
  const stems = own.map((stem) => (stem.length < SHORTEST ? word : stem))
  return [...new Set([stemRomanian(word), stemEnglish(word), ...stems])]
}
