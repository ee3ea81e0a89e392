/** What a client prefers: weighted lists such as `gzip;q=0.5, *;q=0.1` (RFC 9110, 12.4.2). */

import { LANGUAGES, type Language } from '../base/text/language.ts'

/** The entries of a list in lower case, in order, with their weights: 1 where none is given, 0 for a malformed one. */
export function readWeights(header: string): { readonly name: string; readonly weight: number }[] {
  // Longer lists are cut: no real client sends one.
  return header
    .slice(0, 1000)
    .toLowerCase()
    .split(',')
    .map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { name, weight: weight === undefined ? 1 : Number(weight) || 0 }
    })
}

/**
 * The language a browser prefers (`Accept-Language`, RFC 9110 12.5.4): the one of ours with the higher weight, Romanian
 * without a preference, English when only other languages are listed.
 */
export function preferredLanguage(acceptLanguage: string | null): Language {
  if (acceptLanguage === null || acceptLanguage.trim() === '') return 'ro'
  const languageOf = (name: string) =>
    name === '*' ? 'ro' : LANGUAGES.find((known) => known === name.split('-', 1)[0])
  return heaviest(acceptLanguage, languageOf) ?? 'en'
}

/** The type that an `Accept` header (RFC 9110, 12.5.1) names in full with the highest weight; undefined for none. */
export function preferredType(accept: string | null, types: readonly string[]): string | undefined {
  return heaviest(accept ?? '', (name) => (types.includes(name) ? name : undefined))
}

/** The known entry with the highest weight; the first of several. */
function heaviest<T>(list: string, read: (name: string) => T | undefined): T | undefined {
  let best: T | undefined
  let bestWeight = 0
  for (const { name, weight } of readWeights(list)) {
    const found = weight > bestWeight ? read(name) : undefined
    if (found !== undefined) [best, bestWeight] = [found, weight]
  }
  return best
}
