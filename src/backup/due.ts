/** When the next backup by schedule is due, and what health says of them. */

import { Cron } from 'croner'
import type { BackupRecord } from './record.ts'

const FIRST_RETRY_MS = 300_000
const LAST_RETRY_MS = 86_400_000

/**
 * At once when there was none yet, so that whoever sets a schedule sees that it works; runs missed while the service was
 * down are made up for; after a failure again in 5 minutes, then later and later, up to a day.
 * @param schedule a cron pattern, in UTC
 */
export function isBackupDue({ scheduled, failed }: BackupRecord, schedule: string, now: Date): boolean {
  if (failed !== null) {
    const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failed.failures - 1, 20))
    return now.getTime() >= Date.parse(failed.at) + delay
  }
  if (scheduled === null) return true
  const next = new Cron(schedule, { paused: true, timezone: 'UTC', mode: '5-part' }).nextRun(
    new Date(scheduled.at),
  )
  return next !== null && next <= now
}

/** For health, which everybody may read: no paths, no reasons. */
export function describeBackups(
  { last, scheduled, failed }: BackupRecord,
  schedule: string | null,
): { readonly status: 'ok' | 'degraded'; readonly message: string } {
  if (schedule === null)
    return {
      status: 'ok',
      message: last === null ? 'not scheduled' : `not scheduled; the last one: ${last.at}`,
    }
  const newest = last === null ? 'there is none' : `the last one: ${last.at}`
  if (failed !== null) return { status: 'degraded', message: `failing, at last ${failed.at}; ${newest}` }
  if (scheduled === null) return { status: 'ok', message: 'none yet' }
  if (scheduled.damaged.length > 0)
    return { status: 'degraded', message: `${newest}, with ${scheduled.damaged.length} damaged files` }
  return { status: 'ok', message: newest }
}
