import type { Language } from '../../base/text/language.ts'
import type { Unproven } from '../../read/report/decisions.ts'
import { MENDED_TEXTS, REASON_TEXTS, REPAIR_TEXTS, RULE_TEXTS, UNPROVEN_TEXTS } from '../texts/dataset.ts'

/** Why rows were quarantined: `too_few_cells`. */
export function explainReason(language: Language, reason: string): string | undefined {
  return wordsOf(REASON_TEXTS[language], reason)
}

/** What was done to a record of another width: `surplus_blanks`. */
export function explainMended(language: Language, kind: string): string | undefined {
  return wordsOf(MENDED_TEXTS[language], kind)
}

/** What was repaired in a cell: `decimal_comma`. */
export function explainRepair(language: Language, kind: string): string | undefined {
  return wordsOf(REPAIR_TEXTS[language], kind)
}

/** What was read in one of two ways: `date_order`. */
export function explainUnproven(language: Language, { kind, read_as: readAs }: Unproven): string {
  return UNPROVEN_TEXTS[language][kind](readAs)
}

/** What was checked: `type_date`; rules of reference tables end in the table's name. */
export function explainRule(language: Language, rule: string): string | undefined {
  return wordsOf(RULE_TEXTS[language], rule.startsWith('reference_') ? 'reference' : rule)
}

function wordsOf(texts: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(texts, code) ? texts[code] : undefined
}
