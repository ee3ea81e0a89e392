/** What the account export takes from here: persisted counts and records, in pieces that are read one by one. */

import { type LogRecord, toLogRecord } from './log-record.ts'
import type { UsageRecorder } from './usage.ts'

/** Calls per day and key, oldest first; what is still pending is left out (specification 4.2). */
export function exportDaily(
  usage: UsageRecorder,
  keyIds: readonly number[],
): { date: string; key_id: number; requests: number }[] {
  return usage.committedDays(keyIds).map(({ day, key_id, requests }) => ({ date: day, key_id, requests }))
}

/** Log records, key by key, oldest first. Await `usage.logs.settle()` before. */
export function* exportLogs(usage: UsageRecorder, keyIds: readonly number[]): Generator<LogRecord> {
  for (const keyId of keyIds) {
    let page = usage.logsOf(keyId)
    while (page.length > 0) {
      yield* page.map(toLogRecord)
      page = usage.logsOf(keyId, page.at(-1))
    }
  }
}
