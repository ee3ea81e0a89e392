/** The chart of a column: its kind and its numbers. */

import { shorten } from '../../base/text/shorten.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import type { ValueCounts } from '../../engine/value-counts.ts'

export interface ChartBar {
  readonly label: string
  readonly value: number
  /** A range drawn as one bar. */
  readonly to?: string
  /** Whether the label is cut, so that it cannot serve as a filter. */
  readonly isCut?: true
}

/** `ranking`: the most frequent values; `histogram`: ranges of numbers; `timeline`: days, months or years. */
export interface Chart {
  readonly column: string
  readonly kind: 'ranking' | 'histogram' | 'timeline'
  readonly bars: readonly ChartBar[]
  /** Rows in no bar: other values, and rows without one. */
  readonly others: number
  readonly missing: number
  readonly total: number
}

const RANKED = 12
/** Characters of a value beside its bar. */
const LONGEST_LABEL = 200
/** Whole numbers with at most this many values are categories: grades, months, codes. */
const FEW_VALUES = 20
const BINS = 40
const MOST_DAYS = 92
const MOST_MONTHS = 120

/** Makes a column's chart of its counts. */
export function makeChart(column: string, counts: ValueCounts): Chart {
  const { type, total, missing } = counts
  const shape = shapeOf(type, counts)
  const bars = shape === 'ranking' ? rank(counts) : shape === 'histogram' ? bin(counts) : line(counts)
  const drawn = bars.reduce((sum, { value }) => sum + value, 0)
  return { column, kind: shape, bars, others: total - missing - drawn, missing, total }
}

function shapeOf(type: ColumnType, { distinct }: ValueCounts): Chart['kind'] {
  if (distinct <= 1) return 'ranking'
  if (type === 'date' || type === 'datetime') return 'timeline'
  if (type === 'decimal') return distinct > RANKED ? 'histogram' : 'ranking'
  if (type === 'integer') return distinct > FEW_VALUES ? 'histogram' : 'ranking'
  return 'ranking'
}

/** Few numbers keep their order (years, grades); anything else goes by frequency. */
function rank(counts: ValueCounts): ChartBar[] {
  const { type, byCode, textOf, distinct } = counts
  const isOrdered = (type === 'integer' || type === 'decimal') && distinct <= FEW_VALUES
  const codes = isOrdered ? occurring(counts) : topCodes(byCode, RANKED)
  return codes.map((code) => {
    const text = textOf(code)
    const label = shorten(text, LONGEST_LABEL)
    return { label, value: byCode[code]!, ...(label !== text && { isCut: true }) }
  })
}

/** The most frequent codes, most frequent first, without null. */
export function topCodes(byCode: Uint32Array, most: number): number[] {
  const top: number[] = []
  for (let code = 1; code < byCode.length; code++) {
    const count = byCode[code]!
    if (count === 0 || (top.length === most && count <= byCode[top[most - 1]!]!)) continue
    let at = top.length
    while (at > 0 && byCode[top[at - 1]!]! < count) at--
    top.splice(at, 0, code)
    if (top.length > most) top.pop()
  }
  return top
}

function occurring({ byCode }: ValueCounts): number[] {
  const codes: number[] = []
  for (let code = 1; code < byCode.length; code++) if (byCode[code]! > 0) codes.push(code)
  return codes
}

function bin(counts: ValueCounts): ChartBar[] {
  const [least, most] = boundsOf(counts).map(Number) as [number, number]
  const width = niceWidth((most - least) / BINS, counts.type === 'integer')
  const start = Math.floor(least / width)
  const bins = Math.floor(most / width) - start + 1
  const sums = sumRuns(counts, bins, (text, index) => Math.floor(Number(text) / width) - start >= index)
  const write = (index: number) => String(Number(((start + index) * width).toPrecision(12)))
  // A bin of one whole number is not a range.
  if (counts.type === 'integer' && width === 1)
    return sums.map((value, index) => ({ label: write(index), value }))
  return sums.map((value, index) => ({ label: write(index), value, to: write(index + 1) }))
}

/** The least and the greatest value. */
function boundsOf({ byCode, textOf }: ValueCounts): [string, string] {
  let first = 1
  let last = byCode.length - 1
  while (byCode[first] === 0) first++
  while (byCode[last] === 0) last--
  return [textOf(first), textOf(last)]
}

/**
 * Sums runs of codes, which are in the order of their values. A column may have millions of codes, so a binary search
 * finds only the start of each run.
 * @param begins whether a value belongs to run `index` or a later one
 */
function sumRuns(
  { byCode, textOf }: ValueCounts,
  runs: number,
  begins: (text: string, index: number) => boolean,
): number[] {
  const firstOf = (index: number, from: number) => {
    let low = from
    let high = byCode.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (begins(textOf(middle), index)) high = middle
      else low = middle + 1
    }
    return low
  }
  const sums: number[] = []
  let from = firstOf(0, 1)
  for (let index = 0; index < runs; index++) {
    const until = firstOf(index + 1, from)
    let sum = 0
    for (let code = from; code < until; code++) sum += byCode[code]!
    sums.push(sum)
    from = until
  }
  return sums
}

/** At least `width`, and 1, 2 or 5 times a power of ten, so that ranges begin at round numbers. */
function niceWidth(width: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(width))
  const nice = ([1, 2, 5, 10].find((factor) => factor * power >= width) ?? 10) * power
  return isWhole ? Math.max(1, nice) : nice
}

function line(counts: ValueCounts): ChartBar[] {
  const [first, last] = boundsOf(counts)
  const days = (Date.parse(last.slice(0, 10)) - Date.parse(first.slice(0, 10))) / 86_400_000
  const length = days <= MOST_DAYS ? 10 : days / 30.4 <= MOST_MONTHS ? 7 : 4
  const labels = periods(first.slice(0, length), last.slice(0, length))
  const sums = sumRuns(counts, labels.length, (text, index) => {
    const label = labels[index]
    return label === undefined ? text.slice(0, length) > labels[index - 1]! : text.slice(0, length) >= label
  })
  return labels.map((label, index) => ({ label, value: sums[index]! }))
}

const MOST_PERIODS = 400

/** All days, months or years from one to another, including those without rows. */
function periods(first: string, last: string): string[] {
  const found: string[] = []
  const at = new Date(`${first}${'0000-01-01'.slice(first.length)}T00:00:00Z`)
  for (
    let period = first;
    // The year after 9999 is written with a sign, which sorts before any digit.
    period >= first && period <= last && found.length < MOST_PERIODS;
    period = at.toISOString().slice(0, first.length)
  ) {
    found.push(period)
    if (first.length === 10) at.setUTCDate(at.getUTCDate() + 1)
    else if (first.length === 7) at.setUTCMonth(at.getUTCMonth() + 1)
    else at.setUTCFullYear(at.getUTCFullYear() + 1)
  }
  return found
}
