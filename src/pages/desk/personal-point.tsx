/** @jsxImportSource preact */

/** Columns that seem to hold data about people: published knowingly, or left out. */

import type { PersonalColumn } from '../../ingest/report/report.ts'
import { useTexts } from '../signed-in/page-language.ts'
import { POINT_TEXTS } from '../texts/desk-points.ts'
import { dropColumn } from './column-changes.ts'
import { tableReport } from './draft-facts.ts'
import { Point, type PointOptions } from './point.tsx'

/** @param isOpen whether it keeps the file from being published; else it is only to be checked */
export function PersonalPoint({ draft, desk, isOpen }: PointOptions & { isOpen: boolean }) {
  const texts = useTexts(POINT_TEXTS)
  const found = tableReport(draft)?.personal_data.filter(({ acknowledged }) => !acknowledged) ?? []
  if (found.length === 0) return null
  const allow = (columns: readonly PersonalColumn[]) => {
    const names = columns.map(({ column }) => column)
    void desk.decide({ personal_data: [...(draft.definition.personal_data ?? []), ...names] })
  }
  return (
    <Point title={texts.personal}>
      <p>{isOpen ? texts.personalText : texts.personalAdvice}</p>
      <ul class="checks">
        {found.map((one) => (
          <li key={one.column} class="row">
            <span>{texts.personalColumn(one.column, texts[`personal_${one.kind}`], one.rows)}</span>
            <button
              type="button"
              class="small"
              aria-label={texts.leaveOutOf(one.column)}
              onClick={() => void desk.decide(dropColumn(draft, one.column))}
            >
              {texts.leaveOut}
            </button>
            <button
              type="button"
              class="small"
              aria-label={texts.allowOf(one.column)}
              onClick={() => allow([one])}
            >
              {texts.allow}
            </button>
          </li>
        ))}
      </ul>
      {found.length > 1 && (
        <button type="button" class="small" onClick={() => allow(found)}>
          {texts.allowAll}
        </button>
      )}
    </Point>
  )
}
