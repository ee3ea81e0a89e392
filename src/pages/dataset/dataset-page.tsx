/** @jsxImportSource preact */
import { render } from 'preact-render-to-string'
import { ownRound } from '../../base/own-round.ts'
import { runInTurns, type Work } from '../../engine/turns.ts'
import { datasetAddresses, placeOf } from '../../interop/addresses.ts'
import { schemaOrgDataset } from '../../interop/schema-org.ts'
import { requireDataset } from '../../query/query-schema.ts'
import type { ServedDataset, VersionRecord } from '../../store/catalog/record.ts'
import { pageAddress } from '../explorer/addresses.ts'
import { snippetsFor } from '../explorer/code-panel.tsx'
import type { ExplorerProps } from '../explorer/explorer-props.ts'
import { Explorer } from '../explorer/explorer-view.tsx'
import { ShareHead } from '../explorer/share-head.tsx'
import { JsonBlock, type Page, respondPage, respondRedirect } from '../layout/layout.tsx'
import type { View } from '../layout/view.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { TitledTable } from '../parts/table.tsx'
import { hasMap } from '../question/county-columns.ts'
import { type Question, readForm, readQuestion } from '../question/question.ts'
import { columnTitle, MOST_COLUMNS, toExplorerColumn } from '../question/shown-column.ts'
import {
  DATASET_TEXTS,
  MENDED_TEXTS,
  REASON_TEXTS,
  REPAIR_TEXTS,
  RULE_TEXTS,
  UNPROVEN_TEXTS,
} from '../texts/dataset.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { formatNumber } from '../texts/texts.ts'
import { askFacets, askRows, type PageAccess } from './ask-rows.ts'
import { ColumnsTable } from './columns-table.tsx'
import {
  DatasetHeader,
  type DatasetPart,
  HistorySection,
  ProvenanceSection,
  SectionIndex,
} from './dataset-header.tsx'
import { explainFinding } from './explain-finding.ts'
import type { Profile, Profiles } from './profile.ts'
import { bounded, sayRefused } from './refused-question.ts'

/** Answers `GET /datasets/{id}`, with the explorer's question in the query. */
export async function answerDatasetPage(
  view: View,
  id: string,
  access: PageAccess,
  profiles: Profiles,
): Promise<Response> {
  const { app, exchange } = view
  const served = requireDataset(app.catalog, id)
  if (!access.shows(served)) return respondPage(view, await describePage(view, served, null))
  await access.count(exchange)
  const filled = readForm(view.parameters, served.columns.length)
  if (filled !== undefined) {
    const place = { ...view, dataset: served }
    return respondRedirect(exchange, pageAddress(place, filled))
  }
  access.share(exchange).require()
  // The profile comes first, since it loads one column per turn; the rows would load all columns at once.
  const profile = await profiles.of(app, served)
  const props = await explore(view, served, access)
  await ownRound()
  const explorer = render(<Explorer {...props} />)
  await ownRound()
  const page = await describePage(view, served, { props, explorer, profile })
  return respondPage(view, page, 'problem' in props.answer)
}

/** The dataset as the explorer needs it; a wide one with its first columns and those of the question. */
export function explorerDataset(
  { app }: View,
  served: ServedDataset,
  { fields }: Question,
): ExplorerProps['dataset'] {
  const { id, domain, columns } = served
  const named = new Set(fields.slice(0, MOST_COLUMNS))
  return {
    id,
    domain,
    title: app.catalog.record(id)!.dataset.title,
    columns: columns
      .filter(({ name }, position) => position < MOST_COLUMNS || named.has(name))
      .map(toExplorerColumn),
    columnCount: columns.length,
    hasMap: hasMap(app.catalog.record(id)!),
  }
}

async function explore(view: View, served: ServedDataset, access: PageAccess): Promise<ExplorerProps> {
  const { question, problem } = bounded(view.language, { question: readQuestion(view.parameters) })
  const answer = problem
    ? { problem }
    : await askRows(view, access, served, question).catch((error: unknown) => ({
        problem: sayRefused(view.language, error, question, served.columns),
      }))
  const facets = 'problem' in answer ? [] : await askFacets(view, access, served, question)
  return {
    language: view.language,
    chosenLanguage: view.chosenLanguage,
    dataset: explorerDataset(view, served, question),
    base: view.base,
    question,
    answer,
    facets,
    isLive: false,
    isBusy: false,
  }
}

function* keptRecords(catalog: View['app']['catalog'], id: string): Work<VersionRecord[]> {
  const records: VersionRecord[] = []
  for (const record of catalog.records(id)) {
    records.push(record)
    yield
  }
  return records
}

/** What the page of a dataset shows of its rows. */
interface Shown {
  readonly props: ExplorerProps
  /** The explorer, rendered in a round of its own: the whole page would take too long for one. */
  readonly explorer: string
  readonly profile: Profile
}

/** @param shown null while public browsing is off */
async function describePage(view: View, served: ServedDataset, shown: Shown | null): Promise<Page> {
  const { catalog, config } = view.app
  const record = catalog.record(served.id)!
  const place = placeOf(view.base, config, served)
  const { id, domain } = record.dataset
  const at = datasetAddresses(place, { id, domain, endpoint: `/v1/${domain}/${id}` })
  const versions = await runInTurns(keptRecords(catalog, id))
  return {
    title: record.dataset.title,
    description: record.dataset.description ?? undefined,
    section: 'catalog',
    scripts: shown === null ? [] : ['explorer.js'],
    head: (
      <>
        <link rel="canonical" href={at.page} />
        <link rel="alternate" type="application/json" title="OpenAPI" href={at.description} />
        <link rel="alternate" type="application/json" title="Data Package" href={at.dataPackage} />
        <link rel="alternate" type="application/atom+xml" href={view.link('/feed.atom')} />
        <ShareHead view={view} record={record} title={record.dataset.title} isOpen={shown !== null} />
      </>
    ),
    // Otherwise search engines would index each question as a page.
    isPrivate: shown !== null && view.parameters.length > 0,
    body: (
      <>
        <JsonBlock
          type="application/ld+json"
          value={schemaOrgDataset(place, catalog.descriptor(served.id)!)}
        />
        <DatasetHeader view={view} record={record} />
        <SectionIndex view={view} record={record} hasRows={shown !== null} />
        {shown === null ? (
          <ClosedNote view={view} api={at.api} />
        ) : (
          <section class="explorer" aria-labelledby="explore-heading">
            <h2 id="explore-heading">{EXPLORER_TEXTS[view.language].heading}</h2>
            <div id="explore" dangerouslySetInnerHTML={{ __html: shown.explorer }} />
            <JsonBlock id="explorer-data" value={shown.props} />
          </section>
        )}
        <ColumnsTable view={view} record={record} profile={shown?.profile ?? null} />
        <QualitySection view={view} record={record} />
        <ProvenanceSection view={view} record={record} />
        <HistorySection view={view} records={versions} served={record.version} />
      </>
    ),
  }
}

function ClosedNote({ view, api }: { view: View; api: string }) {
  const texts = DATASET_TEXTS[view.language]
  const [curl] = snippetsFor(api)
  return (
    <div class="note">
      <p>
        {texts.closed} <a href={view.link('/account')}>{texts.closedLink}</a>
      </p>
      <CodeBox language={view.language} label={curl!.name} text={curl!.text} />
    </div>
  )
}

function QualitySection({ view, record }: DatasetPart) {
  const texts = DATASET_TEXTS[view.language]
  return (
    <section aria-labelledby="quality">
      <h2 id="quality">{texts.quality}</h2>
      {record.quality.measured ? <Measured view={view} record={record} /> : <p>{texts.notMeasured}</p>}
    </section>
  )
}

function Measured({ view: { language }, record: { columns, quality } }: DatasetPart) {
  const titleOf = (name: string) => columnTitle(columns, name)
  const texts = DATASET_TEXTS[language]
  const { rows, repairs, validation, quarantine } = quality
  const mended = Object.entries(quality.mended).filter(([, count]) => count > 0)
  const broken = validation.filter(({ failed }) => failed > 0)
  const number = (value: number) => formatNumber(language, value)
  return (
    <>
      <p>
        {rows.quarantined === 0 ? texts.qualityAll(rows.read) : texts.qualityRows(rows.read, rows.imported)}{' '}
        {repairs.length === 0 && texts.repairsNone}{' '}
        {validation.length > 0 && broken.length === 0 && texts.allPassed}
      </p>
      <TitledTable
        label={texts.quarantine}
        text={texts.quarantineText}
        head={[texts.reason, [texts.rows]]}
        rows={quarantine.map(({ reason, count }) => [
          <Finding key={0} code={reason} words={explainFinding(REASON_TEXTS, language, reason)} />,
          number(count),
        ])}
      />
      <TitledTable
        label={texts.mended}
        head={[texts.repair, [texts.rows]]}
        rows={mended.map(([kind, count]) => [
          <Finding key={0} code={kind} words={explainFinding(MENDED_TEXTS, language, kind)} />,
          number(count),
        ])}
      />
      <TitledTable
        label={texts.unproven}
        head={[texts.column, texts.reading]}
        rows={quality.unproven.map((doubt) => [
          doubt.column === null ? texts.wholeFile : titleOf(doubt.column),
          <Finding key={1} code={doubt.kind} words={UNPROVEN_TEXTS[language][doubt.kind](doubt.read_as)} />,
        ])}
      />
      <TitledTable
        label={texts.repairs}
        head={[texts.column, texts.repair, [texts.cells]]}
        rows={repairs.map(({ column, kind, count }) => [
          titleOf(column),
          <Finding key={1} code={kind} words={explainFinding(REPAIR_TEXTS, language, kind)} />,
          number(count),
        ])}
      />
      <TitledTable
        label={texts.checks}
        head={[texts.column, texts.rule, [texts.failed]]}
        rows={broken.map(({ column, rule, failed }) => [
          titleOf(column),
          <Finding key={1} code={rule} words={explainFinding(RULE_TEXTS, language, rule)} />,
          number(failed),
        ])}
      />
    </>
  )
}

function Finding({ code, words }: { code: string; words: string | undefined }) {
  if (words === undefined) return <code>{code}</code>
  return <span title={code}>{words}</span>
}
