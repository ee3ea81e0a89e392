import { expect, test } from 'bun:test'
import Database from 'better-sqlite3'
import { dailyUsage, usageSummary } from '../../src/accounts/usage/summary.ts'
import { UsageRecorder } from '../../src/accounts/usage/usage.ts'
import { answered, limitedKey, useKey } from '../support/calls.ts'
import { newPlace, storesOver } from '../support/count-ledgers.ts'
import { startScript } from '../support/run-script.ts'
import { tempDataDir } from '../support/temp-dir.ts'

const EVENING = new Date('2025-02-28T23:59:59.999Z')
const MIDNIGHT = new Date('2025-03-01T00:00:00Z')
const NOON = new Date('2025-03-01T12:00:00Z')

function rowsOf(path: string, sql: string): unknown[] {
  const database = new Database(path, { readonly: true })
  try {
    return database.prepare(sql).raw().all()
  } finally {
    database.close()
  }
}

test('live numbers include what is written and what is not yet', async () => {
  const usage = UsageRecorder.open(tempDataDir().usageDb)
  useKey(usage, 1, EVENING)
  expect(await usage.totals(EVENING)).toEqual({ total: 1, today: 1 })
  await usage.flush()
  useKey(usage, 1, EVENING)
  useKey(usage, 2, MIDNIGHT)
  expect(await usage.totals(EVENING)).toEqual({ total: 3, today: 2 })
  expect(await usage.totals(MIDNIGHT)).toEqual({ total: 3, today: 1 })
  expect(usage.monthOf('key:1', EVENING)).toBe(2)
  await usage.close()
})

test('counts are kept per key and UTC day, and per owner and UTC month', async () => {
  const path = tempDataDir().usageDb
  const usage = UsageRecorder.open(path)
  for (let round = 0; round < 2; round++) {
    for (const at of [EVENING, MIDNIGHT]) void usage.reserve(limitedKey(2, null, 7), at)
    void usage.reserve(limitedKey(1, null, 7), MIDNIGHT)
    await usage.flush()
  }
  await usage.close()
  expect(rowsOf(path, 'SELECT key_id, day, requests FROM daily_usage ORDER BY 1, 2')).toEqual([
    [1, '2025-03-01', 2],
    [2, '2025-02-28', 2],
    [2, '2025-03-01', 2],
  ])
  expect(rowsOf(path, 'SELECT owner, month, requests FROM monthly_usage ORDER BY 2')).toEqual([
    ['account:7', '2025-02', 2],
    ['account:7', '2025-02-28', 2],
    ['account:7', '2025-03', 4],
    ['account:7', '2025-03-01', 4],
  ])
})

test('an uncounted call still shows in the last use, which never goes back', async () => {
  const usage = UsageRecorder.open(tempDataDir().usageDb)
  expect(await usage.lastUsed(1)).toBeNull()
  usage.record(answered({ key_id: 1, at: MIDNIGHT }))
  useKey(usage, 1, EVENING)
  expect(await usage.lastUsed(1)).toBe('2025-03-01T00:00:00Z')
  await usage.flush()
  useKey(usage, 1, EVENING)
  expect(await usage.lastUsed(1)).toBe('2025-03-01T00:00:00Z')
  await usage.flush()
  expect(await usage.lastUsed(1)).toBe('2025-03-01T00:00:00Z')
  expect(await usage.totals(EVENING)).toEqual({ total: 2, today: 2 })
  await usage.close()
})

test('a quota admits exactly its number of calls, over all keys of the account', async () => {
  const usage = UsageRecorder.open(tempDataDir().usageDb)
  const left = Array.from({ length: 12 }, (_, call) => {
    if (call % 4 === 0) void usage.flush()
    return usage.reserve(limitedKey(1 + (call % 3), 10, 7), NOON)
  })
  expect(left).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -1])
  expect(usage.monthOf('account:7', NOON)).toBe(10)
  expect(usage.reserve(limitedKey(4, 10), NOON)).toBe(9)
  await usage.close()
})

test('a returned call can be used again, whether written or not', async () => {
  const usage = UsageRecorder.open(tempDataDir().usageDb)
  const key = limitedKey(1, 1)
  for (let round = 0; round < 3; round++) {
    expect(usage.reserve(key, NOON)).toBe(0)
    if (round > 0) await usage.flush()
    usage.giveBack(key, NOON)
    if (round > 1) await usage.flush()
  }
  expect(usage.reserve(key, NOON)).toBe(0)
  expect(usage.reserve(key, NOON)).toBe(-1)
  expect(await usage.totals(NOON)).toEqual({ total: 1, today: 1 })
  expect(
    (
      await dailyUsage(
        usage,
        { owner: 'account:7', keys: [{ key_id: 1, label: 'a', state: 'active' }] },
        1,
        NOON,
      )
    ).total,
  ).toEqual([{ date: '2025-03-01', requests: 1 }])
  await usage.close()
})

test('a month begins at midnight UTC, and the clock may step back into the previous one', async () => {
  const usage = UsageRecorder.open(tempDataDir().usageDb)
  const key = limitedKey(1, 2)
  expect([EVENING, EVENING, EVENING].map((at) => usage.reserve(key, at))).toEqual([1, 0, -1])
  expect([MIDNIGHT, EVENING, MIDNIGHT].map((at) => usage.reserve(key, at))).toEqual([1, -1, 0])
  await usage.flush()
  expect([EVENING, MIDNIGHT].map((at) => usage.reserve(key, at))).toEqual([-1, -1])
  usage.giveBack(key, EVENING)
  expect([MIDNIGHT, EVENING].map((at) => usage.reserve(key, at))).toEqual([-1, 0])
  await usage.close()
})

test('a smaller or larger quota takes effect at the next call', async () => {
  const usage = UsageRecorder.open(tempDataDir().usageDb)
  for (let call = 0; call < 5; call++) void usage.reserve(limitedKey(1, 100), NOON)
  expect(usage.reserve(limitedKey(1, 3), NOON)).toBe(-1)
  expect(usage.reserve(limitedKey(1, 6), NOON)).toBe(0)
  expect(usage.reserve(limitedKey(1), NOON)).toBe(Number.POSITIVE_INFINITY)
  await usage.close()
})

test('closing writes everything, and a restart continues the counts', async () => {
  const path = tempDataDir().usageDb
  for (let round = 1; round <= 3; round++) {
    const usage = UsageRecorder.open(path)
    expect(usage.reserve(limitedKey(1, 3), NOON)).toBe(3 - round)
    await usage.close()
  }
  const again = UsageRecorder.open(path)
  expect(again.reserve(limitedKey(1, 3), NOON)).toBe(-1)
  expect(await again.totals(NOON)).toEqual({ total: 3, today: 3 })
  await again.close()
})

test('a call after closing is dropped, not fatal', async () => {
  const usage = UsageRecorder.open(tempDataDir().usageDb)
  await usage.close()
  usage.record(answered({ key_id: 1, at: NOON }))
  usage.giveBack(limitedKey(1), NOON)
  await usage.flush()
  await usage.close()
})

test('two processes on one file add up, and each sees what the other has written', async () => {
  const path = tempDataDir().usageDb
  const [countsOfOne, countsOfTwo] = storesOver(newPlace(), 2)
  const one = UsageRecorder.open(path, { counts: countsOfOne! })
  const two = UsageRecorder.open(path, { counts: countsOfTwo! })
  const key = limitedKey(1, 10)
  for (let call = 0; call < 5; call++) {
    expect(one.reserve(key, NOON)).toBe(9 - 2 * call)
    expect(two.reserve(key, NOON)).toBe(8 - 2 * call)
  }
  expect([one.reserve(key, NOON), two.reserve(key, NOON)]).toEqual([-1, -1])
  await one.flush()
  await two.flush()
  expect([(await one.totals(NOON)).total, (await two.totals(NOON)).total]).toEqual([10, 10])
  await one.close()
  await two.close()
  await countsOfOne!.close()
  await countsOfTwo!.close()
})

test('forgetting a key removes its records and keeps the totals and the account’s use', async () => {
  const path = tempDataDir().usageDb
  const usage = UsageRecorder.open(path)
  for (const keyId of [1, 2, 1]) {
    await usage.reserve(limitedKey(keyId, 10, 7), NOON)
    usage.record(answered({ key_id: keyId, at: NOON }))
  }
  useKey(usage, 3, NOON)
  await usage.forget(1)
  await usage.forget(3)
  // Calls that were running when the key was deleted.
  usage.giveBack(limitedKey(3), NOON)
  usage.record(answered({ key_id: 1, at: NOON }))
  expect(await usage.lastUsed(1)).toBeNull()
  expect(await usage.totals(NOON)).toEqual({ total: 4, today: 4 })
  expect(usage.monthOf('account:7', NOON)).toBe(3)
  expect(usage.monthOf('key:3', NOON)).toBe(0)
  expect((await usage.logs.page({ keyIds: [1, 2, 3], limit: 9, offset: 0 })).data).toHaveLength(1)
  await usage.forgetAccount(7)
  expect(usage.monthOf('account:7', NOON)).toBe(0)
  await usage.close()
  expect(
    rowsOf(
      path,
      'SELECT key_id FROM daily_usage UNION SELECT key_id FROM key_use UNION SELECT key_id FROM request_logs',
    ),
  ).toEqual([[2]])
  expect(rowsOf(path, 'SELECT owner FROM monthly_usage')).toEqual([])
})

test('a failed flush keeps the counts, is reported, and disturbs no request', async () => {
  const path = tempDataDir().usageDb
  const errors: unknown[] = []
  const usage = UsageRecorder.open(path, { onError: (error) => errors.push(error) })
  // A trigger refuses the write as a full disk would: with SQLite's error, in the middle of the transaction.
  const breaker = new Database(path)
  breaker.exec(
    `CREATE TRIGGER full BEFORE INSERT ON daily_totals BEGIN SELECT RAISE(ABORT, 'disk is full'); END`,
  )
  for (let call = 1; call <= 2; call++) {
    expect(usage.reserve(limitedKey(1, 3), MIDNIGHT)).toBe(3 - call)
    usage.record(answered({ key_id: 1, at: MIDNIGHT }))
    await usage.flush()
  }
  expect(errors).toHaveLength(2)
  expect(await usage.totals(MIDNIGHT)).toEqual({ total: 2, today: 2 })
  breaker.exec('DROP TRIGGER full')
  breaker.close()
  await usage.flush()
  expect(errors).toHaveLength(2)
  expect(await usage.totals(MIDNIGHT)).toEqual({ total: 2, today: 2 })
  await usage.close()
  expect(rowsOf(path, 'SELECT requests FROM daily_usage')).toEqual([[2]])
})

test('while nothing can be written, log records are kept up to a bound, and all calls stay counted', async () => {
  const path = tempDataDir().usageDb
  const dropped: number[] = []
  const usage = UsageRecorder.open(path, { onDropped: (records) => dropped.push(records) })
  const breaker = new Database(path)
  breaker.exec(
    `CREATE TRIGGER full BEFORE INSERT ON log_inbox BEGIN SELECT RAISE(ABORT, 'disk is full'); END`,
  )
  const calls = 1500
  for (let call = 0; call < calls; call++) {
    await usage.reserve(limitedKey(1), NOON)
    usage.record(answered({ key_id: 1, at: NOON, query: 'q='.padEnd(16_000, 'x') }))
  }
  await usage.flush()
  breaker.exec('DROP TRIGGER full')
  breaker.close()
  await usage.flush()
  expect(dropped).toHaveLength(1)
  expect(dropped[0]).toBeGreaterThan(0)
  expect((await usage.totals(NOON)).total).toBe(calls)
  const { pagination } = await usage.logs.page({ keyIds: [1], limit: 1, offset: 0 })
  expect(pagination.total + dropped[0]!).toBe(calls)
  await usage.close()
})

test('a summary adds up keys, the account’s use and its quota', async () => {
  const usage = UsageRecorder.open(tempDataDir().usageDb)
  const use = (keyId: number, account: number | undefined, at: Date, calls: number) => {
    for (let call = 0; call < calls; call++) void usage.reserve(limitedKey(keyId, 10, account), at)
    void usage.flush()
  }
  use(1, 7, EVENING, 1)
  use(1, 7, MIDNIGHT, 2)
  use(2, 7, new Date('2025-03-02T08:00:00Z'), 3)
  use(3, 7, MIDNIGHT, 1)
  await usage.forget(3)
  use(4, undefined, new Date('2025-03-02T09:00:00Z'), 2)
  void usage.reserve(limitedKey(2, 10, 7), new Date('2025-03-02T10:00:00Z'))
  const plan = { name: 'free', monthly_quota: 10, max_active_keys: 5, per_minute: 1 }
  const keys = [1, 2, 4].map((key_id) => ({ key_id, label: `k${key_id}`, state: 'active' }))
  const now = new Date('2025-03-02T12:00:00Z')
  const { per_minute: _, ...shown } = plan
  expect(await usageSummary(usage, { owner: 'account:7', plan, keys }, now)).toEqual({
    month: '2025-03',
    day: '2025-03-02',
    plan: shown,
    total: { month: 9, day: 6, remaining: 3 },
    keys: [
      { key_id: 1, label: 'k1', state: 'active', month: 2, day: 0 },
      { key_id: 2, label: 'k2', state: 'active', month: 4, day: 4 },
      { key_id: 4, label: 'k4', state: 'active', month: 2, day: 2 },
    ],
  })
  expect(await dailyUsage(usage, { owner: 'account:8', keys: keys.slice(0, 2) }, 3, now)).toEqual({
    days: 3,
    from: '2025-02-28',
    to: '2025-03-02',
    total: [
      { date: '2025-02-28', requests: 1 },
      { date: '2025-03-01', requests: 2 },
      { date: '2025-03-02', requests: 4 },
    ],
    keys: [
      { key_id: 1, label: 'k1', daily: [1, 2, 0].map((requests, day) => ({ date: dates[day]!, requests })) },
      { key_id: 2, label: 'k2', daily: [0, 0, 4].map((requests, day) => ({ date: dates[day]!, requests })) },
    ],
  })
  await usage.close()
})

const dates = ['2025-02-28', '2025-03-01', '2025-03-02']

test('a killed process loses no more than its last moments', async () => {
  const path = tempDataDir().usageDb
  const { child } = await startScript('record-usage.ts', path)
  child.kill('SIGKILL')
  await child.exited
  const ended = Date.now()
  const usage = UsageRecorder.open(path)
  // At least 200 were made, over a second or more.
  expect((await usage.totals(new Date())).total).toBeGreaterThan(50)
  const last = Date.parse((await usage.lastUsed(1)) ?? '')
  expect(ended - last).toBeLessThan(5000)
  const { pagination } = await usage.logs.page({ keyIds: [1], limit: 1, offset: 0 })
  expect(pagination.total).toBe((await usage.totals(new Date())).total)
  await usage.close()
})
