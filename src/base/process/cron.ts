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

/** What is wrong with a schedule (a cron pattern of five parts, or a word such as `@daily`), or null. */
export function findScheduleProblem(pattern: string): string | null {
  try {
    const runs = readPattern(pattern).nextRun(new Date(0))
    return runs === null ? `'${pattern}' names a moment that never comes` : null
  } catch (error) {
    const reason = (error as Error).message.replace(/^CronPattern: /, '')
    return `'${pattern}' is no schedule (minute, hour, day, month, day of the week; "0 6 * * 1" is Monday at 06:00 UTC): ${reason}`
  }
}
