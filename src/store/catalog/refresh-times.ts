/** When a dataset is fetched again: by its schedule, with growing delays after failures. */

import { LAST_RETRY_MS, readPattern, retryDelay } from '../../base/process/schedule.ts'

/** Runs of one schedule are spread over this time, or over a tenth of its interval where that is less. */
const SPREAD_MS = 300_000

/**
 * The next run of a schedule. Each dataset has its own place within some minutes after the moment that the pattern
 * names, always the same, so that fifty datasets with one pattern do not ask one publisher at once.
 */
export function nextRun(pattern: string, dataset: string, after: Date): Date {
  const [first, second] = readPattern(pattern).nextRuns(2, after)
  if (first === undefined) return new Date(after.getTime() + LAST_RETRY_MS)
  const interval = second === undefined ? LAST_RETRY_MS : second.getTime() - first.getTime()
  const place = Bun.hash.crc32(dataset) / 2 ** 32
  return new Date(first.getTime() + Math.floor(place * Math.min(SPREAD_MS, interval / 10)))
}

/**
 * When to try again: 5 minutes after the first failure, then twice as long each time, up to a day.
 * @param failures in a row, at least 1 @param waits a failure that the same file would bring again: not before the
 * schedule's next run
 */
export function nextAttempt(
  pattern: string,
  dataset: string,
  { after, failures, waits }: { after: Date; failures: number; waits: boolean },
): Date {
  const retry = new Date(after.getTime() + retryDelay(failures))
  const regular = nextRun(pattern, dataset, after)
  return waits && regular > retry ? regular : retry
}
