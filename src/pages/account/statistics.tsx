/** @jsxImportSource preact */

/** What the request log says as a whole. */

import type { Language } from '../../mail/language.ts'
import type { LogStatistics } from '../../usage/log-statistics.ts'
import { formatNumber } from '../parts/format.ts'
import { USAGE_TEXTS } from '../texts/account-usage.ts'
import { Table } from './table.tsx'

export function Statistics({ language, statistics }: { language: Language; statistics: LogStatistics }) {
  const texts = USAGE_TEXTS[language]
  const { endpoints, statuses, latency, top_ips } = statistics
  if (statuses.length === 0) return <p>{texts.nothing}</p>
  const number = (value: number) => formatNumber(language, value)
  const time = (value: number | null) => (value === null ? '–' : texts.milliseconds(number(rounded(value))))
  return (
    <>
      <h3>{texts.latency}</h3>
      <dl class="figures">
        {(['p50', 'p95', 'p99', 'max'] as const).map((rank) => (
          <div key={rank}>
            <dt>{texts[rank]}</dt>
            <dd>{time(latency[`${rank}_ms`])}</dd>
          </div>
        ))}
      </dl>
      <h3>{texts.endpoints}</h3>
      <Table
        label={texts.endpoints}
        head={[texts.endpoint, [texts.requests], [texts.errors], [texts.p50], [texts.p95]]}
        rows={endpoints.map(({ endpoint, requests, errors, p50_ms, p95_ms }) => [
          <code key="endpoint">{endpoint}</code>,
          ...[number(requests), number(errors), time(p50_ms), time(p95_ms)],
        ])}
      />
      <div class="pair">
        <div>
          <h3>{texts.statuses}</h3>
          <Table
            label={texts.statuses}
            head={[texts.status, [texts.requests]]}
            rows={statuses.map(({ status, requests }) => [String(status), number(requests)])}
          />
        </div>
        <div>
          <h3>{texts.ips}</h3>
          <Table
            label={texts.ips}
            head={[texts.ip, [texts.requests]]}
            rows={top_ips.map(({ ip, requests }) => [<code key="ip">{ip}</code>, number(requests)])}
          />
        </div>
      </div>
    </>
  )
}

/** Three digits say enough of a time. */
function rounded(milliseconds: number): number {
  return Number(milliseconds.toPrecision(3))
}
