/** @jsxImportSource preact */

/** The top of a dataset's page: what it is, whose, how fresh, under which terms. */

import type { VersionRecord } from '../../catalog/record.ts'
import { webAddress } from '../../interop/addresses.ts'
import { readLicence } from '../../interop/licences.ts'
import { domainName } from '../parts/domain-name.ts'
import { formatDay } from '../parts/format.ts'
import { DATASET_TEXTS } from '../texts/dataset.ts'
import type { View } from '../view.ts'

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
        {dataset.publisher && (
          <>
            <dt>{texts.publisher}</dt>
            <dd>{dataset.publisher}</dd>
          </>
        )}
        <dt>{texts.updated}</dt>
        <dd>
          <time dateTime={provenance.imported_at}>{formatDay(view.language, provenance.imported_at)}</time>
        </dd>
        <dt>{texts.size}</dt>
        <dd>{texts.sizeText(record.rows, record.columns.length)}</dd>
        <Licence view={view} license={dataset.license} />
        <Source view={view} address={dataset.source_url} />
        {dataset.keywords.length > 0 && (
          <>
            <dt>{texts.keywords}</dt>
            <dd class="row">
              {dataset.keywords.map((keyword) => (
                <a class="tag" href={view.link('/', [{ name: 'q', value: keyword }])}>
                  {keyword}
                </a>
              ))}
            </dd>
          </>
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
    <>
      <dt>{DATASET_TEXTS[view.language].licence}</dt>
      <dd>{known?.url ? <a href={known.url}>{license}</a> : license}</dd>
    </>
  )
}

/** Only addresses of the web become links: a definition may hold anything. */
function Source({ view, address }: { view: View; address: string | null }) {
  if (address === null) return null
  const safe = webAddress(address)
  return (
    <>
      <dt>{DATASET_TEXTS[view.language].source}</dt>
      <dd>
        {safe === undefined ? (
          address
        ) : (
          <a href={safe} rel="noopener">
            {address}
          </a>
        )}
      </dd>
    </>
  )
}

function Machine({ view, record }: { view: View; record: VersionRecord }) {
  const { id, domain } = record.dataset
  return (
    <>
      <dt>{DATASET_TEXTS[view.language].machine}</dt>
      <dd class="row">
        <a href="#code-heading">API</a>
        <a href={`/openapi/${domain}/${id}.json`}>OpenAPI</a>
        <a href={`/datasets/${id}/datapackage.json`}>Data Package</a>
      </dd>
    </>
  )
}
