/** The table that a run ends with. */

import { writeFileSync } from 'node:fs'

export interface Measurement {
  readonly work: string
  /** What was measured, with its unit. */
  readonly measured: string
  /** The same as a number. */
  readonly value: number
  /** What design asks for, as text; null when it asks nothing of this. */
  readonly target: string | null
  /** Measured against the target: 1 is just met, 2 is twice as good. null without target. */
  readonly ratio: number | null
  /** What it was compared with, and how. */
  readonly note: string
}

/** Ratios beyond this say no more than this does. */
const MOST_SHOWN = 99

/** One line of the report whose figure should be at least `wanted`. */
export function atLeast(work: string, value: number, wanted: number, unit: string, note = ''): Measurement {
  return {
    work,
    measured: `${shown(value)}${unit}`,
    value,
    target: `>= ${shown(wanted)}${unit}`,
    ratio: value / wanted,
    note,
  }
}

/** One line of the report whose figure should be at most `wanted`. */
export function atMost(work: string, value: number, wanted: number, unit: string, note = ''): Measurement {
  return {
    work,
    measured: `${shown(value)}${unit}`,
    value,
    target: `<= ${shown(wanted)}${unit}`,
    ratio: value > 0 ? Math.min(wanted / value, MOST_SHOWN) : MOST_SHOWN,
    note,
  }
}

/** A figure that belongs to the picture and has no target. */
export function plainly(work: string, value: number, unit: string, note = ''): Measurement {
  return { work, measured: `${shown(value)}${unit}`, value, target: null, ratio: null, note }
}

/** The middle one of an odd number of figures. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1] as number
}

function shown(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function verdict(ratio: number | null): string {
  if (ratio === null) return ''
  return ratio >= 1 ? 'yes' : ratio >= 0.5 ? 'within 2x' : 'no'
}

/** Prints the measurements as a table and writes them as JSON to `path`. */
export function writeReport(measurements: readonly Measurement[], facts: object, path: string): void {
  const rows = measurements.map(({ work, measured, target, ratio, note }) => [
    work,
    measured,
    target ?? '',
    ratio === null ? '' : ratio.toFixed(2),
    verdict(ratio),
    note,
  ])
  const head = ['work', 'measured', 'target', 'ratio', 'ok', 'note']
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  for (const row of [head, widths.map((width) => '-'.repeat(width)), ...rows]) {
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
  writeFileSync(path, `${JSON.stringify({ ...facts, measurements }, null, 2)}\n`)
  console.log(`\nAs JSON: ${path}`)
}
