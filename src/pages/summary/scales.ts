import type { DatePart } from '../../engine/aggregate/group-query.ts'

interface Segment {
  readonly series: number
  readonly from: number
  readonly to: number
}

/** The lanes of each row: one of stacked pieces, or one for each series. */
export type Lanes = readonly (readonly Segment[])[]

/**
 * Bars of rows with one value for each series.
 * @param isStacked whether the values of a row add up; with a value below zero each has a lane of its own
 * @param totals of the rows, where they are more than what the series add up to: the rest is a last series
 */
export function barsOf(
  rows: readonly (readonly (number | null)[])[],
  isStacked: boolean,
  totals?: readonly number[],
): Lanes[] {
  const values = rows.flat().filter((value) => value !== null)
  if (!isStacked || values.some((value) => value < 0)) return rows.map(lanesBetween(values))
  const filled = rows.map((row, index) => {
    const sum = row.reduce<number>((all, value) => all + (value ?? 0), 0)
    return totals === undefined ? row : [...row, Math.max(0, totals[index]! - sum)]
  })
  const most = Math.max(...filled.map((row) => row.reduce<number>((all, value) => all + (value ?? 0), 0)))
  return filled.map((row) => {
    let at = 0
    const lane = row.flatMap((value, series): Segment[] => {
      const from = at
      at += most > 0 ? (value ?? 0) / most : 0
      return at > from ? [{ series, from, to: at }] : []
    })
    return [lane]
  })
}

function lanesBetween(values: readonly number[]): (row: readonly (number | null)[]) => Lanes {
  const least = Math.min(0, ...values)
  const span = Math.max(0, ...values) - least
  const at = (value: number) => (span === 0 ? 0 : (value - least) / span)
  return (row) =>
    row.flatMap((value, series): Segment[][] =>
      value === null ? [] : [[{ series, from: Math.min(at(0), at(value)), to: Math.max(at(0), at(value)) }]],
    )
}

/** The round values beside a drawing, least first: they begin at or below the least value and zero, and end at or above the greatest. */
export function ticksOf(values: readonly number[]): number[] {
  const least = Math.min(0, ...values)
  const most = Math.max(0, ...values)
  if (least === most) return [0, 1]
  const width = (most - least) / 4
  const power = 10 ** Math.floor(Math.log10(width))
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= width) ?? 10) * power
  const first = Math.floor(least / step)
  const last = Math.ceil(most / step)
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

/** Where a group is in time, in its own periods: years, quarters, months, else days. */
export function momentOf(part: DatePart | null, text: string): number {
  const [year = 0, rest = 0] = text.replace('Q', '').split('-', 2).map(Number)
  if (part === 'year') return year
  if (part === 'quarter') return year * 4 + rest - 1
  if (part === 'month') return year * 12 + rest - 1
  return Date.parse(text) / 86_400_000
}
