/** @jsxImportSource preact */

/** The source of a dataset, and its versions with the changes between them. */

import type { VersionRecord } from '../../store/catalog/record.ts'
import type { View } from '../layout/view.ts'
import { Day, Fact } from '../parts/fact.tsx'
import { TitledTable } from '../parts/table.tsx'
import { DATASET_TEXTS } from '../texts/dataset.ts'
import { formatNumber } from '../texts/texts.ts'
import { SourceFacts } from './dataset-header.tsx'

export function ProvenanceSection({ view, record }: { view: View; record: VersionRecord }) {
  const texts = DATASET_TEXTS[view.language]
  const { provenance } = record
  return (
    <section aria-labelledby="provenance">
      <h2 id="provenance">{texts.provenance}</h2>
      <dl class="facts">
        <SourceFacts view={view} record={record} />
        <Fact name={texts.file}>{provenance.source_file}</Fact>
        {provenance.source_package_id && <Fact name={texts.package}>{provenance.source_package_id}</Fact>}
        <Fact name={texts.importedAt}>
          <Day language={view.language} at={provenance.imported_at} />
        </Fact>
        <Fact name={texts.version}>{provenance.ingestion_version}</Fact>
        <Fact name={texts.digest}>
          <code class="digest">{provenance.source_sha256}</code>
        </Fact>
      </dl>
      <TitledTable
        label={texts.sources}
        head={[texts.file, [texts.rows], texts.importedAt]}
        rows={(provenance.sources.length > 1 ? provenance.sources : []).map((source) => [
          source.file,
          formatNumber(view.language, source.rows),
          <Day key={2} language={view.language} at={source.imported_at} />,
        ])}
      />
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
      <ol class="versions bare" reversed>
        {records.map((record, index) => (
          <li>
            <strong>{texts.versionTitle(record.version)}</strong>{' '}
            {record.version === served && <span class="tag good">{texts.served}</span>}
            <div class="small soft">
              <Day language={view.language} at={record.provenance.imported_at} />
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

/** What changed from one version of a dataset to the next. */
interface Differences {
  /** Rows more, or fewer when negative. */
  readonly rows: number
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  readonly isSameFile: boolean
}

export function differencesOf(before: VersionRecord, after: VersionRecord): Differences {
  const types = (record: VersionRecord) => new Map(record.columns.map(({ name, type }) => [name, type]))
  const [old, now] = [types(before), types(after)]
  const kept = [...now.keys()].filter((name) => old.has(name))
  return {
    rows: after.rows - before.rows,
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: kept.filter((name) => old.get(name) !== now.get(name)),
    isSameFile: before.provenance.source_sha256 === after.provenance.source_sha256,
  }
}
