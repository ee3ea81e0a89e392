/** @jsxImportSource preact */

/** What to check before publishing: nothing of it stands in the way. */

import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { ADVICE_TEXTS } from '../texts/desk-advice.ts'
import { formatShare } from '../texts/format.ts'
import { asSentence } from './decision-texts.ts'
import { tableReport } from './draft-facts.ts'
import type { DraftViewOptions } from './draft-view.ts'
import { gatherSuspects } from './null-values.tsx'
import { sayWarning } from './say-reasons.ts'

const DOUBTFUL = 0.8

export function Advice({ draft }: DraftViewOptions) {
  const language = useLanguage()
  const texts = useTexts(ADVICE_TEXTS)
  const report = tableReport(draft)
  if (report === undefined) return null
  const decided = draft.definition.read?.null_values ?? []
  const suspects = gatherSuspects(draft).filter(({ value }) => !decided.includes(value))
  const columns = new Set(suspects.flatMap((one) => one.columns)).size
  const { dialect, rows } = report
  // Personal data have a point of their own.
  const warnings = report.warning_codes.flatMap((warning, at) => {
    if (warning.code === 'personal_data') return []
    const text = sayWarning(language, warning)
    return [{ text: text ?? asSentence(report.warnings[at] ?? ''), isEnglish: text === null }]
  })
  const isEmpty = columns + rows.quarantined + warnings.length === 0 && dialect.confidence >= DOUBTFUL
  if (isEmpty) return null
  return (
    <>
      <h3>{texts.title}</h3>
      <ul class="advice">
        {dialect.confidence < DOUBTFUL && (
          <li>
            {texts.doubt(formatShare(language, dialect.confidence))} <a href="#reading">{texts.seeReading}</a>
          </li>
        )}
        {columns > 0 && (
          <li>
            {texts.nulls(columns)} <a href="#nulls-title">{texts.seeNulls}</a>
          </li>
        )}
        {rows.quarantined > 0 && (
          <li>
            {texts.quarantined(rows.quarantined)} <a href="#kept-rows">{texts.seeRows}</a>
          </li>
        )}
        {warnings.map(({ text, isEnglish }) => (
          <li key={text} lang={isEnglish ? 'en' : undefined}>
            {text}
          </li>
        ))}
      </ul>
    </>
  )
}
