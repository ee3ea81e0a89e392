/** Dataset use: daily sums by key and format, which outlive their keys without naming them. */

import { expect, test } from 'bun:test'
import Database from 'better-sqlite3'
import { dayName, dayNumber } from '../../src/accounts/usage/calendar.ts'
import type { DatasetAnswer, UseDimension } from '../../src/accounts/usage/dataset-use.ts'
import { UsageRecorder } from '../../src/accounts/usage/usage.ts'
import { tempDataDir } from '../support/temp-dir.ts'

const NOON = new Date('2025-03-01T12:00:00Z')
const TODAY = dayNumber(NOON)

function answer(more: Partial<DatasetAnswer> = {}): DatasetAnswer {
  return { day: TODAY, dataset: 'towns', keyId: 1, format: 'json', rows: 10, bytes: 100, ...more }
}

const ALL = { datasets: null, keyIds: null, from: dayName(0), to: dayName(TODAY), limit: 100, offset: 0 }

async function rowsOf(usage: UsageRecorder, by: readonly UseDimension[], more = {}) {
  return (await usage.use({ ...ALL, by, ...more })).rows
}

test('answers are summed by day, dataset, key and format, across flushes and processes', async () => {
  const path = tempDataDir().usageDb
  const usage = UsageRecorder.open(path)
  const other = UsageRecorder.open(path)
  for (const one of [usage, other, usage]) {
    one.used(answer())
    one.used(answer({ format: 'csv', rows: 1000, bytes: 5000 }))
    one.used(answer({ keyId: null }))
    one.used(answer({ day: TODAY - 1 }))
    await one.flush()
  }
  expect(await rowsOf(usage, ['day', 'dataset', 'key', 'format'])).toEqual([
    { day: '2025-02-28', dataset: 'towns', key_id: 1, format: 'json', calls: 3, rows: 30, bytes: 300 },
    { day: '2025-03-01', dataset: 'towns', key_id: 0, format: 'json', calls: 3, rows: 30, bytes: 300 },
    { day: '2025-03-01', dataset: 'towns', key_id: 1, format: 'csv', calls: 3, rows: 3000, bytes: 15_000 },
    { day: '2025-03-01', dataset: 'towns', key_id: 1, format: 'json', calls: 3, rows: 30, bytes: 300 },
  ])
  expect(await rowsOf(usage, ['format'])).toEqual([
    { format: 'json', calls: 9, rows: 90, bytes: 900 },
    { format: 'csv', calls: 3, rows: 3000, bytes: 15_000 },
  ])
  expect(await usage.use({ ...ALL, by: ['day'], limit: 1 })).toMatchObject({
    ...{ sum: { calls: 12, rows: 3090, bytes: 15_900 }, total: 2 },
    rows: [{ day: '2025-02-28' }],
  })
  for (const one of [usage, other]) await one.close()
})

test('a query can be narrowed to datasets, keys and days', async () => {
  const usage = UsageRecorder.open(tempDataDir().usageDb)
  for (const dataset of ['towns', 'roads', "o'hara"])
    for (const keyId of [1, 2]) usage.used(answer({ dataset, keyId, day: TODAY - keyId }))
  expect(await rowsOf(usage, ['dataset'], { datasets: ["o'hara"] })).toMatchObject([
    { dataset: "o'hara", calls: 2 },
  ])
  expect(await rowsOf(usage, ['dataset'], { datasets: [] })).toEqual([])
  expect(await rowsOf(usage, ['key'], { keyIds: [2] })).toMatchObject([{ key_id: 2, calls: 3 }])
  expect(await rowsOf(usage, ['key'], { from: dayName(TODAY - 1) })).toMatchObject([{ key_id: 1, calls: 3 }])
  await usage.close()
})

test('calls of a deleted key stay, without the key, whether written or not, including those that arrive later', async () => {
  const path = tempDataDir().usageDb
  const usage = UsageRecorder.open(path)
  const other = UsageRecorder.open(path)
  usage.used(answer({ keyId: 7 }))
  await usage.flush()
  usage.used(answer({ keyId: 7 }))
  usage.used(answer({ keyId: 8 }))
  other.used(answer({ keyId: 7 }))
  await usage.forget(7)
  usage.used(answer({ keyId: 7 }))
  usage.used(answer({ keyId: null }))
  await other.flush()
  // The log's upkeep separates what another process still held.
  await usage.logs.erase()
  expect(await rowsOf(usage, ['key'])).toEqual([
    { key_id: -1, calls: 4, rows: 40, bytes: 400 },
    { key_id: 0, calls: 1, rows: 10, bytes: 100 },
    { key_id: 8, calls: 1, rows: 10, bytes: 100 },
  ])
  const database = new Database(path, { readonly: true })
  expect(database.prepare('SELECT count(*) AS n FROM dataset_usage WHERE key_id = 7').get()).toEqual({ n: 0 })
  database.close()
  for (const one of [usage, other]) await one.close()
})

test('metrics count keys and open pages separately, from the start of the process', async () => {
  const path = tempDataDir().usageDb
  const first = UsageRecorder.open(path)
  first.used(answer())
  await first.close()
  const usage = UsageRecorder.open(path)
  for (const keyId of [1, 2, null]) usage.used(answer({ keyId }))
  expect(usage.useCounters.list()).toEqual([])
  await usage.flush()
  usage.used(answer())
  await usage.flush()
  expect(usage.useCounters.list()).toEqual([
    { dataset: 'towns', format: 'json', keyed: true, calls: 3, rows: 30, bytes: 300 },
    { dataset: 'towns', format: 'json', keyed: false, calls: 1, rows: 10, bytes: 100 },
  ])
  await usage.close()
})

test('sums older than two years are dropped at night', async () => {
  const path = tempDataDir().usageDb
  const usage = UsageRecorder.open(path)
  usage.used(answer({ day: TODAY - 732 }))
  usage.used(answer({ day: TODAY - 731 }))
  await usage.dropOldUse(NOON)
  expect(await rowsOf(usage, ['day'])).toMatchObject([{ day: dayName(TODAY - 731), calls: 1 }])
  await usage.close()
})
