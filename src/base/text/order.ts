/**
 * The order of folded texts, character by character: everything that is neither digit nor letter, then digits, then
 * letters; letters by base letter, then by accent (a, ă, â, b). As a plain order of characters it keeps all texts that
 * share a prefix next to each other, which two-level collations do not.
 *
 * Each character becomes a short run of bytes, none the start of another, so comparing bytes compares texts:
 *
 *     01..5c         ASCII, neither digit nor letter
 *     5d + cp        any other character that is neither
 *     60..69         0-9                          6a + cp   any other decimal digit
 *     70 72 .. a2    a-z                          71 73 .. a3 + accent   the same letters with an accent
 *     c0 + base + accent   letters of other alphabets
 *
 * where cp, base and accent are three bytes. No run starts with zero, so the end of a text comes before all else.
 */

const OTHER = 0x5d
const DIGIT = 0x60
const OTHER_DIGIT = 0x6a
const LATIN = 0x70
const LETTER = 0xc0

const BREVE = '\u0306'
/** Letters that Unicode does not decompose, although readers look for them under another letter. */
const BASES = new Map(Object.entries({ đ: 'd', ħ: 'h', ı: 'i', ł: 'l', ø: 'o', ŧ: 't' }))

function threeBytes(value: number): string {
  return String.fromCharCode((value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff)
}

function letterKey(letter: string): string {
  const decomposed = letter.normalize('NFD')
  const base = BASES.get(letter) ?? String.fromCodePoint(decomposed.codePointAt(0)!)
  const latin = base >= 'a' && base <= 'z' ? LATIN + 2 * (base.charCodeAt(0) - 0x61) : 0
  if (base === letter) return latin ? String.fromCharCode(latin) : keyOfAlphabet(base, 0)
  // Romanian puts ă before â; other accents follow by code point, and zero means none.
  const accent = decomposed.slice(1) === BREVE ? 1 : letter.codePointAt(0)!
  return latin ? String.fromCharCode(latin + 1) + threeBytes(accent) : keyOfAlphabet(base, accent)
}

function keyOfAlphabet(base: string, accent: number): string {
  return String.fromCharCode(LETTER) + threeBytes(base.codePointAt(0)!) + threeBytes(accent)
}

function makeCharacterKey(character: string): string {
  const code = character.codePointAt(0)!
  if (/^\p{L}/u.test(character)) return letterKey(character)
  if (code >= 0x30 && code <= 0x39) return String.fromCharCode(DIGIT + code - 0x30)
  if (/^\p{Nd}/u.test(character)) return String.fromCharCode(OTHER_DIGIT) + threeBytes(code)
  if (code >= 0x80) return String.fromCharCode(OTHER) + threeBytes(code)
  // ASCII is numbered without gaps, so the digits and letters below are subtracted.
  const below = Math.min(Math.max(code - 0x30, 0), 10) + Math.min(Math.max(code - 0x61, 0), 26)
  return String.fromCharCode(1 + code - below)
}

/** Cached keys of the Basic Multilingual Plane; texts repeat a few hundred characters. */
const knownKeys: (string | undefined)[] = []

/** The key bytes, as char codes 0-255, of one character of a folded text. */
export function characterKey(character: string): string {
  const code = character.codePointAt(0)!
  if (code > 0xffff) return makeCharacterKey(character)
  knownKeys[code] ??= makeCharacterKey(character)
  return knownKeys[code]
}

/**
 * A string of char codes 0-255 whose native comparison is the order of the folded texts. Distinct texts have distinct
 * keys, and a text starts with a prefix exactly when its key starts with the prefix's key.
 */
export function orderKey(folded: string): string {
  let key = ''
  for (const character of folded) key += characterKey(character)
  return key
}

/** Negative, zero or positive as folded text `a` comes before, is, or comes after `b`. */
export function compareText(a: string, b: string): number {
  const [left, right] = [orderKey(a), orderKey(b)]
  return left === right ? 0 : left < right ? -1 : 1
}
