import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AccountApp, type Browser, startAccountApp } from '../support/browser.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

let accounts: AccountApp
beforeAll(async () => {
  accounts = await startAccountApp()
  await accounts.app.publish(TOWNS)
})
afterAll(() => accounts.stop())

let named = 0
const newcomer = () => accounts.signUp(`usage${++named}@example.org`)
const mint = async (browser: Browser, label: string): Promise<{ key_id: number; secret: string }> =>
  (await browser.post('/keys', { label })).body
const call = (key: string, path: string = TOWNS_PATH, headers: Record<string, string> = {}) =>
  accounts.app.get(path, { key, headers })
const today = () => accounts.now().toISOString().slice(0, 10)
const DAY = 86_400

describe('4.2 GET /account/api/usage/summary', () => {
  test('is live, per key and in total, for the month and the day, with the rest of the quota', async () => {
    const browser = await newcomer()
    const [a, b] = [await mint(browser, 'a'), await mint(browser, 'b')]
    const plan = { name: 'free', monthly_quota: 10_000, max_active_keys: 5 }
    const key = (one: { key_id: number }, label: string, calls: number) => ({
      ...{ key_id: one.key_id, label, state: 'active', month: calls, day: calls },
    })
    expect((await browser.get('/usage/summary')).body).toEqual({
      ...{ month: today().slice(0, 7), day: today(), plan },
      total: { month: 0, day: 0, remaining: 10_000 },
      keys: [key(a, 'a', 0), key(b, 'b', 0)],
    })
    for (let calls = 1; calls <= 3; calls++) {
      expect((await call(a.secret)).status).toBe(200)
      const { body } = await browser.get('/usage/summary')
      expect(body.total).toEqual({ month: calls, day: calls, remaining: 10_000 - calls })
      expect(body.keys).toEqual([key(a, 'a', calls), key(b, 'b', 0)])
    }
    await call(b.secret, `${TOWNS_PATH}?limit=0`)
    expect((await browser.get('/usage/summary')).body.total.month).toBe(4)
  })

  test('a 304 does not count, and no account sees the usage of others', async () => {
    const [ana, ion] = [await newcomer(), await newcomer()]
    const key = await mint(ana, 'ana')
    const first = await call(key.secret)
    const etag = first.headers.get('etag')!
    expect((await call(key.secret, TOWNS_PATH, { 'if-none-match': etag })).status).toBe(304)
    expect((await ana.get('/usage/summary')).body.total.month).toBe(1)
    const other = await ion.get('/usage/summary')
    expect([other.body.total.month, other.body.keys]).toEqual([0, []])
  })
})

describe('4.2 GET /account/api/usage/daily', () => {
  test('days without calls are zero, in total and per key; today is live', async () => {
    const browser = await newcomer()
    const [a, b] = [await mint(browser, 'a'), await mint(browser, 'b')]
    await call(a.secret)
    await call(a.secret)
    accounts.pass(2 * DAY)
    await call(b.secret)
    const dates = [-3, -2, -1, 0].map((days) =>
      new Date(accounts.now().getTime() + days * DAY * 1000).toISOString().slice(0, 10),
    )
    const counts = (...requests: number[]) =>
      dates.map((date, index) => ({ date, requests: requests[index] }))
    const { status, body } = await browser.get('/usage/daily?days=4')
    expect([status, body]).toEqual([
      200,
      {
        ...{ days: 4, from: dates[0], to: dates[3], total: counts(0, 2, 0, 1) },
        keys: [
          { key_id: a.key_id, label: 'a', daily: counts(0, 2, 0, 0) },
          { key_id: b.key_id, label: 'b', daily: counts(0, 0, 0, 1) },
        ],
      },
    ])
    await call(b.secret)
    expect((await browser.get('/usage/daily?days=1')).body.total).toEqual([{ date: dates[3], requests: 2 }])
  })

  test.each(['/usage/daily', '/logs/stats'])('%s accepts 1 to 92 days', async (path) => {
    const browser = await newcomer()
    const byDefault = path === '/logs/stats' ? 7 : 30
    expect((await browser.get(path)).body.days).toBe(byDefault)
    for (const days of [1, 92]) expect((await browser.get(`${path}?days=${days}`)).body.days).toBe(days)
    for (const days of ['0', '93', '-5', '1.5', '', 'x', '7d', ' 7', '1e1']) {
      const { status, body } = await browser.get(`${path}?days=${encodeURIComponent(days)}`)
      expect([days, status, body.error.code]).toEqual([days, 422, 'invalid_value'])
      expect(body.error.detail[0].location).toBe('query.days')
    }
    expect((await browser.get(`${path}?days=7&days=7`)).body.error.code).toBe('duplicate_parameter')
  })
})

describe('4.2 GET /account/api/logs', () => {
  test('every authenticated answer is a record, newest first, with the bytes that were sent', async () => {
    const browser = await newcomer()
    const key = await mint(browser, 'log')
    const sent = {
      ...{ 'x-request-id': 'first-1', 'user-agent': 'curl/8', 'x-forwarded-for': '192.0.2.7' },
      ...{ 'accept-encoding': 'identity' },
    }
    const first = await call(key.secret, `${TOWNS_PATH}?limit=2`, sent)
    accounts.pass(1)
    await call(key.secret, '/v1/nothing/at/all', sent)
    await call(`rok_${'a'.repeat(38)}`, TOWNS_PATH, sent)
    const { status, body, text } = await browser.get('/logs')
    expect(status).toBe(200)
    expect(body.pagination).toEqual({
      ...{ total: 2, count: 2, limit: 50, offset: 0, has_next: false, next_offset: null },
    })
    const [second, oldest] = body.data
    expect(oldest).toEqual({
      ...{ id: expect.any(Number), at: expect.stringMatching(/^2025-.*:\d\dZ$/), key_id: key.key_id },
      ...{ method: 'GET', path: TOWNS_PATH, query: 'limit=2', status: 200, latency_ms: expect.any(Number) },
      ...{
        bytes: Buffer.byteLength(first.text),
        ip: '192.0.2.7',
        user_agent: 'curl/8',
        request_id: 'first-1',
      },
    })
    expect(second).toMatchObject({ path: '/v1/nothing/at/all', status: 404 })
    expect(second.id).toBeGreaterThan(oldest.id)
    expect(text).not.toContain(key.secret)
  })

  test('a key in an address is hidden in the log', async () => {
    const browser = await newcomer()
    const key = await mint(browser, 'leaky')
    await call(key.secret, `${TOWNS_PATH}?api_key=${key.secret}`)
    const { body, text } = await browser.get('/logs')
    expect(body.data.length).toBe(1)
    expect(text).not.toContain(key.secret)
  })

  describe('filters', () => {
    let browser: Browser
    let keys: { key_id: number; secret: string }[]
    let start: Date
    beforeAll(async () => {
      browser = await newcomer()
      keys = [await mint(browser, 'a'), await mint(browser, 'b')]
      start = accounts.now()
      await call(keys[0]!.secret)
      await call(keys[1]!.secret)
      accounts.pass(10)
      await call(keys[0]!.secret, '/v1/datasets')
      await call(keys[0]!.secret, `${TOWNS_PATH}?limit=0`)
      accounts.pass(10)
      await accounts.app.get(TOWNS_PATH, { key: keys[0]!.secret, method: 'HEAD' })
      await call(keys[1]!.secret, '/v1/search?q=100%25_a')
    })

    const at = (seconds: number) => new Date(start.getTime() + seconds * 1000).toISOString()
    test.each([
      ['', 6],
      ['method=GET', 5],
      ['method=get', 5],
      ['method=Head', 1],
      ['method=DELETE', 0],
      ['status_class=2xx', 5],
      ['status_class=4xx', 1],
      ['status_class=5xx', 0],
      ['q=datasets', 1],
      ['q=%25', 0],
      ['q=_', 0],
      ['q=TOWNS', 0],
      ['q=', 6],
      [`q=${'x'.repeat(200)}`, 0],
      ['limit=200', 6],
      ['offset=9007199254740991', 0],
      ['method=GET&status_class=2xx&q=towns', 2],
    ])('%s finds %i', async (query, count) => {
      const { status, body } = await browser.get(`/logs?${query}`)
      expect([status, body.data.length]).toEqual([200, count])
    })

    test('key_id', async () => {
      for (const [index, count] of [4, 2].entries()) {
        const { body } = await browser.get(`/logs?key_id=${keys[index]!.key_id}`)
        expect(body.pagination.total).toBe(count)
        for (const { key_id } of body.data) expect(key_id).toBe(keys[index]!.key_id)
      }
    })

    test('since and until are inclusive, at the precision given, in any time zone', async () => {
      const count = async (query: string) => (await browser.get(`/logs?${query}`)).body.pagination.total
      expect(await count(`since=${at(10)}`)).toBe(4)
      expect(await count(`since=${at(10.001)}`)).toBe(2)
      expect(await count(`until=${at(10)}`)).toBe(4)
      expect(await count(`until=${at(9.999)}`)).toBe(2)
      expect(await count(`since=${at(10)}&until=${at(10)}`)).toBe(2)
      expect(await count(`since=${at(11)}&until=${at(9)}`)).toBe(0)
      const shifted = `${new Date(start.getTime() + 10_000 + 7_200_000).toISOString().slice(0, 19)}%2B02:00`
      expect(await count(`since=${shifted}`)).toBe(4)
    })

    test('pages follow each other without gap or overlap', async () => {
      const all = (await browser.get('/logs')).body.data.map(({ id }: { id: number }) => id)
      const walked: number[] = []
      for (let offset: number | null = 0; offset !== null; ) {
        const { body } = await browser.get(`/logs?limit=4&offset=${offset}`)
        expect(body.pagination).toMatchObject({ total: 6, limit: 4, offset })
        walked.push(...body.data.map(({ id }: { id: number }) => id))
        expect(body.pagination.has_next).toBe(body.pagination.next_offset !== null)
        offset = body.pagination.next_offset
      }
      expect(walked).toEqual(all)
    })

    test.each([
      ['key_id=x', 'invalid_value', 'query.key_id'],
      ['key_id=', 'invalid_value', 'query.key_id'],
      ['key_id=1.5', 'invalid_value', 'query.key_id'],
      ['method=GE', 'invalid_value', 'query.method'],
      ['method=OPTIONSX', 'invalid_value', 'query.method'],
      ['method=G3T', 'invalid_value', 'query.method'],
      ['method=', 'invalid_value', 'query.method'],
      ['status_class=200', 'invalid_value', 'query.status_class'],
      ['status_class=6xx', 'invalid_value', 'query.status_class'],
      ['status_class=2XX', 'invalid_value', 'query.status_class'],
      [`q=${'x'.repeat(201)}`, 'invalid_value', 'query.q'],
      ['since=yesterday', 'invalid_value', 'query.since'],
      ['since=2025-02-30T00:00:00Z', 'invalid_value', 'query.since'],
      ['until=2025-03-04T05:06:07', 'invalid_value', 'query.until'],
      ['until=2025-03-04T05:06:07+02:00', 'invalid_value', 'query.until'],
      ['limit=0', 'invalid_limit', 'query.limit'],
      ['limit=201', 'invalid_limit', 'query.limit'],
      ['offset=-1', 'invalid_offset', 'query.offset'],
      ['limit=5&limit=5', 'duplicate_parameter', 'query.limit'],
      ['status=200', 'unknown_parameter', 'query.status'],
    ])('%s is 422 %s', async (query, code, location) => {
      const { status, body } = await browser.get(`/logs?${query}`)
      expect([status, body.error.code, body.error.detail[0].location]).toEqual([422, code, location])
    })

    test('all mistakes are reported at once', async () => {
      const { body } = await browser.get('/logs?limit=0&method=1&stauts_class=2xx')
      const named = body.error.detail.map(({ location }: { location: string }) => location)
      expect(named).toEqual(['query.stauts_class', 'query.method', 'query.limit'])
      expect(body.error.detail[0].suggestions).toEqual(['status_class'])
    })

    test('keys of another account or the operator are 404, and their requests are never shown', async () => {
      const other = await newcomer()
      const operators = await accounts.app.mintKey()
      for (const id of [keys[0]!.key_id, operators.key_id, 0, -1, 999_999]) {
        const { status, body } = await other.get(`/logs?key_id=${id}`)
        expect([id, status, body.error.code]).toEqual([id, 404, 'key_not_found'])
      }
      expect((await other.get('/logs')).body.data).toEqual([])
      expect((await other.get('/logs/stats')).body.statuses).toEqual([])
    })

    test('statistics agree with the logs', async () => {
      const { status, body } = await browser.get('/logs/stats?days=1')
      expect(status).toBe(200)
      expect(
        body.endpoints.map(({ endpoint, requests, errors }: Record<string, unknown>) => [
          endpoint,
          requests,
          errors,
        ]),
      ).toEqual([
        [TOWNS_PATH, 4, 1],
        ['/v1/datasets', 1, 0],
        ['/v1/search', 1, 0],
      ])
      expect(body.statuses).toEqual([
        { status: 200, requests: 5 },
        { status: 422, requests: 1 },
      ])
      const { p50_ms, p95_ms, p99_ms, max_ms } = body.latency
      expect([p50_ms, p95_ms, p99_ms, max_ms].toSorted((x, y) => x - y)).toEqual([
        p50_ms,
        p95_ms,
        p99_ms,
        max_ms,
      ])
      const measured = (await browser.get('/logs')).body.data.map(
        (log: { latency_ms: number }) => log.latency_ms,
      )
      expect(max_ms).toBe(Math.max(...measured))
      expect(body.top_ips).toEqual([{ ip: '127.0.0.1', requests: 6 }])
    })
  })

  test('requests without a key, or to other routes, are in no log', async () => {
    const browser = await newcomer()
    const key = await mint(browser, 'quiet')
    await accounts.app.get('/stats', { key: key.secret })
    await accounts.app.get(TOWNS_PATH, { key: null })
    await browser.get('/keys')
    expect((await browser.get('/logs')).body.data).toEqual([])
  })
})
