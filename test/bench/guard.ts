/** Ratios to something measured in the same run, which fail a quick run in the checks when they are far off. */

import type { Measurement } from './report.ts'

/** A line fails when it is off by more than this factor: on a small table, start-up and noise weigh more. */
const FAR_OFF = 2

/**
 * Lines whose figure is a ratio to a peer of the same run, which a slow machine slows down as well, and what the
 * ratio of a healthy program is at least in a run of this size.
 */
const GUARDED: ReadonlyMap<string, number> = new Map([
  ['export as CSV, filtered', 0.25],
  ['list, the same query again', 0.6],
  ['list, every request another filter and page', 0.5],
  ['304', 0.4],
])

/** Guarded lines that were not measured, for example without an sqlite3 shell. */
export function findUnguarded(measurements: readonly Measurement[]): string[] {
  return [...GUARDED.keys()].filter((line) => !measurements.some(({ work }) => work === line))
}

/** The lines that are far off, in words; empty when all is well. */
export function findRegressions(measurements: readonly Measurement[]): string[] {
  return measurements.flatMap(({ work, ratio, measured, target }) => {
    const healthy = GUARDED.get(work)
    if (healthy === undefined || ratio === null || ratio >= healthy / FAR_OFF) return []
    return [`${work}: ${measured}, far below ${target}`]
  })
}
