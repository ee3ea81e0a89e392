/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { LogStatistics } from '../../accounts/usage/log-statistics.ts'
import type { DailyUsage, UsageSummary } from '../../accounts/usage/summary.ts'
import { BoxedFact } from '../parts/fact.tsx'
import { ShareBar } from '../parts/share-bar.tsx'
import { Table, TitledTable } from '../parts/table.tsx'
import { DailyChart } from '../signed-in/daily-chart.tsx'
import { Choice } from '../signed-in/form.tsx'
import { type Loaded, useRead, useReturn, WhenLoaded } from '../signed-in/loading.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { Section } from '../signed-in/section.tsx'
import { USAGE_TEXTS } from '../texts/account-console.ts'
import { planName } from '../texts/parts.ts'
import { formatDay, formatMilliseconds, formatNumber, formatShare } from '../texts/texts.ts'

const PERIODS = [1, 7, 30, 92] as const
const FIRST_PERIOD = 30
const ALL_KEYS = 'all'

export function Usage() {
  const texts = useTexts(USAGE_TEXTS)
  const [days, setDays] = useState(FIRST_PERIOD)
  const summary = useRead<UsageSummary>('/account/api/usage/summary')
  const daily = useRead<DailyUsage>(`/account/api/usage/daily?days=${days}`)
  const statistics = useRead<LogStatistics>(`/account/api/logs/stats?days=${days}`)
  useReturn(async () => {
    await Promise.all([summary, daily, statistics].map(({ reload }) => reload()))
  })
  return (
    <>
      <WhenLoaded loaded={summary}>{(value) => <Quota summary={value} />}</WhenLoaded>
      <DailySection daily={daily} days={days} onDays={setDays} />
      <Section id="statistics-title" title={texts.statistics} text={texts.statisticsLead}>
        <WhenLoaded loaded={statistics}>{(value) => <Statistics statistics={value} />}</WhenLoaded>
      </Section>
    </>
  )
}

function DailySection(options: { daily: Loaded<DailyUsage>; days: number; onDays: (days: number) => void }) {
  const { daily, days, onDays } = options
  const texts = useTexts(USAGE_TEXTS)
  const [keyId, setKeyId] = useState(ALL_KEYS)
  const keys = daily.value?.keys ?? []
  return (
    <Section id="daily-title" title={texts.daily}>
      <div class="row">
        <Choice
          id="period"
          name="period"
          label={texts.period}
          value={String(days)}
          choices={PERIODS.map((period) => [
            String(period),
            period === 1 ? texts.dayToday : texts.days(period),
          ])}
          onChoose={(value) => onDays(Number(value))}
        />
        {keys.length > 1 && (
          <Choice
            id="daily-key"
            name="key"
            label={texts.key}
            value={keyId}
            choices={[
              [ALL_KEYS, texts.allKeys],
              ...keys.map(({ key_id, label }) => [String(key_id), label] as const),
            ]}
            onChoose={setKeyId}
          />
        )}
      </div>
      <WhenLoaded loaded={daily}>{(value) => <Daily daily={value} keyId={keyId} />}</WhenLoaded>
    </Section>
  )
}

function Quota({ summary: { plan, total } }: { summary: UsageSummary }) {
  const language = useLanguage()
  const texts = useTexts(USAGE_TEXTS)
  const number = (value: number) => formatNumber(language, value)
  const { monthly_quota: quota } = plan
  const name = planName(language, plan.name)
  const share = quota === null ? 0 : (quota - (total.remaining ?? 0)) / Math.max(1, quota)
  return (
    <Section class="card" id="quota-title" title={texts.quota}>
      <dl class="figures flow">
        <BoxedFact name={texts.month} id="month-calls">
          {number(total.month)}
        </BoxedFact>
        <BoxedFact name={texts.today}>{number(total.day)}</BoxedFact>
        <BoxedFact name={texts.left}>
          {total.remaining === null ? texts.noLimit : number(total.remaining)}
        </BoxedFact>
      </dl>
      <p class="small soft">
        {quota === null ? (
          texts.unlimited(name)
        ) : (
          <>
            <ShareBar share={share} /> {texts.share(formatShare(language, share), name)}
          </>
        )}
      </p>
    </Section>
  )
}

/** @param keyId the key whose calls the chart shows; an unknown one shows those of all keys */
function Daily(options: { daily: DailyUsage; keyId: string }) {
  const { daily, keyId } = options
  const language = useLanguage()
  const texts = useTexts(USAGE_TEXTS)
  const chosen = daily.keys.find(({ key_id }) => String(key_id) === keyId)
  const counts = chosen?.daily ?? daily.total
  const total = counts.reduce((sum, { requests }) => sum + requests, 0)
  const title = texts.chart(
    chosen?.label ?? texts.allKeys,
    formatDay(language, daily.from),
    formatDay(language, daily.to),
    formatNumber(language, total),
  )
  const days = daily.total.map((day, index) => ({ ...day, index })).filter(({ requests }) => requests > 0)
  return (
    <>
      <DailyChart title={title} days={counts.map(({ date, requests }) => ({ date, count: requests }))} />
      <p class="small soft" role="status">
        {texts.totalOf(total)}
      </p>
      {days.length > 0 && (
        <details>
          <summary>{texts.asTable}</summary>
          <Table
            label={texts.asTable}
            head={[texts.date, [texts.allKeys], ...daily.keys.map(({ label }) => [label] as const)]}
            rows={days
              .toReversed()
              .map(({ date, requests, index }) => [
                formatDay(language, date),
                formatNumber(language, requests),
                ...daily.keys.map((key) => formatNumber(language, key.daily[index]?.requests ?? 0)),
              ])}
          />
          <p class="small soft">{texts.elsewhere}</p>
        </details>
      )}
    </>
  )
}

function Statistics({ statistics }: { statistics: LogStatistics }) {
  const language = useLanguage()
  const texts = useTexts(USAGE_TEXTS)
  const { endpoints, statuses, latency, top_ips } = statistics
  if (statuses.length === 0) return <p>{texts.nothing}</p>
  const number = (value: number) => formatNumber(language, value)
  const time = (value: number | null) => (value === null ? '–' : formatMilliseconds(language, value))
  return (
    <>
      <h3>{texts.latency}</h3>
      <dl class="figures flow">
        {(['p50', 'p95', 'p99', 'max'] as const).map((rank) => (
          <BoxedFact key={rank} name={texts[rank]}>
            {time(latency[`${rank}_ms`])}
          </BoxedFact>
        ))}
      </dl>
      <TitledTable
        label={texts.endpoints}
        head={[texts.endpoint, [texts.requests], [texts.errors], [texts.p50], [texts.p95]]}
        rows={endpoints.map(({ endpoint, requests, errors, p50_ms, p95_ms }) => [
          <code key="endpoint">{endpoint}</code>,
          number(requests),
          number(errors),
          time(p50_ms),
          time(p95_ms),
        ])}
      />
      <div class="grid">
        <div>
          <TitledTable
            label={texts.statuses}
            head={[texts.status, [texts.requests]]}
            rows={statuses.map(({ status, requests }) => [status, number(requests)])}
          />
        </div>
        <div>
          <TitledTable
            label={texts.ips}
            head={[texts.ip, [texts.requests]]}
            rows={top_ips.map(({ ip, requests }) => [<code key="ip">{ip}</code>, number(requests)])}
          />
        </div>
      </div>
    </>
  )
}
