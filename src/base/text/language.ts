/** The two languages in which the service writes to people. */

export const LANGUAGES = ['ro', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
