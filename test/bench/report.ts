/** The table that a run prints at its end. */

import { writeFileSync } from 'node:fs'

export interface Measurement {
  readonly work: string
  /** What was measured, with its unit. */
  readonly measured: string
  /** The same as a number. */
  readonly value: number
  /** The target, as text; null when there is none. */
  readonly target: string | null
  /** Measured against the target: 1 is just met, 2 is twice as good. null without target. */
  readonly ratio: number | null
  /** How it was measured, and related figures. */
  readonly note: string
  readonly unit: string
  /** Whether more is better, as for requests a second. */
  readonly isRate: boolean
  /** What other programs needed for the same in the same run. */
  readonly peers: readonly Peer[]
}

interface Peer {
  readonly name: string
  readonly measured: string
  /** How many times better ours is. */
  readonly ratio: number
  /** Whether ours should be no worse. */
  readonly isAsked: boolean
}

/** What a peer needed, by the names of our lines. */
export type Figures = readonly (readonly [work: string, value: number])[]

/** The line with what another program needed for the same in the same run, in the same unit. */
export function beside(line: Measurement, name: string, value: number, isAsked = true): Measurement {
  const ratio = line.isRate ? line.value / value : value / line.value
  const peer = { name, measured: `${shown(value)}${line.unit}`, ratio, isAsked }
  return { ...line, peers: [...line.peers, peer] }
}

/** Ratios beyond this say nothing more. */
const MOST_SHOWN = 99

/** One line of the report whose figure should be at least `wanted`. */
export function atLeast(work: string, value: number, wanted: number, unit: string, note = ''): Measurement {
  return {
    work,
    measured: `${shown(value)}${unit}`,
    value,
    target: `>= ${shown(wanted)}${unit}`,
    ratio: value / wanted,
    ...{ note, unit, isRate: true, peers: [] },
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
    ...{ note, unit, isRate: false, peers: [] },
  }
}

/** A figure without a target. */
export function plainly(work: string, value: number, unit: string, note = '', isRate = false): Measurement {
  const measured = `${shown(value)}${unit}`
  return { work, measured, value, target: null, ratio: null, note, unit, isRate, peers: [] }
}

/** The median of an odd number of figures. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1] as number
}

function shown(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** By the target and the peers that ours should be no worse than. */
function verdict({ ratio, peers }: Measurement): string {
  const asked = peers.filter(({ isAsked }) => isAsked).map((peer) => peer.ratio)
  const ratios = ratio === null ? asked : [ratio, ...asked]
  if (ratios.length === 0) return ''
  const least = Math.min(...ratios)
  return least >= 1 ? 'yes' : least >= 0.5 ? 'within 2x' : 'no'
}

/** Prints the measurements as a table and writes them as JSON to `path`. */
export function writeReport(measurements: readonly Measurement[], facts: object, path: string): void {
  const rows = measurements.map((line) => [
    line.work,
    line.measured,
    line.target ?? '',
    line.peers.map((peer) => `${shown(peer.ratio)} x ${peer.name} (${peer.measured})`).join(', '),
    verdict(line),
    line.note,
  ])
  const head = ['work', 'measured', 'target', 'times better than peers', 'ok', 'note']
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
