/** @jsxImportSource preact */

/** `/datasets/{id}`: everything about one dataset, for people. */

import type { ServedDataset, VersionRecord } from '../../catalog/record.ts'
import type { Exchange } from '../../http/exchange.ts'
import { datasetAddresses, placeOf, safeBase } from '../../interop/addresses.ts'
import { schemaOrgDataset } from '../../interop/schema-org.ts'
import { pageAddress } from '../explorer/addresses.ts'
import { type Answer, Explorer, type ExplorerProps } from '../explorer/explorer.tsx'
import { type Question, readForm, readQuestion } from '../explorer/question.ts'
import { MOST_COLUMNS } from '../explorer/shorten.ts'
import { JsonBlock, type Page } from '../layout.tsx'
import { respondPage, respondPageWith, respondRedirect } from '../respond-page.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { type View, viewOf } from '../view.ts'
import { askChart, askRows } from './ask.ts'
import { ClosedNote } from './closed-note.tsx'
import { ColumnsTable } from './columns-table.tsx'
import { DatasetHeader } from './dataset-header.tsx'
import { HistorySection, ProvenanceSection } from './history-section.tsx'
import type { Profile, Profiles } from './profile.ts'
import type { PublicAccess } from './public-access.ts'
import { QualitySection } from './quality-section.tsx'
import { requireDataset } from './served.ts'

const UNANSWERABLE = 422

/** Filters that a page shows. Each has a link with all the others in it: a thousand of them would be a page of 20 MB. */
const MOST_FILTERS = 50

/** Answers `GET /datasets/{id}`, with the explorer's question in the query. */
export async function answerDatasetPage(
  exchange: Exchange,
  id: string,
  access: PublicAccess,
  profiles: Profiles,
): Promise<Response> {
  const { service } = exchange
  const served = requireDataset(service, id)
  const view = viewOf(exchange)
  if (!access.isOpen) return respondPage(view, describePage(view, served, null, null))
  access.count(exchange)
  const filled = readForm(view.parameters, served.columns.length)
  if (filled !== undefined) {
    const place = { dataset: explorerDataset(served, filled), chosenLanguage: view.chosenLanguage ?? null }
    return respondRedirect(exchange, pageAddress(place, filled))
  }
  access.requireShare(exchange)
  // First, since it loads the columns one a turn; rows of a dataset just opened would load all of them at once.
  const profile = await profiles.of(service, served)
  const props = await explore(view, served, access)
  const page = describePage(view, served, props, profile)
  if ('problem' in props.answer) return respondPageWith(view, UNANSWERABLE, {}, page)
  return respondPage(view, page)
}

/** What the explorer knows of a dataset: of a wide one the first columns, and those in question. */
function explorerDataset(served: ServedDataset, { fields, chart }: Question): ExplorerProps['dataset'] {
  const { id, domain, rows, columns } = served
  const named = new Set([...fields.slice(0, MOST_COLUMNS), chart])
  return {
    ...{ id, domain, rows },
    columns: columns
      .filter(({ name }, position) => position < MOST_COLUMNS || named.has(name))
      .map(({ name, type, description }) => ({ name, type, description })),
    columnCount: columns.length,
  }
}

/** The question in the address, answered. */
async function explore(view: View, served: ServedDataset, access: PublicAccess): Promise<ExplorerProps> {
  const asked = readQuestion(view.parameters)
  const isTooLong = asked.filters.length > MOST_FILTERS
  const question = isTooLong ? { ...asked, filters: [] } : asked
  const [answer, chart] = await Promise.all([
    isTooLong ? refuseFilters(view) : askRows(view, access, served, question),
    askChart(view, access, served, question),
  ])
  return {
    language: view.language,
    chosenLanguage: view.chosenLanguage ?? null,
    dataset: explorerDataset(served, question),
    base: view.base,
    ...{ question, answer, chart, isLive: false, isBusy: false },
  }
}

function refuseFilters({ language }: View): Answer {
  return { problem: { text: EXPLORER_TEXTS[language].tooManyFilters(MOST_FILTERS), original: null } }
}

function describePage(
  view: View,
  served: ServedDataset,
  props: ExplorerProps | null,
  profile: Profile | null,
): Page {
  const { catalog, config } = view.exchange.service
  const record = catalog.record(served.id)!
  return {
    title: record.dataset.title,
    description: record.dataset.description ?? undefined,
    section: 'catalog',
    scripts: props === null ? [] : ['explorer.js'],
    head: <Alternates view={view} record={record} />,
    // The same dataset in another order is no other page.
    isPrivate: props !== null && view.parameters.length > 0,
    body: (
      <>
        <JsonBlock
          type="application/ld+json"
          value={schemaOrgDataset(placeOf(view.base, config), catalog.descriptor(served.id)!)}
        />
        <Body view={view} record={record} props={props} profile={profile} />
      </>
    ),
  }
}

/** The same, for programs. */
function Alternates({ view, record }: { view: View; record: VersionRecord }) {
  const { id, domain } = record.dataset
  const isPublic = view.exchange.service.config.public_browsing
  const at = datasetAddresses(
    { base: safeBase(view.base), isPublic },
    { id, domain, endpoint: `/v1/${domain}/${id}` },
  )
  return (
    <>
      <link rel="canonical" href={at.page} />
      <link rel="alternate" type="application/json" title="OpenAPI" href={at.description} />
      <link rel="alternate" type="application/json" title="Data Package" href={at.dataPackage} />
      <link rel="alternate" type="application/atom+xml" href={view.link('/feed.atom')} />
    </>
  )
}

function Body({
  view,
  record,
  props,
  profile,
}: {
  view: View
  record: VersionRecord
  props: ExplorerProps | null
  profile: Profile | null
}) {
  const { catalog } = view.exchange.service
  const { id } = record.dataset
  const versions = catalog.versions(id).flatMap(({ version }) => catalog.record(id, version) ?? [])
  return (
    <>
      <DatasetHeader view={view} record={record} />
      {props === null ? (
        <ClosedNote view={view} endpoint={`/v1/${record.dataset.domain}/${id}`} />
      ) : (
        <section class="explorer" aria-labelledby="explore-heading">
          <h2 id="explore-heading">{EXPLORER_TEXTS[view.language].heading}</h2>
          <div id="explore">
            <Explorer {...props} />
          </div>
          <JsonBlock id="explorer-data" value={props} />
        </section>
      )}
      <ColumnsTable view={view} columns={record.columns} rows={record.rows} profile={profile} />
      <QualitySection view={view} quality={record.quality} />
      <ProvenanceSection view={view} record={record} />
      <HistorySection view={view} records={versions} served={record.version} />
    </>
  )
}
