/** UTC days and months, as numbers that are cheap to compare and as the names counters are stored under. */

import { formatDay } from '../../base/text/timestamp.ts'

export const DAY_MS = 86_400_000

/** Days since 1970-01-01 UTC. */
export function dayNumber(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS)
}

let lastDay = { number: Number.NaN, name: '' }

/** `2025-01-31` of a day number. */
export function dayName(day: number): string {
  if (lastDay.number !== day) lastDay = { number: day, name: formatDay(new Date(day * DAY_MS)) }
  return lastDay.name
}

export interface Month {
  /** `2025-01` */
  readonly name: string
  /** Day numbers; `end` is the first day of the next month. */
  readonly start: number
  readonly end: number
}

let last: Month = { name: '', start: 0, end: 0 }

/** The UTC month that a moment falls into. */
export function monthOf(at: Date): Month {
  const day = dayNumber(at)
  if (day >= last.start && day < last.end) return last
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  last = {
    name: dayName(day).slice(0, 7),
    start: Date.UTC(year, month) / DAY_MS,
    end: Date.UTC(year, month + 1) / DAY_MS,
  }
  return last
}
