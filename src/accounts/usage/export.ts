/** What the account export takes from here: persisted counts and records, in pieces that are read one by one. */

import { type LogRecord, toLogRecord } from './log-record.ts'
import type { UsageRecorder } from './usage.ts'

/** Calls per day and key, oldest first; what is still pending is left out (specification 4.2). */
export async function exportDaily(
  usage: UsageRecorder,
  keyIds: readonly number[],
): Promise<{ date: string; key_id: number; requests: number }[]> {
  const rows = await usage.committedDays(keyIds)
  return rows.map(({ day, key_id, requests }) => ({ date: day, key_id, requests }))
}

/** Log records, key by key, oldest first. Await `usage.logs.settle()` before. */
export async function* exportLogs(
  usage: UsageRecorder,
  keyIds: readonly number[],
): AsyncGenerator<LogRecord> {
  for (const keyId of keyIds) {
    let page = await usage.logsOf(keyId)
    while (page.length > 0) {
      yield* page.map(toLogRecord)
      page = await usage.logsOf(keyId, page.at(-1))
    }
  }
}
