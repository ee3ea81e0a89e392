/** How well a word reads in an encoding: letters where a language has them, signs where signs stand. */

import { type Language, LONE_LETTERS } from './languages.ts'

/** A word with characters that no text has. */
export const CONTROL = -20
const OTHER_SCRIPT = -3
export const MISPLACED = -2
const QUOTES = '„”“’‘–—…‚‹›«»•'
const RARE_SIGNS = 'ˇ˘˛˝˙¨¸´¯¤¦¬ƒˆ˜÷¶¹\u00ad'
const APOSTROPHES = '’‘'
/** Parts of frames, and points that letters are seldom written with. */
const DRAWN = /[\u2500-\u25ff]|\p{M}/u
const CURRENCIES = '€£¥¢'
const OTHER_ALPHABETS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}]/u
const NO_WORD = -0.5
const VOWEL = /[aeiouy]/
/** Signs that Unicode counts among the letters. */
const LETTER_SIGNS = 'ªºµ'
/** Units of measurement: no other reading of their bytes is as likely. */
const UNIT = /^[\d.,]*(?:[kcdm]?m[²³]|µ[gmslLAFHSVW]|°[CFK])$/
const TELLING = 2
const NO_TEXT = /[\u0080-\u009f\ufffd]|\p{Co}/u

/** Whether a word has characters that no text has: its bytes mean nothing in the encoding. */
export function hasNoText(word: string): boolean {
  return NO_TEXT.test(word)
}

/** How well the letters of a word fit a language: -3..1, 0 without any beyond ASCII. */
export function scoreLetters(word: string, { letters, rare = '', never }: Language): number {
  const small = word.toLowerCase()
  let sum = 0
  let count = 0
  for (const letter of small) {
    if (letter < '\u0080' || !isLetter(letter)) continue
    count++
    if (!letters.includes(letter)) sum -= 1
    else sum += rare.includes(letter) ? 0.2 : 1
  }
  if (count === 0) return 0
  // Any byte is a letter of another alphabet: one alone proves nothing.
  if (count === 1 && OTHER_ALPHABETS.test(small))
    return small.length > 1 || LONE_LETTERS.includes(small) ? 0 : NO_WORD
  return sum / count - (never?.test(small) ? 1.5 : 0)
}

/**
 * Whether letters and signs stand where they can: 0 for an ordinary word, less for each one out of place.
 * @param control what a character that no text has costs
 */
export function scorePlaces(word: string, control: number): number {
  if (UNIT.test(word)) return TELLING
  const signs = [...word]
  let score = 0
  for (const [at, sign] of signs.entries()) {
    if (sign < '\u0080') continue
    const before = signs[at - 1] ?? ''
    const after = signs[at + 1] ?? ''
    if (hasNoText(sign)) score += control
    else if (isLetter(sign)) score += scoreLetterPlace(sign, before, after)
    else score += scoreSignPlace(sign, before, after)
  }
  // What is wrong in a word says it is wrong once or twice, however long the word is.
  return Math.max(Math.min(score, 1), score < CONTROL / 2 ? CONTROL : 2 * OTHER_SCRIPT)
}

function scoreLetterPlace(letter: string, before: string, after: string): number {
  let score = 0
  if (/\d/.test(before + after)) score += MISPLACED
  const isLatin = /\p{Script=Latin}/u.test(letter)
  for (const neighbour of [before, after])
    if (/\p{L}/u.test(neighbour) && /\p{Script=Latin}/u.test(neighbour) !== isLatin) score += OTHER_SCRIPT
  if (isSmall(before) && isCapital(letter)) score += MISPLACED
  if (isSmall(letter) && isCapital(after)) score += MISPLACED
  if (!isLatin) return score
  // Two letters with accents in a row are rare in any language, and another alphabet read as Latin has nothing else.
  if (after >= '\u0080' && /\p{L}/u.test(after)) score -= 0.5
  return score - alternationFault(letter, before, after)
}

/** Consonants between consonants, and vowels beside vowels, are rarer than the other way round. */
function alternationFault(letter: string, before: string, after: string): number {
  const kinds = [before, letter, after].map(kindOf)
  const [left, middle, right] = kinds
  if (middle === 'consonant') return left === 'consonant' && right === 'consonant' ? 1 : 0
  // These two are written to keep vowels apart.
  if (left === 'vowel' && 'ëï'.includes(letter)) return 0
  return left === 'vowel' || right === 'vowel' ? 0.4 : 0
}

function kindOf(sign: string): 'vowel' | 'consonant' | null {
  if (!/\p{L}/u.test(sign)) return null
  const base = sign.toLowerCase().normalize('NFD')[0] as string
  return VOWEL.test(base) || 'æøœ'.includes(base) ? 'vowel' : 'consonant'
}

function isLetter(sign: string): boolean {
  return /\p{L}/u.test(sign) && !LETTER_SIGNS.includes(sign)
}

function isSmall(sign: string): boolean {
  return /\p{Ll}/u.test(sign)
}

function isCapital(sign: string): boolean {
  return /\p{Lu}/u.test(sign)
}

function scoreSignPlace(sign: string, before: string, after: string): number {
  const isInside = /\p{L}/u.test(before) && /\p{L}/u.test(after)
  if (sign === '¿' || sign === '¡') return before === '' && /\p{L}/u.test(after) ? 1 : MISPLACED
  if (sign === 'ª' || sign === 'º') return after === '' && /[\d.]/.test(before) ? 1 : MISPLACED
  if (RARE_SIGNS.includes(sign) || DRAWN.test(sign)) return isInside ? MISPLACED : -1
  if (isInside && !APOSTROPHES.includes(sign)) return QUOTES.includes(sign) ? 0 : MISPLACED
  if ('©®±¶'.includes(sign) && /\p{L}/u.test(after)) return -1
  if (CURRENCIES.includes(sign) && !/\d/.test(before + after) && before + after !== '') return -0.5
  return 0.5
}
