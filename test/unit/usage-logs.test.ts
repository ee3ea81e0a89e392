import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { generateKey } from '../../src/accounts/keys/key-format.ts'
import { type LogQuery, packCall, unpackCall } from '../../src/accounts/usage/log-record.ts'
import { LogUpkeep } from '../../src/accounts/usage/log-upkeep.ts'
import { exportDaily, exportLogs } from '../../src/accounts/usage/summary.ts'
import { UsageRecorder } from '../../src/accounts/usage/usage.ts'
import { answered, useKey } from '../support/calls.ts'
import { runs } from '../support/property-runs.ts'
import { tempDataDir } from '../support/temp-dir.ts'

const NOON = new Date('2025-03-01T12:00:00Z')
const opened: UsageRecorder[] = []

afterAll(async () => {
  for (const usage of opened) await usage.close()
})

function open(path = tempDataDir().usageDb): UsageRecorder {
  const usage = UsageRecorder.open(path)
  opened.push(usage)
  return usage
}

function after(seconds: number): Date {
  return new Date(NOON.getTime() + seconds * 1000)
}

describe('a page of the log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'izvor-logs-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const usage = open(join(folder, 'usage.db'))
  const calls: Parameters<typeof answered>[0][] = [
    {
      key_id: 1,
      at: after(0.9),
      path: '/v1/economy/trade',
      query: 'a=1&b=%C8%99',
      status: 200,
      request_id: 'r0',
    },
    { key_id: 1, at: after(2), path: '/v1/economy/trade', status: 404, request_id: 'r1' },
    { key_id: 2, at: after(1), path: '/v1/100%25/x_y', method: 'HEAD', status: 304, request_id: 'r2' },
    { key_id: 2, at: after(2), path: '/v1/100/xzy', status: 503, user_agent: null, request_id: 'r3' },
    { key_id: 3, at: after(3), path: '/v1/economy/trade', request_id: 'foreign' },
  ]
  for (const call of calls) usage.record(answered(call))

  const idsOf = async (query: Partial<LogQuery>) => {
    const { data, pagination } = await usage.logs.page({ keyIds: [1, 2], limit: 50, offset: 0, ...query })
    return { ids: data.map((record) => record.request_id).join(' '), total: pagination.total }
  }

  test.each<[string, Partial<LogQuery>, string]>([
    ['newest first, later recorded first within a second', {}, 'r3 r1 r2 r0'],
    ['of one key', { keyIds: [2] }, 'r3 r2'],
    ['of no key', { keyIds: [] }, ''],
    ['by method, in any case', { method: 'head' }, 'r2'],
    ['by class of status', { statusClass: 4 }, 'r1'],
    ['by class of status, 3xx', { statusClass: 3 }, 'r2'],
    ['% is literal', { q: '0%' }, 'r2'],
    ['_ is literal', { q: 'x_' }, 'r2'],
    ['part of the path', { q: 'onomy/t' }, 'r1 r0'],
    ['the query is not the path', { q: 'a=1' }, ''],
    ['since includes its second', { since: after(1) }, 'r3 r1 r2'],
    ['until includes its second', { until: after(0.2) }, 'r0'],
    ['both', { since: after(1), until: after(1) }, 'r2'],
    ['filters combine', { keyIds: [2], statusClass: 5, q: 'z' }, 'r3'],
  ])('%s', async (_, query, expected) => {
    const { ids, total } = await idsOf(query)
    expect(ids).toBe(expected)
    expect(total).toBe(expected === '' ? 0 : expected.split(' ').length)
  })

  test('pages follow each other without gap or overlap', async () => {
    const first = await usage.logs.page({ keyIds: [1, 2], limit: 3, offset: 0 })
    expect(first.pagination).toEqual({
      ...{ total: 4, count: 3, limit: 3, offset: 0 },
      ...{ has_next: true, next_offset: 3 },
    })
    const second = await usage.logs.page({ keyIds: [1, 2], limit: 3, offset: 3 })
    expect(second.pagination).toMatchObject({ count: 1, has_next: false, next_offset: null })
    expect([...first.data, ...second.data].map((record) => record.request_id).join(' ')).toBe('r3 r1 r2 r0')
    const beyond = await usage.logs.page({ keyIds: [1, 2], limit: 3, offset: 9 })
    expect(beyond).toMatchObject({ data: [], pagination: { total: 4, has_next: false, next_offset: null } })
  })

  test('a record shows everything, with whole seconds', async () => {
    const { data } = await usage.logs.page({ keyIds: [1], limit: 1, offset: 1 })
    expect(data).toEqual([
      {
        ...{ id: expect.any(Number), at: '2025-03-01T12:00:00Z', key_id: 1, method: 'GET' },
        ...{ path: '/v1/economy/trade', query: 'a=1&b=%C8%99', status: 200, latency_ms: 1, bytes: 100 },
        ...{ ip: '203.0.113.7', user_agent: 'curl/8', request_id: 'r0' },
      },
    ])
  })

  test('the export has every record of every key once, oldest first', async () => {
    await usage.logs.settle()
    expect((await Array.fromAsync(exportLogs(usage, [1, 2]))).map((record) => record.request_id)).toEqual([
      'r0',
      'r1',
      'r2',
      'r3',
    ])
  })
})

test('the export pages through many records of one second', async () => {
  const usage = open()
  for (let call = 0; call < 1100; call++) {
    usage.record(answered({ key_id: 1, at: after(Math.floor(call / 600)), request_id: `r${call}` }))
  }
  useKey(usage, 1, NOON)
  await usage.logs.settle()
  const ids = (await Array.fromAsync(exportLogs(usage, [1]))).map((record) => record.id)
  expect(ids).toHaveLength(1101)
  expect(new Set(ids).size).toBe(1101)
  expect(await exportDaily(usage, [1])).toEqual([{ date: '2025-03-01', key_id: 1, requests: 1 }])
})

test('the id of a deleted record is never reused', async () => {
  const path = tempDataDir().usageDb
  const idsAfter = async (calls: number) => {
    const usage = UsageRecorder.open(path)
    for (let call = 0; call < calls; call++) usage.record(answered({ key_id: 1, at: NOON }))
    const { data } = await usage.logs.page({ keyIds: [1], limit: 50, offset: 0 })
    await usage.close()
    return data.map(({ id }) => id)
  }
  const before = await idsAfter(5)
  const upkeep = new LogUpkeep(path)
  for (const _ of upkeep.retain(after(1).getTime() / 1000, 0));
  upkeep.close()
  const later = await idsAfter(3)
  expect([before.length, later.length]).toEqual([5, 3])
  expect(Math.min(...later)).toBeGreaterThan(Math.max(...before))
})

test('every field of a record survives a round trip', () => {
  const text = fc.string({ unit: 'binary' }).map((part) => part.replace(/[\t\n\0]/g, ''))
  const record = fc.record({
    ...{ key_id: fc.nat(), status: fc.integer({ min: 100, max: 599 }), bytes: fc.nat() },
    ...{ path: text, query: text, user_agent: fc.option(text), latency_us: fc.nat({ max: 4_000_000_000 }) },
  })
  fc.assert(
    fc.property(record, (call) => {
      const { key_id, status, latency_us, bytes, path, query, user_agent } = call
      expect(unpackCall(packCall(answered({ ...call, at: NOON })))).toEqual([
        ...([NOON.getTime() / 1000, key_id, status, latency_us, bytes, 'GET', path, query] as const),
        ...(['203.0.113.7', 'test-1', user_agent] as const),
      ])
    }),
  )
})

test('a field cannot create a second record', () => {
  const line = packCall(answered({ key_id: 1, at: NOON, user_agent: 'a\tb\nc', path: '/\n', query: '\t' }))
  expect(line.split('\n')).toHaveLength(1)
  expect(unpackCall(line)).toHaveLength(11)
})

test('no field holds what looks like a key', () => {
  const key = generateKey()
  const texts = {
    path: `/${key}`,
    query: `key=${encodeURIComponent(key)}&q=%20`,
    user_agent: key,
    request_id: key,
  }
  const line = packCall(answered({ key_id: 1, at: NOON, ...texts }))
  expect(line).not.toContain(key.slice(4))
  expect(unpackCall(line).slice(6)).toEqual(['/rok_…', 'key=rok_…&q=%20', '203.0.113.7', 'rok_…', 'rok_…'])
})

test('percentiles match the plain definition, by endpoint and overall', async () => {
  const call = fc.record({
    latency_us: fc.integer({ min: 0, max: 5000 }).map((number) => number * 100),
    path: fc.constantFrom('/v1/a', '/v1/b', '/v1/c'),
    status: fc.constantFrom(200, 304, 404, 429, 500),
    ip: fc.constantFrom('1.1.1.1', '2.2.2.2'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 120 }), async (calls) => {
      const usage = open()
      for (const [index, one] of calls.entries())
        usage.record(answered({ key_id: 1 + (index % 2), at: NOON, ...one }))
      usage.record(answered({ key_id: 3, at: NOON, latency_us: 9_999_000 }))
      const found = await usage.logs.statistics({ keyIds: [1, 2], days: 1 }, after(3600))
      await usage.close()
      const all = calls.map((one) => one.latency_us / 1000)
      expect(found.latency).toEqual({
        ...{ p50_ms: nearestRank(all, 50), p95_ms: nearestRank(all, 95) },
        ...{ p99_ms: nearestRank(all, 99), max_ms: all.length === 0 ? null : Math.max(...all) },
      })
      for (const { endpoint, requests, errors, p50_ms, p95_ms } of found.endpoints) {
        const own = calls.filter(({ path }) => path === endpoint)
        const latencies = own.map((one) => one.latency_us / 1000)
        expect(requests).toBe(own.length)
        expect(errors).toBe(own.filter(({ status }) => status >= 400).length)
        expect([p50_ms, p95_ms]).toEqual([nearestRank(latencies, 50)!, nearestRank(latencies, 95)!])
      }
      expect(found.endpoints.map(({ endpoint }) => endpoint).sort()).toEqual([
        ...new Set(calls.map(({ path }) => path).sort()),
      ])
      expect(found.statuses).toEqual(
        tally(calls.map(({ status }) => status)).map(([status, requests]) => ({ status, requests })),
      )
      expect(new Map(found.top_ips.map(({ ip, requests }) => [ip, requests]))).toEqual(
        new Map(tally(calls.map(({ ip }) => ip))),
      )
    }),
    { numRuns: runs(25) },
  )
})

/** The least value that `percent` % of all do not exceed. */
function nearestRank(values: readonly number[], percent: number): number | null {
  const enough = (value: number) =>
    values.filter((other) => other <= value).length * 100 >= percent * values.length
  return [...values].sort((a, b) => a - b).find(enough) ?? null
}

function tally<T>(values: readonly T[]): [T, number][] {
  const sorted = [...new Set(values)].sort((a, b) => (a < b ? -1 : 1))
  return sorted.map((value) => [value, values.filter((other) => other === value).length])
}

test('statistics reach back over whole UTC days', async () => {
  const usage = open()
  const moments = ['2025-02-27T23:59:59Z', '2025-02-28T00:00:00Z', '2025-03-01T12:00:00Z']
  for (const at of moments) usage.record(answered({ key_id: 1, at: new Date(at) }))
  const requests = async (days: number) => {
    const { endpoints } = await usage.logs.statistics({ keyIds: [1], days }, NOON)
    return endpoints[0]?.requests
  }
  expect([await requests(1), await requests(2), await requests(3)]).toEqual([1, 2, 3])
  const none = await usage.logs.statistics({ keyIds: [2], days: 92 }, NOON)
  expect(none).toEqual({
    ...{ days: 92, endpoints: [], statuses: [], top_ips: [] },
    latency: { p50_ms: null, p95_ms: null, p99_ms: null, max_ms: null },
  })
})

test('queries are answered during upkeep', async () => {
  const usage = open()
  for (let call = 0; call < 5000; call++) usage.record(answered({ key_id: 1, at: after(call) }))
  const clearing = usage.logs.retain(after(4000), 500)
  const page = await usage.logs.page({ keyIds: [1], limit: 1, offset: 0 })
  expect(page.data).toHaveLength(1)
  await clearing
  const left = await usage.logs.page({ keyIds: [1], limit: 1, offset: 499 })
  expect(left.pagination.total).toBe(500)
  expect(left.data[0]?.at).toBe('2025-03-01T13:15:00Z')
})

test('records that are too old are deleted, then the oldest of too many, in steps of a few hundred', async () => {
  const path = tempDataDir().usageDb
  const usage = open(path)
  for (let call = 0; call < 2000; call++) usage.record(answered({ key_id: 1 + (call % 7), at: after(call) }))
  await usage.flush()
  const upkeep = new LogUpkeep(path)
  for (const _ of upkeep.unpack());
  const steps = [...upkeep.retain(after(1000).getTime() / 1000, 10_000)].length
  expect(steps).toBe(4)
  const moments = async () => {
    const records = await Array.fromAsync(exportLogs(usage, [1, 2, 3, 4, 5, 6, 7]))
    return records.map(({ at }) => at).sort()
  }
  expect(await moments()).toHaveLength(1000)
  expect((await moments())[0]).toBe('2025-03-01T12:16:40Z')
  expect([...upkeep.retain(0, 700)]).toHaveLength(2)
  expect(await moments()).toHaveLength(700)
  expect((await moments())[0]).toBe('2025-03-01T12:21:40Z')
  expect([...upkeep.retain(0, 700)]).toHaveLength(0)
  upkeep.close()
})

test('records of a deleted key that another process writes are removed at the next upkeep', async () => {
  const path = tempDataDir().usageDb
  const [here, there] = [open(path), open(path)]
  useKey(there, 1, NOON)
  await here.forget(1)
  await there.flush()
  await here.logs.retain(new Date(0), 1000)
  expect((await here.logs.page({ keyIds: [1], limit: 1, offset: 0 })).pagination.total).toBe(0)
  expect(await here.lastUsed(1)).toBeNull()
  expect(await here.daysOf([1], 0)).toEqual([])
})
