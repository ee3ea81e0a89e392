/** Names for columns and datasets from the headers and titles of publishers. */

import { transliterate } from './transliterate.ts'

/** Longest name of a column, dataset or domain (contract 3). */
export const LONGEST_NAME = 64

/** Letters that Unicode does not decompose into a base letter and an accent. */
const BASE_LETTERS: Record<string, string> = {
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** Latin text in lower case without diacritics: `Județ` -> `judet`. Other scripts stay as they are. */
export function stripDiacritics(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[łđøßæœðþı]/g, (letter) => BASE_LETTERS[letter] ?? letter)
}

/** Headers are compared without case, white space and diacritics. */
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
 * A long name that keeps its first and its last words: two names that are alike up to the 64th character are told apart
 * by how they end.
 * @param tailRoom characters that the last words may have, below 64
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
