/** The service's two languages for people, and tables of texts in both. */

export const LANGUAGES = ['ro', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** How each writes numbers, days and lists. */
export const LOCALES: Readonly<Record<Language, string>> = { ro: 'ro-RO', en: 'en-GB' }

/** A tuple with an element for each language, in the order of `LANGUAGES`. */
export type InEach<T> = Each<typeof LANGUAGES, T>
type Each<L extends readonly unknown[], T> = { readonly [At in keyof L]: T }

/** A text, or a function that makes one from values. */
type Text = string | ((...values: never[]) => string)

export type TextTable<T> = Readonly<Record<Language, T>>

type Texts<P> = {
  readonly [K in keyof P]: P[K] extends readonly string[] ? string : P[K][keyof P[K] & number]
}

/** Turns texts with both languages, Romanian first, into a table by language. */
export function textTable<P extends Readonly<Record<string, InEach<Text>>>>(texts: P): TextTable<Texts<P>> {
  return byLanguage(
    (_, at) => Object.fromEntries(Object.entries(texts).map(([key, each]) => [key, each[at]])) as Texts<P>,
  )
}

/** A table of what `make` returns for each language and its index in `LANGUAGES`. */
export function byLanguage<T>(make: (language: Language, at: number) => T): TextTable<T> {
  return Object.fromEntries(LANGUAGES.map((language, at) => [language, make(language, at)])) as Record<
    Language,
    T
  >
}

/** Romanian if the terminal's variables (POSIX), or else the system, name it; otherwise English. */
export function terminalLanguage(env: Readonly<Record<string, string | undefined>>): Language {
  const said = env.LC_ALL || env.LC_MESSAGES || env.LANG || Intl.DateTimeFormat().resolvedOptions().locale
  return /^ro\b|^ro_/i.test(said) ? 'ro' : 'en'
}
