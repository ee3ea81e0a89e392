import type { Language } from '../../base/text/language.ts'
import type { TextTable } from '../texts/texts.ts'

/** What a code of the quality report means: `too_few_cells`; rules of reference tables end in the table's name. */
export function explainFinding(
  texts: TextTable<Readonly<Record<string, string>>>,
  language: Language,
  code: string,
): string | undefined {
  const known = code.startsWith('reference_') ? 'reference' : code
  return Object.hasOwn(texts[language], known) ? texts[language][known] : undefined
}
