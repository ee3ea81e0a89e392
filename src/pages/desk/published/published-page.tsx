/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { PublishedDataset } from '../../../publish/published/published.ts'
import type { NamedUse, UseReport } from '../../../publish/published/use.ts'
import { accountLink } from '../../account/account-places.ts'
import { domainName } from '../../parts/domain-name.ts'
import { Table } from '../../parts/table.tsx'
import { change } from '../../signed-in/api.ts'
import { DailyChart } from '../../signed-in/daily-chart.tsx'
import { AskButton } from '../../signed-in/dialog.tsx'
import { Choice, Field, Form } from '../../signed-in/form.tsx'
import { useRead, useReturn, WhenLoaded } from '../../signed-in/loading.tsx'
import { Moment } from '../../signed-in/moments.tsx'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { Section } from '../../signed-in/section.tsx'
import { type Status, StatusLine, useStatus } from '../../signed-in/status.tsx'
import { DATASET_DESK_TEXTS, DESK_TEXTS, USE_TEXTS } from '../../texts/desk.ts'
import { UPLOAD_TEXTS } from '../../texts/desk-draft.ts'
import { formatBytes, formatNumber } from '../../texts/texts.ts'
import { type DatasetViewOptions, DESK_API, type DeskFacts, deskPath, goHome } from '../desk-places.ts'
import { FailureNote } from '../reasons.tsx'
import { RowLists } from '../row-list.tsx'
import { UploadBox, useUpload } from '../upload.tsx'
import { DatasetTexts, ScheduleSection } from './published-texts.tsx'
import { VersionsSection } from './versions-section.tsx'

const PERIODS = [7, 30, 92, 366] as const
const FIRST_PERIOD = 30
const DAY_MS = 86_400_000

export function DatasetPage({ facts, id }: { facts: DeskFacts; id: string }) {
  const path = `${DESK_API}/datasets/${id}`
  const loaded = useRead<PublishedDataset>(path)
  const status = useStatus()
  useReturn(loaded.reload)
  return (
    <>
      <p class="crumbs">
        <a href={accountLink(facts, deskPath({ page: 'home' }))}>{useTexts(DESK_TEXTS).publish}</a>
      </p>
      <h1 class="file-name">{loaded.value?.title ?? id}</h1>
      <WhenLoaded loaded={loaded}>
        {(dataset) => (
          <DatasetView
            {...{ facts, dataset, path, status }}
            onDone={(text) => void loaded.reload().then(() => status.say(text))}
          />
        )}
      </WhenLoaded>
    </>
  )
}

function DatasetView({ status, ...options }: DatasetViewOptions & { status: Status }) {
  const { facts, dataset, path } = options
  const texts = useTexts(UPLOAD_TEXTS)
  const upload = useUpload(facts)
  const { rows_quarantined: quarantined, ingestion_version } = dataset.provenance
  const kinds = quarantined > 0 ? (['quarantine', 'repaired'] as const) : (['repaired'] as const)
  return (
    <>
      <Summary facts={facts} dataset={dataset} />
      <StatusLine status={status} />
      <UploadBox facts={facts} upload={upload} title={texts.titleEdition} dataset={dataset.id} />
      <DatasetTexts {...options} />
      <VersionsSection {...options} />
      <RowLists path={path} edition={String(ingestion_version)} kinds={kinds} />
      <ScheduleSection {...options} />
      <UseSection {...options} />
      <PagesSwitch {...options} />
      <Removal {...options} />
    </>
  )
}

function Summary({ facts, dataset }: Pick<DatasetViewOptions, 'facts' | 'dataset'>) {
  const texts = useTexts(DATASET_DESK_TEXTS)
  const { id, domain, row_count, provenance, last_failure: failure } = dataset
  return (
    <>
      <p class="meta">
        <span>{domainName(facts, domain)}</span>
        <span>
          {texts.summary(row_count, provenance.ingestion_version)} <Moment at={provenance.imported_at} />
        </span>
        <a href={accountLink(facts, `/datasets/${id}`)}>{texts.see}</a>
      </p>
      {failure !== null && (
        <div class="note bad">
          <FailureNote failure={failure} />
        </div>
      )}
    </>
  )
}

function PagesSwitch({ dataset: { open }, path, onDone }: DatasetViewOptions) {
  const texts = useTexts(DATASET_DESK_TEXTS)
  return (
    <Section id="pages-title" title={texts.pages}>
      <p>{open ? texts.pagesOpen : texts.pagesClosed}</p>
      <Form
        id="pages"
        submit={open ? texts.closePages : texts.openPages}
        tone="small"
        send={async () => {
          await change('PATCH', path, { open: !open })
          onDone(open ? texts.areClosed : texts.areOpen)
        }}
      />
    </Section>
  )
}

function Removal({ facts, dataset: { id, title }, path }: DatasetViewOptions) {
  const texts = useTexts(DATASET_DESK_TEXTS)
  return (
    <Section id="remove-title" title={texts.remove} text={texts.removeText}>
      <AskButton
        id="remove"
        class="danger"
        title={texts.removeTitle(title)}
        text={texts.removeDialog}
        submit={texts.removeButton}
        tone="danger"
        check={(values) => (values.id?.trim() === id ? {} : { id: texts.removeWrong(id) })}
        send={async () => {
          await change('DELETE', path)
          return () => goHome(facts)
        }}
      >
        <Field name="id" label={texts.removeLabel(id)} autoComplete="off" />
      </AskButton>
    </Section>
  )
}

function UseSection({ dataset }: Pick<DatasetViewOptions, 'dataset'>) {
  const texts = useTexts(USE_TEXTS)
  const [days, setDays] = useState(FIRST_PERIOD)
  const about = `${DESK_API}/usage?days=${days}&dataset=${dataset.id}`
  const byDay = useRead<UseReport>(`${about}&by=day`)
  const byReader = useRead<UseReport>(`${about}&by=key,format`)
  return (
    <Section id="use-title" title={texts.title}>
      <div class="row">
        <Choice
          id="use-period"
          name="period"
          label={texts.period}
          value={String(days)}
          choices={PERIODS.map((period) => [String(period), texts.days(period)] as const)}
          onChoose={(value) => setDays(Number(value))}
        />
      </div>
      <WhenLoaded loaded={byDay}>{(report) => <ByDay report={report} />}</WhenLoaded>
      <WhenLoaded loaded={byReader}>{(report) => <ByReader report={report} />}</WhenLoaded>
    </Section>
  )
}

function ByDay({ report }: { report: UseReport }) {
  const language = useLanguage()
  const texts = useTexts(USE_TEXTS)
  const { total, from, to, data } = report
  const said = texts.total(total.calls, total.rows, formatBytes(language, total.bytes))
  if (total.calls === 0) return <p class="soft">{texts.none}</p>
  const calls = new Map(data.map(({ day, calls }) => [day, calls]))
  const first = Date.parse(from)
  const count = Math.round((Date.parse(to) - first) / DAY_MS) + 1
  return (
    <>
      <p role="status">{said}</p>
      <DailyChart
        title={texts.chart}
        days={Array.from({ length: count }, (_, at) => {
          const date = new Date(first + at * DAY_MS).toISOString().slice(0, 10)
          return { date, count: calls.get(date) ?? 0 }
        })}
      />
    </>
  )
}

function ByReader({ report: { data } }: { report: UseReport }) {
  const language = useLanguage()
  const texts = useTexts(USE_TEXTS)
  if (data.length === 0) return null
  const reader = ({ via, label }: NamedUse) =>
    via === 'key' ? (label ?? '') : via === 'pages' ? texts.pages : texts.deletedKey
  return (
    <Table
      label={texts.byReader}
      head={[texts.reader, texts.format, [texts.calls], [texts.rows], [texts.bytes]]}
      rows={data.map((use) => [
        reader(use),
        use.format?.toUpperCase(),
        formatNumber(language, use.calls),
        formatNumber(language, use.rows),
        formatBytes(language, use.bytes),
      ])}
    />
  )
}
