/** What to check before publishing: none of it prevents publishing. */

import type { Language } from '../../../base/text/language.ts'
import type { IngestReport } from '../../../publish/edition/compose-report.ts'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { SmallButton } from '../../signed-in/section.tsx'
import { ADVICE_TEXTS } from '../../texts/desk-draft.ts'
import { formatShare } from '../../texts/texts.ts'
import { asSentence, sayWarning } from '../reasons.tsx'
import { tableReport } from './draft-facts.ts'
import { gatherSuspects } from './reading-options.tsx'
import type { DraftViewOptions } from './use-draft.ts'

const DOUBTFUL = 0.8

export function Advice(options: DraftViewOptions) {
  const { draft, desk } = options
  const language = useLanguage()
  const texts = useTexts(ADVICE_TEXTS)
  const report = tableReport(draft)
  if (report === undefined) return null
  const decided = draft.definition.read?.null_values ?? []
  const suspects = gatherSuspects(draft).filter(({ value }) => !decided.includes(value))
  const columns = new Set(suspects.flatMap((one) => one.columns)).size
  const { dialect, rows } = report
  const warnings = warningsOf(language, report)
  const isSheetFound = draft.sheets.length > 1 && draft.definition.read?.sheet === undefined
  // Whether rows that sum up others are published among them, and nobody has said that they should be.
  const isFound =
    report.decisions.some(({ kind }) => kind === 'totals') ||
    report.warning_codes.some(({ code }) => code === 'subtotals')
  const hasTotals = isFound && draft.definition.read?.totals === undefined
  const isSure = dialect.confidence >= DOUBTFUL && !isSheetFound && !hasTotals
  if (columns + rows.quarantined + warnings.length === 0 && isSure) return null
  return (
    <>
      <h3>{texts.title}</h3>
      <ul class="advice">
        {dialect.confidence < DOUBTFUL && (
          <SeeReading text={texts.doubt(formatShare(language, dialect.confidence))} link={texts.seeReading} />
        )}
        {isSheetFound && (
          <SeeReading
            text={texts.sheets(draft.sheets.length, dialect.sheet ?? '')}
            link={texts.chooseSheet}
          />
        )}
        {hasTotals && (
          <li>
            {texts.totals}{' '}
            <SmallButton onPress={() => desk.decide({ read: { totals: 'quarantine' } })}>
              {texts.leaveTotals}
            </SmallButton>
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
        {warnings.map(({ text, isEnglish, isHidden }) => (
          <li key={text} lang={isEnglish ? 'en' : undefined}>
            {text}
            {isHidden && <Hidden {...options} />}
          </li>
        ))}
      </ul>
    </>
  )
}

/** What is said of the file beside personal data, which have a point of their own. */
function warningsOf(language: Language, { warning_codes: codes, warnings }: IngestReport) {
  return codes.flatMap((warning, at) => {
    if (warning.code === 'personal_data') return []
    const text = sayWarning(language, warning)
    const isHidden = warning.code === 'hidden'
    return [{ text: text ?? asSentence(warnings[at] ?? ''), isEnglish: text === null, isHidden }]
  })
}

/** Opens the options of reading, which are closed at first, and leads there. */
function SeeReading({ text, link }: { text: string; link: string }) {
  const open = () => {
    const reading = document.getElementById('reading')
    reading?.setAttribute('open', '')
    reading?.querySelector('summary')?.focus()
  }
  return (
    <li>
      {text} <SmallButton onPress={open}>{link}</SmallButton>
    </li>
  )
}

function Hidden({ desk }: DraftViewOptions) {
  const texts = useTexts(ADVICE_TEXTS)
  const decide = (hidden: boolean) => desk.decide({ read: { hidden } })
  return (
    <>
      {' '}
      <SmallButton onPress={() => decide(false)}>{texts.leaveHidden}</SmallButton>{' '}
      <SmallButton onPress={() => decide(true)}>{texts.readHidden}</SmallButton>
    </>
  )
}
