/** The two languages in which the service writes to people. */

export const LANGUAGES = ['ro', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** How each writes numbers, days and lists. */
export const LOCALES: Readonly<Record<Language, string>> = { ro: 'ro-RO', en: 'en-GB' }

/** The language of a person's terminal, as its variables say (POSIX): Romanian, or English for all others. */
export function terminalLanguage(env: Readonly<Record<string, string | undefined>>): Language {
  const said = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return /^ro\b|^ro_/i.test(said) ? 'ro' : 'en'
}
