/** When the next backup by schedule is due, and what the health endpoint reports. */

import { readPattern, retryDelay } from '../../base/process/schedule.ts'
import type { BackupRecord } from './record.ts'

/**
 * Whether a backup is due. The first one is due at once, which shows the operator that the schedule works. Runs missed
 * while the service was down are run later. After a failure the delay grows from 5 minutes to a day.
 * @param schedule a cron pattern, in UTC
 */
export function isBackupDue({ scheduled, failed }: BackupRecord, schedule: string, now: Date): boolean {
  if (failed !== null) {
    return now.getTime() >= Date.parse(failed.at) + retryDelay(failed.failures)
  }
  if (scheduled === null) return true
  const next = readPattern(schedule).nextRun(new Date(scheduled.at))
  return next !== null && next <= now
}

/** For the public health endpoint: no paths, no reasons. */
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
