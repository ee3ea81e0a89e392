/** @jsxImportSource preact */

/** The top of a dataset's page: title, publisher, date, licence, source. */

import { webAddress } from '../../interop/addresses.ts'
import { readLicence } from '../../interop/licences.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import type { View } from '../layout/view.ts'
import { Day } from '../parts/day.tsx'
import { domainName } from '../parts/domain-name.ts'
import { Fact } from '../parts/fact.tsx'
import { DATASET_TEXTS } from '../texts/dataset.ts'

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
      <dl class="facts">
        {dataset.publisher && <Fact name={texts.publisher}>{dataset.publisher}</Fact>}
        <Fact name={texts.updated}>
          <Day language={view.language} at={provenance.imported_at} />
        </Fact>
        <Fact name={texts.size}>{texts.sizeText(record.rows, record.columns.length)}</Fact>
        <Licence view={view} license={dataset.license} />
        <Source view={view} address={dataset.source_url} />
        {dataset.keywords.length > 0 && (
          <Fact name={texts.keywords} class="row">
            {dataset.keywords.map((keyword) => (
              <a class="tag" href={view.link('/', [{ name: 'q', value: keyword }])}>
                {keyword}
              </a>
            ))}
          </Fact>
        )}
        <Machine view={view} record={record} />
      </dl>
    </header>
  )
}

function Licence({ view, license }: { view: View; license: string | null }) {
  if (license === null) return null
  const known = readLicence(license)
  return (
    <Fact name={DATASET_TEXTS[view.language].licence}>
      {known?.url ? <a href={known.url}>{license}</a> : license}
    </Fact>
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
