/** @jsxImportSource preact */

/** The top of a dataset's page: title, publisher, date, licence, and links to its parts. */

import { webAddress } from '../../interop/addresses.ts'
import { readLicence } from '../../interop/licences.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import { findCoordinates } from '../explorer/coordinates.ts'
import type { View } from '../layout/view.ts'
import { domainName } from '../parts/domain-name.ts'
import { Day, Fact } from '../parts/fact.tsx'
import { DATASET_TEXTS, MAP_TEXTS } from '../texts/dataset.ts'

export function DatasetHeader({ view, record }: { view: View; record: VersionRecord }) {
  const texts = DATASET_TEXTS[view.language]
  const { dataset, provenance } = record
  return (
    <header class="dataset-head">
      <nav class="crumbs" aria-label={texts.crumbs}>
        <a href={view.link('/')}>{texts.catalog}</a> ›{' '}
        <a href={view.link('/', [{ name: 'domain', value: dataset.domain }])}>
          {domainName(view.language, dataset.domain)}
        </a>
      </nav>
      <h1>{dataset.title}</h1>
      {dataset.description && <p class="lead">{dataset.description}</p>}
      <p class="summary">
        {dataset.publisher && <>{dataset.publisher} · </>}
        {texts.updated} <Day language={view.language} at={provenance.imported_at} /> ·{' '}
        {texts.sizeText(record.rows, record.columns.length)}
        {dataset.license !== null && (
          <>
            {' '}
            · {texts.licence}: <Licence license={dataset.license} />
          </>
        )}
      </p>
    </header>
  )
}

function Licence({ license }: { license: string }) {
  const known = readLicence(license)
  return known?.url ? <a href={known.url}>{license}</a> : <span>{license}</span>
}

/** Links to the parts of the page. */
export function SectionIndex({
  view,
  record,
  hasRows,
}: {
  view: View
  record: VersionRecord
  hasRows: boolean
}) {
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
    <nav class="sections flow" aria-label={texts.sections}>
      {parts
        .filter(([id]) => hasRows || (id !== 'explore-heading' && id !== 'code-heading'))
        .map(([id, name]) => (
          <a href={`#${id}`}>{name}</a>
        ))}
      {hasRows && findCoordinates(record.columns) && (
        <a href={view.link(`/datasets/${record.dataset.id}/map`)}>{MAP_TEXTS[view.language].short}</a>
      )}
    </nav>
  )
}

/** What is known of a dataset beside its rows: source, keywords and addresses for programs. */
export function SourceFacts({ view, record }: { view: View; record: VersionRecord }) {
  const texts = DATASET_TEXTS[view.language]
  const { keywords, source_url } = record.dataset
  return (
    <>
      <Source view={view} address={source_url} />
      {keywords.length > 0 && (
        <Fact name={texts.keywords} class="row">
          {keywords.map((keyword) => (
            <a class="tag" href={view.link('/', [{ name: 'q', value: keyword }])}>
              {keyword}
            </a>
          ))}
        </Fact>
      )}
      <Machine view={view} record={record} />
    </>
  )
}

/** Only web addresses become links: a definition may contain any text. */
function Source({ view, address }: { view: View; address: string | null }) {
  if (address === null) return null
  const safe = webAddress(address)
  return (
    <Fact name={DATASET_TEXTS[view.language].source}>
      {safe === undefined ? (
        address
      ) : (
        <a href={safe} rel="noopener">
          {address}
        </a>
      )}
    </Fact>
  )
}

function Machine({ view, record }: { view: View; record: VersionRecord }) {
  const { id, domain } = record.dataset
  return (
    <Fact name={DATASET_TEXTS[view.language].machine} class="row">
      <a href="#code-heading">API</a>
      <a href={`/openapi/${domain}/${id}.json`}>OpenAPI</a>
      <a href={`/datasets/${id}/datapackage.json`}>Data Package</a>
    </Fact>
  )
}
