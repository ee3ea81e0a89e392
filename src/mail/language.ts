/** The two languages in which the service writes to people. */

export const LANGUAGES = ['ro', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * The language a browser asks for (`Accept-Language`, RFC 9110 12.5.4): the better weighted of the two, Romanian when
 * nothing is asked for, English when only others are.
 */
export function preferredLanguage(acceptLanguage: string | null): Language {
  if (acceptLanguage === null || acceptLanguage.trim() === '') return 'ro'
  let best: Language = 'en'
  let bestWeight = 0
  for (const range of acceptLanguage.slice(0, 1000).split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const language =
      tag === '*' ? 'ro' : LANGUAGES.find((known) => tag === known || tag.startsWith(`${known}-`))
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    if (language !== undefined && weight > bestWeight) [best, bestWeight] = [language, weight]
  }
  return best
}
