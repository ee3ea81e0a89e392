/** @jsxImportSource preact */

/** Usage against the quota, by day and by key, and statistics of the request log. */

import { useState } from 'preact/hooks'
import type { Language } from '../../mail/language.ts'
import type { LogStatistics } from '../../usage/log-statistics.ts'
import type { DailyUsage, UsageSummary } from '../../usage/summary.ts'
import { BarChart } from '../parts/bar-chart.tsx'
import { formatDay, formatNumber, formatShare } from '../parts/format.ts'
import { ShareBar } from '../parts/share-bar.tsx'
import { USAGE_TEXTS } from '../texts/account-usage.ts'
import { read } from './api.ts'
import { Choice } from './form.tsx'
import { useLoaded, useReturn, WhenLoaded } from './loading.tsx'
import { formatShortDay } from './moments.ts'
import type { AccountFacts } from './places.ts'
import { Statistics } from './statistics.tsx'
import { Table } from './table.tsx'

const PERIODS = [1, 7, 30, 92] as const
const FIRST_PERIOD = 30
const ALL_KEYS = 'all'

export function Usage({ facts: { language } }: { facts: AccountFacts }) {
  const texts = USAGE_TEXTS[language]
  const [days, setDays] = useState(FIRST_PERIOD)
  const [keyId, setKeyId] = useState(ALL_KEYS)
  const summary = useLoaded(() => read<UsageSummary>('/usage/summary'))
  const daily = useLoaded(() => read<DailyUsage>(`/usage/daily?days=${days}`), String(days))
  const statistics = useLoaded(() => read<LogStatistics>(`/logs/stats?days=${days}`), String(days))
  useReturn(async () => {
    await Promise.all([summary, daily, statistics].map(({ reload }) => reload()))
  })
  return (
    <>
      <WhenLoaded language={language} loaded={summary}>
        {(value) => <Quota language={language} summary={value} />}
      </WhenLoaded>
      <section aria-labelledby="daily-title">
        <h2 id="daily-title">{texts.daily}</h2>
        <div class="row choices">
          <Choice
            id="period"
            name="period"
            label={texts.period}
            value={String(days)}
            choices={PERIODS.map((period) => [
              String(period),
              period === 1 ? texts.dayToday : texts.days(period),
            ])}
            onChoose={(value) => setDays(Number(value))}
          />
          {daily.value !== undefined && daily.value.keys.length > 1 && (
            <Choice
              id="daily-key"
              name="key"
              label={texts.key}
              value={keyId}
              choices={[
                [ALL_KEYS, texts.allKeys],
                ...daily.value.keys.map(({ key_id, label }) => [String(key_id), label] as const),
              ]}
              onChoose={setKeyId}
            />
          )}
        </div>
        <WhenLoaded language={language} loaded={daily}>
          {(value) => <Daily language={language} daily={value} keyId={keyId} />}
        </WhenLoaded>
      </section>
      <section aria-labelledby="statistics-title">
        <h2 id="statistics-title">{texts.statistics}</h2>
        <p class="soft">{texts.statisticsLead}</p>
        <WhenLoaded language={language} loaded={statistics}>
          {(value) => <Statistics language={language} statistics={value} />}
        </WhenLoaded>
      </section>
    </>
  )
}

function Quota({ language, summary: { plan, total } }: { language: Language; summary: UsageSummary }) {
  const texts = USAGE_TEXTS[language]
  const number = (value: number) => formatNumber(language, value)
  const { monthly_quota: quota } = plan
  const share = quota === null ? 0 : (quota - (total.remaining ?? 0)) / Math.max(1, quota)
  return (
    <section class="card" aria-labelledby="quota-title">
      <h2 id="quota-title">{texts.quota}</h2>
      <dl class="figures">
        <div>
          <dt>{texts.month}</dt>
          <dd id="month-calls">{number(total.month)}</dd>
        </div>
        <div>
          <dt>{texts.today}</dt>
          <dd>{number(total.day)}</dd>
        </div>
        <div>
          <dt>{texts.left}</dt>
          <dd>{total.remaining === null ? texts.noLimit : number(total.remaining)}</dd>
        </div>
      </dl>
      <p class="small soft quota">
        {quota === null ? (
          texts.unlimited(plan.name)
        ) : (
          <>
            <ShareBar share={share} /> {texts.share(formatShare(language, share), plan.name)}
          </>
        )}
      </p>
    </section>
  )
}

interface DailyOptions {
  readonly language: Language
  readonly daily: DailyUsage
  /** Whose calls the chart shows; a key that is gone shows all of them. */
  readonly keyId: string
}

function Daily({ language, daily, keyId }: DailyOptions) {
  const texts = USAGE_TEXTS[language]
  const chosen = daily.keys.find(({ key_id }) => String(key_id) === keyId)
  const counts = chosen?.daily ?? daily.total
  const total = counts.reduce((sum, { requests }) => sum + requests, 0)
  const title = texts.chart(
    chosen?.label ?? texts.allKeys,
    formatDay(language, daily.from),
    formatDay(language, daily.to),
    formatNumber(language, total),
  )
  return (
    <>
      <BarChart
        language={language}
        title={title}
        bars={counts.map(({ date, requests }) => ({
          label: formatShortDay(language, date),
          value: requests,
        }))}
      />
      <p class="small soft" role="status">
        {texts.totalOf(total)}
      </p>
      <DailyTable language={language} daily={daily} />
    </>
  )
}

/** The days on which there was anything, newest first, with a column per key. */
function DailyTable({ language, daily }: { language: Language; daily: DailyUsage }) {
  const texts = USAGE_TEXTS[language]
  const days = daily.total.map((day, index) => ({ ...day, index })).filter(({ requests }) => requests > 0)
  if (days.length === 0) return null
  return (
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
  )
}
