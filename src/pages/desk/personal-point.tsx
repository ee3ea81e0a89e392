/** @jsxImportSource preact */

/** Columns that seem to hold data about people: published knowingly, or left out. */

import type { PersonalColumn } from '../../read/report/decisions.ts'
import { useTexts } from '../signed-in/page-language.ts'
import { POINT_TEXTS } from '../texts/desk-points.ts'
import { dropColumn } from './column-changes.ts'
import { tableReport } from './draft-facts.ts'
import { Point, type PointOptions } from './point.tsx'

/** Those that keep the file from being published come first; the others are only to be checked. */
export function PersonalPoint(options: PointOptions) {
  const texts = useTexts(POINT_TEXTS)
  const report = tableReport(options.draft)
  const refused = report?.refusals.flatMap(({ columns = [] }) => columns) ?? []
  const found = report?.personal_data.filter(({ acknowledged }) => !acknowledged) ?? []
  const isRefused = ({ column }: PersonalColumn) => refused.includes(column)
  if (found.length === 0) return null
  return (
    <Point title={texts.personal}>
      <Columns {...options} text={texts.personalText} found={found.filter(isRefused)} />
      <Columns {...options} text={texts.personalAdvice} found={found.filter((one) => !isRefused(one))} />
    </Point>
  )
}

type ColumnsOptions = PointOptions & { readonly text: string; readonly found: readonly PersonalColumn[] }

function Columns({ draft, desk, text, found }: ColumnsOptions) {
  const texts = useTexts(POINT_TEXTS)
  const allow = (columns: readonly PersonalColumn[]) => {
    const names = columns.map(({ column }) => column)
    void desk.decide({ personal_data: [...(draft.definition.personal_data ?? []), ...names] })
  }
  if (found.length === 0) return null
  return (
    <>
      <p>{text}</p>
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
    </>
  )
}
