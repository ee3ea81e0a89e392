/** What was decided about a file in sentences for people. */

import type { Language } from '../../base/text/language.ts'
import type { IngestReport } from '../../publish/edition/report.ts'
import { DECISION_TEXTS } from '../texts/desk-draft.ts'

export interface SaidDecision {
  readonly text: string
  /** The report's own sentence, which names the values, in English; null where `text` is that. */
  readonly original: string | null
}

export function decisionTexts(language: Language, report: IngestReport | undefined): SaidDecision[] {
  const texts: Readonly<Record<string, string>> = DECISION_TEXTS[language]
  return (report?.decisions ?? []).map(({ kind, reason }) => {
    const original = asSentence(reason)
    if (!Object.hasOwn(texts, kind)) return { text: original, original: null }
    return { text: texts[kind] as string, original }
  })
}

/** With a capital and a full stop. */
export function asSentence(text: string): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?:]$/.test(sentence) ? sentence : `${sentence}.`
}
