/** The two languages in which the service writes to people. */

export const LANGUAGES = ['ro', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** How each writes numbers, days and lists. */
export const LOCALES: Readonly<Record<Language, string>> = { ro: 'ro-RO', en: 'en-GB' }
