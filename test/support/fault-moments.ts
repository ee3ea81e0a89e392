/**
 * Random moments at which tests end a process, and how many of them were tried. `FAULT_MOMENTS` says how many of each kind;
 * `FAULT_SEED` repeats a run's random numbers, but not what the machine does meanwhile.
 */

import { randomFrom } from './random-numbers.ts'

/** How many moments of each kind are tried. */
export const MOMENTS = wholeNumber('FAULT_MOMENTS', 1)
const SEED = wholeNumber('FAULT_SEED', Date.now() % 1_000_000)

/** Time limit of a test, which grows with the moments that it tries. In ms. */
export const FAULT_TIMEOUT = 60_000 + MOMENTS * 20_000

/** Test files share no modules, but they share the process. */
const shared = globalThis as { faultMoments?: Map<string, number> }
const counts = shared.faultMoments ?? new Map<string, number>()
shared.faultMoments = counts

/** A repeatable source of numbers from 0 to 1 (not included), a different one for each kind of moment. */
export function randomMoments(kind: string): () => number {
  return randomFrom(SEED ^ Number(Bun.hash.crc32(kind)))
}

/** Notes that a moment was tried. */
export function countMoment(kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
}

/** One line, or null when there was none. */
export function summarizeMoments(): string | null {
  if (counts.size === 0) return null
  const kinds = [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => `${count} ${kind}`)
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return `faults: ${total} moments tried (${kinds.join(', ')}), FAULT_SEED=${SEED}`
}

function wholeNumber(variable: string, fallback: number): number {
  const text = process.env[variable]
  if (text === undefined || text === '') return fallback
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${variable} must be a whole number, not ${text}`)
  return Number(text)
}
