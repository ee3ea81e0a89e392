/** @jsxImportSource preact */
/** Facts about a dataset: title, publisher, date, licence, links, source, and the versions with their changes. */

import { webAddress } from '../../interop/addresses.ts'
import { readLicence } from '../../interop/licences.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import type { View } from '../layout/view.ts'
import { domainName } from '../parts/domain-name.ts'
import { Day, Fact } from '../parts/fact.tsx'
import { TitledTable } from '../parts/table.tsx'
import { hasMap } from '../question/county-columns.ts'
import { columnTitle } from '../question/shown-column.ts'
import { DATASET_TEXTS, MAP_TEXTS } from '../texts/dataset.ts'
import { formatNumber } from '../texts/texts.ts'
import { sayLeftOut } from './explain-finding.ts'

export interface DatasetPart {
  readonly view: View
  readonly record: VersionRecord
}

export function DatasetHeader({ view, record }: DatasetPart) {
  const texts = DATASET_TEXTS[view.language]
  const { dataset, provenance } = record
  return (
    <header class="dataset-head">
      <nav class="crumbs" aria-label={texts.crumbs}>
        <a href={view.link('/')}>{texts.catalog}</a> ›{' '}
        <a href={view.link('/', [{ name: 'domain', value: dataset.domain }])}>
          {domainName(view, dataset.domain)}
        </a>
      </nav>
      <h1>{dataset.title}</h1>
      {dataset.description && <p class="lead">{dataset.description}</p>}
      <p class="soft">
        {dataset.publisher && <>{dataset.publisher} · </>}
        {texts.updated} <Day language={view.language} at={provenance.imported_at} /> ·{' '}
        {texts.sizeText(record.rows, record.columns.length)}
        {dataset.license !== null && (
          <>
            {' '}
            · {texts.licence}: <Licence name={dataset.license} />
          </>
        )}
      </p>
    </header>
  )
}

/** The name of a licence, linked to its text where that is known. */
export function Licence({ name }: { name: string }) {
  const known = readLicence(name)
  return known?.url ? <a href={known.url}>{name}</a> : <span>{name}</span>
}

export function SectionIndex({ view, record, hasRows }: DatasetPart & { hasRows: boolean }) {
  const texts = DATASET_TEXTS[view.language]
  const parts = [
    ['explore-heading', texts.data],
    ['columns', texts.columns],
    ['quality', texts.quality],
    ['provenance', texts.source],
    ['versions', texts.history],
    ['code-heading', texts.machine],
  ] as const
  return (
    <nav class="tabs flow" aria-label={texts.sections}>
      {parts
        .filter(([id]) => hasRows || (id !== 'explore-heading' && id !== 'code-heading'))
        .map(([id, name]) => (
          <a href={`#${id}`}>{name}</a>
        ))}
      {hasRows && hasMap(record) && (
        <a href={view.link(`/datasets/${record.dataset.id}/map`)}>{MAP_TEXTS[view.language].short}</a>
      )}
    </nav>
  )
}

export function ProvenanceSection({ view, record }: DatasetPart) {
  const texts = DATASET_TEXTS[view.language]
  const { provenance, quality } = record
  const { id, domain, keywords, source_url } = record.dataset
  // Only web addresses become links: a definition may contain any text.
  const safe = webAddress(source_url)
  return (
    <section aria-labelledby="provenance">
      <h2 id="provenance">{texts.provenance}</h2>
      <dl class="facts">
        {source_url !== null && (
          <Fact name={texts.source}>
            {safe === undefined ? (
              source_url
            ) : (
              <a href={safe} rel="noopener">
                {source_url}
              </a>
            )}
          </Fact>
        )}
        {keywords.length > 0 && (
          <Fact name={texts.keywords} class="row">
            {keywords.map((keyword) => (
              <a class="tag" href={view.link('/', [{ name: 'q', value: keyword }])}>
                {keyword}
              </a>
            ))}
          </Fact>
        )}
        <Fact name={texts.machine} class="row">
          <a href="#code-heading">API</a>
          <a href={`/openapi/${domain}/${id}.json`}>OpenAPI</a>
          <a href={`/datasets/${id}/datapackage.json`}>Data Package</a>
        </Fact>
        <Fact name={texts.file}>{provenance.source_file}</Fact>
        {quality.left_out.length > 0 && (
          <Fact name={texts.leftOut}>{sayLeftOut(view.language, quality.left_out)}</Fact>
        )}
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

/** What changed from one version to the next: columns by title; `rows` is negative when there are fewer. */
export function differencesOf(before: VersionRecord, after: VersionRecord) {
  const [old, now] = [before, after].map(
    ({ columns }) => new Map(columns.map(({ name, type }) => [name, type])),
  ) as [Map<string, string>, Map<string, string>]
  const titles = ({ columns }: VersionRecord, isMeant: (name: string) => boolean) =>
    columns.filter(({ name }) => isMeant(name)).map(({ name }) => columnTitle(columns, name))
  return {
    rows: after.rows - before.rows,
    added: titles(after, (name) => !old.has(name)),
    removed: titles(before, (name) => !now.has(name)),
    changed: titles(after, (name) => old.has(name) && old.get(name) !== now.get(name)),
    isSameFile: before.provenance.source_sha256 === after.provenance.source_sha256,
  }
}
