import { expect, test } from 'bun:test'
import Database from 'better-sqlite3'
import { UsageRecorder } from '../../src/usage/usage.ts'
import { startScript } from '../support/run-script.ts'
import { tempDataDir } from '../support/temp-dir.ts'

const EVENING = new Date('2025-03-01T23:59:59.999Z')
const MIDNIGHT = new Date('2025-03-02T00:00:00Z')

function rowsOf(path: string, sql: string): unknown[] {
  const database = new Database(path, { readonly: true })
  try {
    return database.prepare(sql).raw().all()
  } finally {
    database.close()
  }
}

test('live numbers hold what is written and what is not yet', () => {
  const usage = UsageRecorder.open(tempDataDir().usageDb)
  usage.record({ keyId: 1, counted: true, at: EVENING })
  expect(usage.totals(EVENING)).toEqual({ total: 1, today: 1 })
  usage.flush()
  usage.record({ keyId: 1, counted: true, at: EVENING })
  usage.record({ keyId: 2, counted: true, at: MIDNIGHT })
  expect(usage.totals(EVENING)).toEqual({ total: 3, today: 2 })
  expect(usage.totals(MIDNIGHT)).toEqual({ total: 3, today: 1 })
  usage.close()
})

test('counts are kept per key and UTC day', () => {
  const path = tempDataDir().usageDb
  const usage = UsageRecorder.open(path)
  for (let round = 0; round < 2; round++) {
    usage.record({ keyId: 2, counted: true, at: EVENING })
    usage.record({ keyId: 2, counted: true, at: MIDNIGHT })
    usage.record({ keyId: 1, counted: true, at: MIDNIGHT })
    usage.flush()
  }
  usage.close()
  expect(rowsOf(path, 'SELECT key_id, day, requests FROM daily_usage ORDER BY 1, 2')).toEqual([
    [1, '2025-03-02', 2],
    [2, '2025-03-01', 2],
    [2, '2025-03-02', 2],
  ])
})

test('a call that does not count still shows in the last use, which never goes back', () => {
  const usage = UsageRecorder.open(tempDataDir().usageDb)
  expect(usage.lastUsed(1)).toBeNull()
  usage.record({ keyId: 1, counted: false, at: MIDNIGHT })
  usage.record({ keyId: 1, counted: true, at: EVENING })
  expect(usage.lastUsed(1)).toBe('2025-03-02T00:00:00Z')
  usage.flush()
  usage.record({ keyId: 1, counted: true, at: EVENING })
  expect(usage.lastUsed(1)).toBe('2025-03-02T00:00:00Z')
  usage.flush()
  expect(usage.lastUsed(1)).toBe('2025-03-02T00:00:00Z')
  expect(usage.totals(EVENING)).toEqual({ total: 2, today: 2 })
  usage.close()
})

test('forgetting a key removes its records and keeps the totals', () => {
  const path = tempDataDir().usageDb
  const usage = UsageRecorder.open(path)
  for (const keyId of [1, 2, 1]) usage.record({ keyId, counted: true, at: MIDNIGHT })
  usage.forget(1)
  expect(usage.lastUsed(1)).toBeNull()
  expect(usage.totals(MIDNIGHT)).toEqual({ total: 3, today: 3 })
  usage.close()
  expect(rowsOf(path, 'SELECT key_id FROM daily_usage UNION SELECT key_id FROM key_use')).toEqual([[2]])
})

test('closing writes everything, and a restart counts on', () => {
  const path = tempDataDir().usageDb
  for (let round = 1; round <= 3; round++) {
    const usage = UsageRecorder.open(path)
    usage.record({ keyId: 1, counted: true, at: MIDNIGHT })
    usage.close()
    const again = UsageRecorder.open(path)
    expect(again.totals(MIDNIGHT)).toEqual({ total: round, today: round })
    again.close()
  }
})

test('a call recorded after closing is dropped, not fatal', () => {
  const usage = UsageRecorder.open(tempDataDir().usageDb)
  usage.close()
  usage.record({ keyId: 1, counted: true, at: MIDNIGHT })
  usage.flush()
  usage.close()
})

test('a flush that fails keeps the counts, tells, and disturbs nobody', () => {
  const path = tempDataDir().usageDb
  const errors: unknown[] = []
  const usage = UsageRecorder.open(path, { onError: (error) => errors.push(error) })
  // A trigger refuses the write as a full disk would: with SQLite's error, in the middle of the transaction.
  const breaker = new Database(path)
  breaker.exec(
    `CREATE TRIGGER full BEFORE INSERT ON daily_totals BEGIN SELECT RAISE(ABORT, 'disk is full'); END`,
  )
  usage.record({ keyId: 1, counted: true, at: MIDNIGHT })
  usage.flush()
  usage.record({ keyId: 1, counted: true, at: MIDNIGHT })
  usage.flush()
  expect(errors).toHaveLength(2)
  expect(usage.totals(MIDNIGHT)).toEqual({ total: 2, today: 2 })
  breaker.exec('DROP TRIGGER full')
  breaker.close()
  usage.flush()
  expect(errors).toHaveLength(2)
  expect(usage.totals(MIDNIGHT)).toEqual({ total: 2, today: 2 })
  usage.close()
  expect(rowsOf(path, 'SELECT requests FROM daily_usage')).toEqual([[2]])
})

test('two processes on one file add up', () => {
  const path = tempDataDir().usageDb
  const recorders = [UsageRecorder.open(path), UsageRecorder.open(path)]
  for (const usage of recorders) {
    for (let call = 0; call < 5; call++) usage.record({ keyId: 1, counted: true, at: MIDNIGHT })
    usage.flush()
  }
  for (const usage of recorders) expect(usage.totals(MIDNIGHT).total).toBe(10)
  for (const usage of recorders) usage.close()
})

test('a killed process loses no more than its last moments', async () => {
  const path = tempDataDir().usageDb
  const { child } = await startScript('record-usage.ts', path)
  child.kill('SIGKILL')
  await child.exited
  const usage = UsageRecorder.open(path)
  // A second of one call per millisecond at best; timers on a busy machine give fewer.
  expect(usage.totals(new Date()).total).toBeGreaterThan(50)
  const last = Date.parse(usage.lastUsed(1) ?? '')
  expect(Date.now() - last).toBeLessThan(5000)
  usage.close()
})
