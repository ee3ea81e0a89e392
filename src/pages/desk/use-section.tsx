/** @jsxImportSource preact */

/** Who reads a dataset: calls, rows and bytes by day, key and format. */

import { useState } from 'preact/hooks'
import type { NamedUse, UseReport } from '../../publish/published/use.ts'
import { BarChart } from '../parts/bar-chart.tsx'
import { Table } from '../parts/table.tsx'
import { read } from '../signed-in/api.ts'
import { Choice } from '../signed-in/form.tsx'
import { useLoaded, WhenLoaded } from '../signed-in/loading.tsx'
import { formatShortDay } from '../signed-in/moments.ts'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { USE_TEXTS } from '../texts/desk-use.ts'
import { formatBytes, formatNumber } from '../texts/format.ts'
import type { DatasetViewOptions } from './dataset-view.ts'
import { DESK_API } from './places.ts'

const PERIODS = [7, 30, 92, 366] as const
const FIRST_PERIOD = 30

export function UseSection({ dataset }: Pick<DatasetViewOptions, 'dataset'>) {
  const texts = useTexts(USE_TEXTS)
  const [days, setDays] = useState(FIRST_PERIOD)
  const about = `${DESK_API}/usage?days=${days}&dataset=${dataset.id}`
  const byDay = useLoaded(() => read<UseReport>(`${about}&by=day`), String(days))
  const byReader = useLoaded(() => read<UseReport>(`${about}&by=key,format`), String(days))
  return (
    <section aria-labelledby="use-title">
      <h2 id="use-title">{texts.title}</h2>
      <div class="row choices">
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
    </section>
  )
}

function ByDay({ report }: { report: UseReport }) {
  const language = useLanguage()
  const texts = useTexts(USE_TEXTS)
  const { total, from, to, data } = report
  const said = texts.total(total.calls, total.rows, formatBytes(language, total.bytes))
  if (total.calls === 0) return <p class="soft">{texts.none}</p>
  const calls = new Map(data.map(({ day, calls }) => [day, calls]))
  return (
    <>
      <p role="status">{said}</p>
      <BarChart
        language={language}
        title={texts.chart}
        bars={daysBetween(from, to).map((day) => ({
          label: formatShortDay(language, day),
          value: calls.get(day) ?? 0,
        }))}
      />
    </>
  )
}

const DAY_MS = 86_400_000

/** Both days included. */
function daysBetween(from: string, to: string): string[] {
  const first = Date.parse(from)
  const count = Math.round((Date.parse(to) - first) / DAY_MS) + 1
  return Array.from({ length: count }, (_, day) => new Date(first + day * DAY_MS).toISOString().slice(0, 10))
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
