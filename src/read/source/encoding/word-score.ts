/** How well a word reads in an encoding: letters in places where a language has them, signs where signs belong. */

export interface Language {
  /** Lower-case letters beyond ASCII. */
  readonly letters: string
  /** The rare ones among them: words of another language have them as often. */
  readonly rare?: string
  /** What no word of the language contains: the letter belongs to another one. */
  readonly never?: RegExp
}

const CONSONANT = 'bcčdďfghjklmnňpqrřsšśtťțţvwxzžźż'

const ESTONIAN: Language = { letters: 'õäöüšž', never: /[cqwxy]|õ$/ }

/** Languages in Latin letters, except those whose letters are the same in every encoding. */
export const LATIN_LANGUAGES: readonly Language[] = [
  // Romanian, in both spellings.
  { letters: 'ăâîșțşţ', never: /ă[oeau]/ },
  { letters: 'áéíóöőúüű', never: /ő[aeiou]|[aeiou][őű]|ű[aeou]/ },
  { letters: 'ąćęłńóśźż', never: /ń[aeiouyąęó]|^[ąęń]|[ąę][aeiouy]|[aou]ę|^ó/ },
  { letters: 'áčďéěíňóřšťúůýž', never: /(?<![bpvfmdtn])ě|^ů|ů[aeiou]|[aeiou]ů/ },
  {
    letters: 'áäčďéíĺľňóôŕšťúýž',
    rare: 'ĺŕ',
    never: new RegExp(`[ĺŕ](?![${CONSONANT}])|(?<![${CONSONANT}])[ĺŕ]`),
  },
  { letters: 'čćđšž' },
  { letters: 'äöüß', never: /^ß/ },
  {
    letters: 'àâçéèêëîïôùûüœæÿ',
    rare: 'æÿü',
    never: new RegExp(`[àù](?!$|['-])|(?<!o)ù|è(?![${CONSONANT}])|ê$|^[ùûÿ]`),
  },
  { letters: 'áéíñóúü', never: /ñ(?![aeiouáéíóúü])/ },
  { letters: 'ãõáâàçéêíóôú', rare: 'àâ', never: new RegExp(`õ(?!e)|ã[${CONSONANT}]|ç[${CONSONANT}]`) },
  { letters: 'àèéìòù', never: /[àèìòù](?!$|['-])/ },
  { letters: 'åäöæøé' },
  ESTONIAN,
]

export const CYRILLIC: Language = {
  letters: 'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґјљњћђџў',
  rare: 'фщъэёіїєґјљњћђџў',
  // Except for abbreviations, words have a vowel.
  never: /^[ьъ]|[аеиоуыэюя][ьъ]|^[^аеиоуыэюяёіїє]{2,}$/,
}
export const GREEK: Language = {
  letters: 'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ',
  rare: 'ϊϋΐΰψξ',
  never: /ς(?!$|[-'.])|σ$|[άέήίόύώ].*[άέήίόύώ]|^[^αεηιουωάέήίόύώϊϋΐΰ]{2,}$/,
}
/** Letters of other alphabets that are words on their own. */
const LONE_LETTERS = 'авикосуяієαηοωήό'
export const TURKISH: Language = { letters: 'çğıiöşüâî', never: /^ğ|ğ$|^ı/ }
export const HEBREW: Language = { letters: 'אבגדהוזחטיךכלםמןנסעףפץצקרשת', never: /[ךםןףץ](?!$|[-'.])/ }
export const BALTIC_LANGUAGES: readonly Language[] = [
  ESTONIAN,
  { letters: 'ąčęėįšųūž', never: /[ąęįų][aeiou]/ },
  { letters: 'āčēģīķļņšūž' },
]

/** Score of a word with characters that no text has. */
export const CONTROL = -20
const OTHER_SCRIPT = -3
export const MISPLACED = -2
const QUOTES = '„”“’‘–—…‚‹›«»•'
const RARE_SIGNS = 'ˇ˘˛˝˙¨¸´¯¤¦¬ƒˆ˜÷¶¹\u00ad'
const APOSTROPHES = '’‘'
/** Box-drawing characters, and combining marks, which letters are rarely written with. */
const DRAWN = /[\u2500-\u25ff]|\p{M}/u
const CURRENCIES = '€£¥¢'
const OTHER_ALPHABETS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}]/u
const NO_WORD = -0.5
const VOWEL = /[aeiouy]/
/** Signs that Unicode classifies as letters. */
const LETTER_SIGNS = 'ªºµ'
/** Units of measurement: no other reading of their bytes is as likely. */
const UNIT = /^[\d.,]*(?:[kcdm]?m[²³]|µ[gmslLAFHSVW]|°[CFK])$/
const TELLING = 2
const NO_TEXT = /[\u0080-\u009f\ufffd]|\p{Co}/u

/** Whether a word has characters that no text has: its bytes mean nothing in the encoding. */
export function hasNoText(word: string): boolean {
  return NO_TEXT.test(word)
}

/** How well the letters of a word fit a language: -3..1, 0 if it has only ASCII. */
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
  // In another alphabet every byte is a letter: a single one proves nothing.
  if (count === 1 && OTHER_ALPHABETS.test(small))
    return small.length > 1 || LONE_LETTERS.includes(small) ? 0 : NO_WORD
  return sum / count - (never?.test(small) ? 1.5 : 0)
}

/**
 * Whether letters and signs are where they can be: 0 for an ordinary word, less for each one out of place.
 * @param control the score of a character that no text has
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
  // Further wrong places in a word add nothing, however long it is.
  return Math.max(Math.min(score, 1), score < CONTROL / 2 ? CONTROL : 2 * OTHER_SCRIPT)
}

function scoreLetterPlace(letter: string, before: string, after: string): number {
  let score = 0
  if (/\d/.test(before + after)) score += MISPLACED
  const isLatin = /\p{Script=Latin}/u.test(letter)
  for (const neighbour of [before, after])
    if (/\p{L}/u.test(neighbour) && /\p{Script=Latin}/u.test(neighbour) !== isLatin) score += OTHER_SCRIPT
  if (/\p{Ll}\p{Lu}/u.test(before + letter)) score += MISPLACED
  if (/\p{Ll}\p{Lu}/u.test(letter + after)) score += MISPLACED
  if (!isLatin) return score
  // Two accented letters in a row are rare in any language, but common in another alphabet that is read as Latin.
  if (after >= '\u0080' && /\p{L}/u.test(after)) score -= 0.5
  // Consonants between consonants, and vowels beside vowels, are rarer than a mix.
  const [left, middle, right] = [before, letter, after].map(kindOf)
  if (middle === 'consonant') return left === 'consonant' && right === 'consonant' ? score - 1 : score
  // These two exist to separate vowels.
  if (left === 'vowel' && 'ëï'.includes(letter)) return score
  return left === 'vowel' || right === 'vowel' ? score - 0.4 : score
}

function kindOf(sign: string): 'vowel' | 'consonant' | null {
  if (!/\p{L}/u.test(sign)) return null
  const base = sign.toLowerCase().normalize('NFD')[0] as string
  return VOWEL.test(base) || 'æøœ'.includes(base) ? 'vowel' : 'consonant'
}

function isLetter(sign: string): boolean {
  return /\p{L}/u.test(sign) && !LETTER_SIGNS.includes(sign)
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
