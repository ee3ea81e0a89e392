/** @jsxImportSource preact */
import { ChartDrawing, heightOf } from '../chart/chart-drawing.tsx'
import { PAGE_INK } from '../chart/ink.ts'
import { momentOf } from '../chart/scales.ts'
import { formatDigits } from '../texts/texts.ts'
import { formatShortDay } from './moments.tsx'
import { useLanguage } from './page-language.ts'

/** A column chart of counts per day. @param title its accessible name @param days in order, `date` as `2026-09-15` */
export function DailyChart({
  title,
  days,
}: {
  title: string
  days: readonly { date: string; count: number }[]
}) {
  const language = useLanguage()
  const data = {
    ...({ draw: 'columns', draws: [], axis: 'time', period: 'day' } as const),
    ...{ series: [''], isStacked: false, notes: [] },
    rows: days.map(({ date, count }) => {
      const value = String(count)
      return {
        label: formatShortDay(language, date),
        at: momentOf('day', date),
        values: [value],
        total: value,
      }
    }),
    textOf: (value: string | null) => formatDigits(language, value ?? '0'),
  }
  return (
    <svg class="plot daily" height={heightOf(data)} role="img" aria-label={title}>
      <ChartDrawing data={data} language={language} ink={PAGE_INK} />
    </svg>
  )
}
