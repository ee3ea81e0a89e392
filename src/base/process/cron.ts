/** Cron patterns, and how long to wait after a failure. */

import { Cron } from 'croner'

const FIRST_RETRY_MS = 300_000
export const LAST_RETRY_MS = 86_400_000

/**
 * Parses a pattern of five fields, or a word such as `@daily`, and starts nothing. Hours are always UTC.
 * @throws Error of croner for a text that is no pattern
 */
export function readPattern(pattern: string): Cron {
  return new Cron(pattern, { paused: true, timezone: 'UTC', mode: '5-part' })
}

/** Milliseconds to wait after `failures` failures in a row (at least 1): 5 minutes, then twice as long each time, up to a day. */
export function retryDelay(failures: number): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20))
}
