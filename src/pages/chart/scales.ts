import type { DatePart } from '../../engine/aggregate/group-query.ts'

interface Segment {
  readonly series: number
  readonly from: number
  readonly to: number
}

/**
 * The lanes of a row's bars: one lane of stacked pieces, or one for each series, empty where the series has no value.
 * @param at the place of a value, where 0 is the common baseline
 */
export function lanesOf(
  values: readonly (number | null)[],
  isStacked: boolean,
  at: (value: number) => number,
): Segment[][] {
  const segment = (series: number, low: number, high: number): Segment[] =>
    low === high ? [] : [{ series, from: Math.min(at(low), at(high)), to: Math.max(at(low), at(high)) }]
  if (!isStacked) return values.map((value, series) => segment(series, 0, value ?? 0))
  let sum = 0
  const pieces = values.flatMap((value, series) => {
    const from = sum
    sum += value ?? 0
    return segment(series, from, sum)
  })
  return [pieces]
}

/** The least and greatest end of the bars of all rows, including zero. */
export function extentsOf(
  rows: readonly (readonly (number | null)[])[],
  isStacked: boolean,
): [number, number] {
  const ends = rows.flatMap((row) =>
    isStacked ? [row.reduce<number>((sum, value) => sum + (value ?? 0), 0)] : row.map((value) => value ?? 0),
  )
  return [Math.min(0, ...ends), Math.max(0, ...ends)]
}

/** The round values of a scale, ascending. They span all values and zero. */
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

/** A group's place in time, counted in its periods: years, quarters, months, else days. NaN for anything else. */
export function momentOf(part: DatePart | null, text: string): number {
  if (part === null || part === 'day') return Date.parse(text) / DAY_MS
  const [year = Number.NaN, rest = 1] = text.replace('Q', '').split('-', 2).map(Number)
  return part === 'year' ? year : year * IN_YEAR[part] + rest - 1
}

/** The period at a moment, in the form of groups. */
export function periodAt(part: DatePart, moment: number): string {
  if (part === 'year') return String(moment)
  if (part === 'day') return new Date(moment * DAY_MS).toISOString().slice(0, 10)
  const [year, rest] = [Math.floor(moment / IN_YEAR[part]), (moment % IN_YEAR[part]) + 1]
  return part === 'quarter' ? `${year}-Q${rest}` : `${year}-${String(rest).padStart(2, '0')}`
}

const DAY_MS = 86_400_000
const IN_YEAR = { quarter: 4, month: 12 } as const
/** Possible steps between the labels of a time axis, in periods; some suit years, others months or days. */
const STEPS = [1, 2, 3, 5, 6, 10, 12, 20, 24, 50, 60, 100, 120, 240, 365, 730, 1825, 3650]

/**
 * The moments that a time axis labels: the first, the newest, and round ones between them where there is room.
 * @param most the most labels
 */
export function namedMoments(first: number, last: number, most: number): number[] {
  if (last <= first) return [first]
  const room = (last - first) / (most - 1)
  const step = STEPS.find((one) => one >= room) ?? Math.ceil(room)
  const between: number[] = []
  for (let at = Math.ceil(first / step) * step; at < last; at += step)
    // The first and last labels lie inside the axis, so they extend further.
    if (Math.min(at - first, last - at) >= room * 1.1) between.push(at)
  return [first, ...between, last]
}
