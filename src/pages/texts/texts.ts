/** Tables of texts: both languages beside each other, the same keys in each. */

import type { Language } from '../../mail/language.ts'

/** A text, or one that is made of values. */
type Text = string | ((...values: never[]) => string)

export type TextTable<T> = Readonly<Record<Language, T>>

/** A page's texts. The compiler asks for every key in both languages; a test asks that none is empty. */
export function textTable<T extends Readonly<Record<string, Text>>>(
  ro: T,
  en: { readonly [K in keyof T]: T[K] extends string ? string : T[K] },
): TextTable<T> {
  return { ro, en: en as T }
}
