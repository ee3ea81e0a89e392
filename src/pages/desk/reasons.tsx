/** @jsxImportSource preact */
import type { Reason } from '../../base/errors.ts'
import type { Language } from '../../base/text/language.ts'
import type { IngestReport } from '../../publish/edition/compose-report.ts'
import type { LastFailure } from '../../publish/published/published.ts'
import { REFUSALS } from '../../read/report/reasons.ts'
import { sayOnDesk } from '../../read/report/texts/row.ts'
import { WARNINGS } from '../../read/report/texts/warnings.ts'
import type { DraftProblem } from '../../store/catalog/drafts.ts'
import { OriginalMessage } from '../parts/code-box.tsx'
import { sayRefusal } from '../parts/say-refusal.ts'
import { Moment } from '../signed-in/moments.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { DESK_TEXTS } from '../texts/desk.ts'
import { DECISION_TEXTS } from '../texts/desk-draft.ts'

export function sayWarning(language: Language, warning: Reason): string | null {
  return sayOnDesk(WARNINGS, language, warning) ?? null
}

/** The sentences of all reasons, in order; empty if one of them is unknown. */
export function sayReasons(language: Language, reasons: readonly Reason[] = []): string[] {
  const said = reasons.map((reason) => sayOnDesk(REFUSALS, language, reason))
  return said.every((text) => text !== undefined) ? said : []
}

/** `original` is the report's English sentence, which names the values; null where `text` is that sentence. */
export function decisionTexts(language: Language, report: IngestReport | undefined) {
  const texts: Readonly<Record<string, string>> = DECISION_TEXTS[language]
  return (report?.decisions ?? []).map(({ kind, reason }) => {
    const original = asSentence(reason)
    if (!Object.hasOwn(texts, kind)) return { text: original, original: null }
    return { text: texts[kind] as string, original }
  })
}

export function asSentence(text: string): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?:]$/.test(sentence) ? sentence : `${sentence}.`
}

export function ReasonTexts({ problem }: { problem: DraftProblem }) {
  const language = useLanguage()
  const reasons = sayReasons(language, problem.reasons)
  if (reasons.length > 0) return <Paragraphs texts={reasons} />
  const said = sayRefusal(language, problem)
  return (
    <>
      <p>{said.text}</p>
      <OriginalMessage language={language} said={said} />
    </>
  )
}

export function Paragraphs({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => <p key={text}>{text}</p>)
}

/** Why the last file was refused or could not be fetched; in the service's own words if there is no code for it. */
export function FailureNote({ failure, isOpen = false }: { failure: LastFailure; isOpen?: boolean }) {
  const { kind, at, reason, reasons } = failure
  const texts = useTexts(DESK_TEXTS)
  const said = sayReasons(useLanguage(), reasons)
  return (
    <details class="small failure" open={isOpen}>
      <summary>
        {kind === 'refresh' ? texts.refreshFailed : texts.ingestRefused} <Moment at={at} />
      </summary>
      {said.length === 0 && <p lang="en">{reason}</p>}
      <Paragraphs texts={said} />
    </details>
  )
}
