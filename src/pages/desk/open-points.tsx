/** @jsxImportSource preact */

/** What stands in the way of publishing, in words, each with the control that answers it; then what to check. */

import { useTexts } from '../signed-in/page-language.ts'
import { POINT_TEXTS } from '../texts/desk-points.ts'
import { Advice } from './advice.tsx'
import { DomainPoint, DuplicatesPoint, OutdatedPoint } from './dataset-points.tsx'
import { openPoints, tableReport } from './draft-facts.ts'
import { DriftPoint } from './drift-point.tsx'
import { EditionChoice } from './edition-choice.tsx'
import { PersonalPoint } from './personal-point.tsx'
import { Accept, Point, type PointOptions } from './point.tsx'
import { UnreadPoint } from './unread-point.tsx'

export function OpenPoints(options: PointOptions) {
  const { draft, answers } = options
  const texts = useTexts(POINT_TEXTS)
  const report = tableReport(draft)
  // Those that are answered stay, so that an answer can be taken back.
  const all = openPoints(draft, {})
  const isOpen = openPoints(draft, answers).length > 0 || report === undefined
  return (
    <section class="card points" aria-labelledby="points-title">
      <h2 id="points-title" tabIndex={-1}>
        {isOpen ? texts.title : texts.none}
      </h2>
      <EditionChoice {...options} />
      {report === undefined && <UnreadPoint {...options} />}
      {all.includes('outdated') && <OutdatedPoint {...options} />}
      {all.includes('domain') && <DomainPoint {...options} />}
      {(all.includes('drift') || all.includes('append_drift')) && <DriftPoint {...options} />}
      {all.includes('empty') && (
        <Point title={texts.empty}>
          <Accept {...options} answer="accept_drift" label={texts.acceptEmpty} />
        </Point>
      )}
      {all.includes('too_few_rows') && (
        <Point title={texts.fewRows}>
          <p>{texts.fewRowsText}</p>
          <Accept {...options} answer="accept_shrink" label={texts.acceptShrink} />
        </Point>
      )}
      {all.includes('quarantine') && (
        <Point title={texts.quarantine(report?.rows.quarantined ?? 0, report?.rows.read ?? 0)}>
          <p>
            {texts.quarantineText} <a href="#kept-rows">{texts.seeRows}</a>
          </p>
          <Accept {...options} answer="max_quarantine" label={texts.acceptQuarantine} />
        </Point>
      )}
      {all.includes('too_many_mended') && (
        <Point title={texts.mended}>
          <p>
            {texts.mendedText} <a href="#kept-rows">{texts.seeRows}</a>
          </p>
          <Accept {...options} answer="max_mended" label={texts.acceptMended} />
        </Point>
      )}
      {all.includes('duplicate_key') && <DuplicatesPoint {...options} />}
      <PersonalPoint {...options} />
      <Advice {...options} />
    </section>
  )
}
