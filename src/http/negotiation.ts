/** What a client prefers: weighted lists such as `gzip;q=0.5, *;q=0.1` (RFC 9110, 12.4.2). */

import { LANGUAGES, type Language } from '../base/text/language.ts'

/** Longer lists are cut: no real client sends one. */
const LONGEST_LIST = 1000

/** The entries of a list in lower case, in order, with their weights: 1 where none is given, 0 for a malformed one. */
export function readWeights(header: string): { readonly name: string; readonly weight: number }[] {
  return header
    .slice(0, LONGEST_LIST)
    .toLowerCase()
    .split(',')
    .map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { name, weight: weight === undefined ? 1 : Number(weight) || 0 }
    })
}

/**
 * The language a browser asks for (`Accept-Language`, RFC 9110 12.5.4): the better weighted of the two, Romanian when
 * nothing is asked for, English when only others are.
 */
export function preferredLanguage(acceptLanguage: string | null): Language {
  if (acceptLanguage === null || acceptLanguage.trim() === '') return 'ro'
  let best: Language = 'en'
  let bestWeight = 0
  for (const { name, weight } of readWeights(acceptLanguage)) {
    const language = name === '*' ? 'ro' : LANGUAGES.find((known) => known === name.split('-', 1)[0])
    if (language !== undefined && weight > bestWeight) [best, bestWeight] = [language, weight]
  }
  return best
}

/** The type that an `Accept` header (RFC 9110, 12.5.1) weighs most, of those it names in full; undefined where it names none. */
export function preferredType(accept: string | null, types: readonly string[]): string | undefined {
  if (accept === null || accept === '') return undefined
  let best: string | undefined
  let bestWeight = 0
  for (const { name, weight } of readWeights(accept)) {
    if (weight > bestWeight && types.includes(name)) [best, bestWeight] = [name, weight]
  }
  return best
}
