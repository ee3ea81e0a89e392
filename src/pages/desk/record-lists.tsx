/** @jsxImportSource preact */

/** Rows of the served version that are not published, and those that were mended. */

import { useTexts } from '../signed-in/page-language.ts'
import { KEPT_TEXTS } from '../texts/desk-kept.ts'
import type { DatasetViewOptions } from './dataset-view.ts'
import { RowList } from './row-list.tsx'

export function RecordLists({ dataset, path }: DatasetViewOptions) {
  const texts = useTexts(KEPT_TEXTS)
  const { rows_quarantined: quarantined, ingestion_version } = dataset.provenance
  const edition = String(ingestion_version)
  return (
    <section aria-labelledby="kept-title">
      <h2 id="kept-title">{texts.title}</h2>
      {quarantined > 0 && <RowList kind="quarantine" path={path} edition={edition} />}
      <RowList kind="repaired" path={path} edition={edition} />
    </section>
  )
}
