/** Tables of texts: each key stands once, with its text in both languages. */

import type { Language } from '../../base/text/language.ts'

/** A text, or a function that makes one of values. */
type Text = string | ((...values: never[]) => string)

type Pairs = Readonly<Record<string, readonly [ro: Text, en: Text]>>

export type TextTable<T> = Readonly<Record<Language, T>>

type Texts<P extends Pairs> = {
  readonly [K in keyof P]: P[K] extends readonly [string, string] ? string : P[K][number]
}

/** A page's texts by language, of pairs: Romanian first, then English. */
export function textTable<P extends Pairs>(pairs: P): TextTable<Texts<P>> {
  const pick = (at: 0 | 1) =>
    Object.fromEntries(Object.entries(pairs).map(([key, pair]) => [key, pair[at]])) as Texts<P>
  return { ro: pick(0), en: pick(1) }
}
