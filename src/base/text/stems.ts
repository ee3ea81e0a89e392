/** What the forms of a word share: its stems by Snowball's rules for Romanian and English. */

import { stemmer as stemEnglish } from '@orama/stemmers/english'
import { stemmer as stemRomanian } from '@orama/stemmers/romanian'

/** Shorter words, and what has digits, have no forms. */
const SHORTEST = 3

/**
 * @param word folded, as `wordsOf` gives it
 * @returns the stems in either language, and the word without the vowels at its end: without diacritics the rules for
 * Romanian miss the plural of `instituție`
 */
export function stemsOf(word: string): string[] {
  if (word.length < SHORTEST || /\d/.test(word)) return []
  const open = word.replace(/[aeiou]+$/, '')
  return [...new Set([stemRomanian(word), stemEnglish(word), open.length < SHORTEST ? word : open])]
}
