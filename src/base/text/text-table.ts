/** Tables of texts in each language. */

import { LANGUAGES, type Language } from './language.ts'

/** One thing for each language, in the order of `LANGUAGES`. */
export type InEach<T> = Each<typeof LANGUAGES, T>
type Each<L extends readonly unknown[], T> = { readonly [At in keyof L]: T }

/** A text, or a function that makes one of values. */
type Text = string | ((...values: never[]) => string)

export type TextTable<T> = Readonly<Record<Language, T>>

type Texts<P> = {
  readonly [K in keyof P]: P[K] extends readonly string[] ? string : P[K][keyof P[K] & number]
}

/** Texts by language, of a text for each: Romanian first, then English. */
export function textTable<P extends Readonly<Record<string, InEach<Text>>>>(texts: P): TextTable<Texts<P>> {
  return byLanguage(
    (_, at) => Object.fromEntries(Object.entries(texts).map(([key, each]) => [key, each[at]])) as Texts<P>,
  )
}

/** What `make` makes for each language, by its place in `LANGUAGES`. */
export function byLanguage<T>(make: (language: Language, at: number) => T): TextTable<T> {
  return Object.fromEntries(LANGUAGES.map((language, at) => [language, make(language, at)])) as Record<
    Language,
    T
  >
}
