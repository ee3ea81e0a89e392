import type { Language } from '../../base/text/language.ts'
import { LEFT_OUT_TEXTS } from '../texts/dataset.ts'
import type { TextTable } from '../texts/texts.ts'

/** What a code of the quality report (`too_few_cells`) means; rules of reference tables end in the table's name. */
export function explainFinding(
  texts: TextTable<Readonly<Record<string, string>>>,
  language: Language,
  code: string,
): string | undefined {
  const known = code.startsWith('reference_') ? 'reference' : code
  return Object.hasOwn(texts[language], known) ? texts[language][known] : undefined
}

/** What was left out, in words: `2 lines of titles, 5 lines of notes and signatures`. */
export function sayLeftOut(
  language: Language,
  leftOut: readonly { readonly kind: string; readonly count: number }[],
): string {
  const texts: Readonly<Record<string, (count: number) => string>> = LEFT_OUT_TEXTS[language]
  return leftOut.map(({ kind, count }) => texts[kind]?.(count) ?? `${count} × ${kind}`).join(', ')
}
