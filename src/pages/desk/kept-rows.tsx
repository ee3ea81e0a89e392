/** @jsxImportSource preact */

/** Rows of the file that are not published, and those that were mended. */

import { useTexts } from '../signed-in/page-language.ts'
import { KEPT_TEXTS } from '../texts/desk-kept.ts'
import { isBeingRead, tableReport } from './draft-facts.ts'
import type { DraftViewOptions } from './draft-view.ts'
import { DESK_API } from './places.ts'
import { RowList } from './row-list.tsx'

export function KeptRows({ draft }: DraftViewOptions) {
  const texts = useTexts(KEPT_TEXTS)
  const report = tableReport(draft)
  if (report === undefined || isBeingRead(draft)) return null
  const mended = report.repaired_sample.length > 0
  if (report.rows.quarantined === 0 && !mended) return null
  const path = `${DESK_API}/drafts/${draft.id}`
  const edition = String(draft.read?.revision)
  return (
    <section id="kept-rows" aria-labelledby="kept-title" tabIndex={-1}>
      <h2 id="kept-title">{texts.title}</h2>
      {report.rows.quarantined > 0 && <RowList kind="quarantine" path={path} edition={edition} />}
      {mended && <RowList kind="repaired" path={path} edition={edition} />}
    </section>
  )
}
