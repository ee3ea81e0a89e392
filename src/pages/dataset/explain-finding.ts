/** The codes of a quality report in a page's language; nothing for a code that has no words. */

import type { Language } from '../../mail/language.ts'
import { REASON_TEXTS, REPAIR_TEXTS, RULE_TEXTS } from '../texts/findings.ts'

/** Why rows were put aside: `too_few_cells`. */
export function explainReason(language: Language, reason: string): string | undefined {
  return wordsOf(REASON_TEXTS[language], reason)
}

/** What was mended in a cell: `decimal_comma`. */
export function explainRepair(language: Language, kind: string): string | undefined {
  return wordsOf(REPAIR_TEXTS[language], kind)
}

/** What was checked: `type_date`; rules of reference tables end in the table's name. */
export function explainRule(language: Language, rule: string): string | undefined {
  return wordsOf(RULE_TEXTS[language], rule.startsWith('reference_') ? 'reference' : rule)
}

function wordsOf(texts: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(texts, code) ? texts[code] : undefined
}
