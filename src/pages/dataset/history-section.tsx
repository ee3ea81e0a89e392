/** @jsxImportSource preact */

/** Where a dataset comes from, and its kept versions with what changed between them. */

import type { VersionRecord } from '../../catalog/record.ts'
import { formatDay } from '../parts/format.ts'
import { DATASET_TEXTS } from '../texts/dataset.ts'
import type { View } from '../view.ts'
import { differencesOf } from './version-differences.ts'

export function ProvenanceSection({ view, record }: { view: View; record: VersionRecord }) {
  const texts = DATASET_TEXTS[view.language]
  const { provenance } = record
  return (
    <section aria-labelledby="provenance">
      <h2 id="provenance">{texts.provenance}</h2>
      <dl class="facts">
        <dt>{texts.file}</dt>
        <dd>{provenance.source_file}</dd>
        {provenance.source_package_id && (
          <>
            <dt>{texts.package}</dt>
            <dd>{provenance.source_package_id}</dd>
          </>
        )}
        <dt>{texts.importedAt}</dt>
        <dd>
          <time dateTime={provenance.imported_at}>{formatDay(view.language, provenance.imported_at)}</time>
        </dd>
        <dt>{texts.version}</dt>
        <dd>{provenance.ingestion_version}</dd>
        <dt>{texts.digest}</dt>
        <dd>
          <code class="digest">{provenance.source_sha256}</code>
        </dd>
      </dl>
    </section>
  )
}

/** @param records newest first */
export function HistorySection({
  view,
  records,
  served,
}: {
  view: View
  records: readonly VersionRecord[]
  served: number
}) {
  const texts = DATASET_TEXTS[view.language]
  return (
    <section aria-labelledby="versions">
      <h2 id="versions">{texts.history}</h2>
      <ol class="versions" reversed>
        {records.map((record, index) => (
          <li>
            <strong>{texts.versionTitle(record.version)}</strong>{' '}
            {record.version === served && <span class="tag good">{texts.served}</span>}
            <div class="small soft">
              <time dateTime={record.provenance.imported_at}>
                {formatDay(view.language, record.provenance.imported_at)}
              </time>
              {' · '}
              {texts.sizeText(record.rows, record.columns.length)}
              {' · '}
              {describeChange(view, records[index + 1], record)}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function describeChange({ language }: View, before: VersionRecord | undefined, after: VersionRecord): string {
  const texts = DATASET_TEXTS[language]
  if (before === undefined) return texts.firstKept
  const { rows, added, removed, changed, isSameFile } = differencesOf(before, after)
  if (isSameFile) return texts.sameFile
  const parts = [rows === 0 ? texts.sameRows : rows > 0 ? texts.moreRows(rows) : texts.fewerRows(-rows)]
  if (added.length > 0) parts.push(texts.addedColumns(added.join(', ')))
  if (removed.length > 0) parts.push(texts.removedColumns(removed.join(', ')))
  if (changed.length > 0) parts.push(texts.changedColumns(changed.join(', ')))
  return parts.join('; ')
}
