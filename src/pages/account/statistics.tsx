/** @jsxImportSource preact */

/** Statistics of the request log. */

import type { LogStatistics } from '../../accounts/usage/log-statistics.ts'
import { BoxedFact } from '../parts/fact.tsx'
import { TitledTable } from '../parts/table.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { USAGE_TEXTS } from '../texts/account-usage.ts'
import { formatMilliseconds, formatNumber } from '../texts/format.ts'

export function Statistics({ statistics }: { statistics: LogStatistics }) {
  const language = useLanguage()
  const texts = useTexts(USAGE_TEXTS)
  const { endpoints, statuses, latency, top_ips } = statistics
  if (statuses.length === 0) return <p>{texts.nothing}</p>
  const number = (value: number) => formatNumber(language, value)
  const time = (value: number | null) => (value === null ? '–' : formatMilliseconds(language, value))
  return (
    <>
      <h3>{texts.latency}</h3>
      <dl class="figures">
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
      <div class="pair">
        <div>
          <TitledTable
            label={texts.statuses}
            head={[texts.status, [texts.requests]]}
            rows={statuses.map(({ status, requests }) => [String(status), number(requests)])}
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
