import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setPlan } from '../../src/accounts/keys/plans.ts'
import type { ConfigSources } from '../../src/base/config/load.ts'
import { adviseCheaperQuery, adviseFewerCalls } from '../../src/query/query-shares.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

/** Enough for a sort by several columns to take more than a turn, and no more than the limit of groups. */
const ROWS = 990_000
const LIST = '/v1/geo/numbers'
const SORTS = [
  'a,b,c',
  'b,c,a',
  'c,a,b',
  '-a,b,c',
  '-b,c,a',
  '-c,a,b',
  'a,-b,c',
  'b,-c,a',
  'c,-a,b',
  'a,b,-c',
]

const folder = mkdtempSync(join(tmpdir(), 'izvor-overload-'))
const started: TestApp[] = []

/** A new instance, with empty caches, on the shared data folder. */
async function start(flags: ConfigSources['flags'] = {}): Promise<TestApp> {
  const app = await startTestApp({ flags: { data: join(folder, 'data'), ...flags } })
  started.push(app)
  return app
}

beforeAll(async () => {
  const lines = ['a,b,c']
  for (let row = 0; row < ROWS; row++) {
    const spread = (step: number) => (Math.imul(row, step) >>> 0) % 150_000
    lines.push(`${spread(0x9e3779b1)},${spread(0x85ebca6b)},${spread(0xc2b2ae35)}`)
  }
  await (await start()).ingestCsv(`${lines.join('\n')}\n`, { id: 'numbers', domain: 'geo' })
})

afterAll(async () => {
  for (const app of started) await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('overload', () => {
  test('a query past the deadline is 503 with Retry-After and says what would help; others are served', async () => {
    const app = await start({ query_deadline: '0s' })
    const { status, body, headers } = await app.get(`${LIST}?sort=a,b,c`)
    expect([status, body.error.code]).toEqual([503, 'service_unavailable'])
    expect(body.error.message).toContain('Sorting by fewer columns than a,b,c')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await app.get(LIST)).status).toBe(200)
  })

  test('long queries beyond the limit are 503 with Retry-After at once, while short ones are answered', async () => {
    const app = await start({ max_queries: 2 })
    const long = SORTS.map((sort) => app.get(`${LIST}?sort=${sort}`))
    const short = Array.from({ length: 20 }, (_, i) => app.get(`${LIST}?limit=1&offset=${i}`))
    expect((await Promise.all(short)).every(({ status }) => status === 200)).toBe(true)
    const answers = await Promise.all(long)
    const refused = answers.filter(({ status }) => status === 503)
    expect(answers.filter(({ status }) => status === 200).length + refused.length).toBe(SORTS.length)
    expect([refused.length > 0, refused.length < SORTS.length]).toEqual([true, true])
    for (const { body, headers } of refused)
      expect([body.error.code, headers.get('retry-after')]).toEqual(['service_unavailable', '1'])
    expect((await app.get(`${LIST}?sort=${SORTS.at(-1)}`)).status).toBe(200)
  })

  test('waiting for the columns of a dataset does not count as a long query of the key', async () => {
    const app = await start({ max_queries_per_key: 1 })
    const key = (await app.mintKey()).secret
    const lists = Array.from({ length: 50 }, (_, i) => app.get(`${LIST}?limit=1&offset=${i}`, { key }))
    expect(new Set((await Promise.all(lists)).map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('a key beyond its share is 429 and is told what would help, while another key is served', async () => {
    const app = await start({ max_queries_per_key: 1 })
    const [greedy, modest] = [(await app.mintKey()).secret, (await app.mintKey()).secret]
    const long = SORTS.map((sort) => app.get(`${LIST}?sort=${sort}`, { key: greedy }))
    const other = await app.get(`${LIST}?sort=-a,-b`, { key: modest })
    const answers = await Promise.all(long)
    expect(other.status).toBe(200)
    const refused = answers.filter(({ status }) => status === 429)
    expect([refused.length > 0, answers.some(({ status }) => status === 200)]).toEqual([true, true])
    for (const { body, headers } of refused) {
      expect([body.error.code, headers.get('retry-after')]).toEqual(['rate_limited', '1'])
      expect(body.error.message).toContain('Sorting by fewer columns')
    }
  })

  test.each([
    ['max_queries_per_key', 'rate_limited'],
    ['max_queries', 'service_unavailable'],
  ])(
    'queries over MCP beyond %s are tool errors that say when to retry and cost no call',
    async (setting, code) => {
      const app = await start({ [setting]: 1 })
      const plan = { monthly_quota: 1000, max_active_keys: 5, per_minute: null }
      await setPlan(app.app.accounts, `mcp-${code.replace('_', '-')}`, plan, new Date())
      const { secret } = await app.mintKey(`mcp-${code.replace('_', '-')}`)
      const ask = (sort: string) => {
        const params = { name: 'query_rows', arguments: { dataset: 'numbers', limit: 1, sort } }
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
        const headers = { 'content-type': 'application/json' }
        return app.get('/mcp', { method: 'POST', key: secret, headers, body })
      }
      const answers = await Promise.all(SORTS.map(ask))
      const results = answers.map(({ text }) => JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text).result)
      const refused = results.filter(({ isError }) => isError)
      expect([refused.length > 0, refused.length < SORTS.length]).toEqual([true, true])
      for (const { content } of refused) {
        const { error } = JSON.parse(content[0].text)
        expect([error.code, error.retry_after_s]).toEqual([code, 1])
      }
      const { headers } = await ask('a')
      expect(headers.get('ratelimit')).toContain(`r=${1000 - (SORTS.length - refused.length) - 1};`)
    },
  )

  test('exports of all keys together are limited; an abandoned one frees its slot', async () => {
    const app = await start({ max_exports_total: 24 })
    const keys = [(await app.mintKey()).secret, (await app.mintKey()).secret]
    const path = `${LIST}/export`
    const open = await Promise.all(
      Array.from({ length: 24 }, (_, i) => app.fetch(path, { key: keys[i % 2]! })),
    )
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200))
    const refused = await app.get(path)
    expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await app.get(LIST)).status).toBe(200)
    await Promise.all(open.map((answer) => answer.body?.cancel()))
    let status = 503
    while (status === 503) status = (await app.get(`${path}?a=1`)).status
    expect(status).toBe(200)
  })

  test('above the memory ceiling queries and exports are 503 with Retry-After, and the rest is answered', async () => {
    const app = await start({ memory_ceiling: '1MB' })
    for (const path of [LIST, `${LIST}/export?a[gte]=0`]) {
      const { status, body, headers } = await app.get(path)
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '2'])
    }
    expect((await app.get('/v1/datasets')).status).toBe(200)
    expect((await app.get('/health/live', { key: null })).status).toBe(200)
  })
})

describe('overload without a key', () => {
  const PAGE = '/datasets/numbers'
  const HTML = { accept: 'text/html', 'accept-language': 'ro' }

  test('above the memory ceiling rows, groups and files are 503 with Retry-After, and pages say so to people', async () => {
    const app = await start({ memory_ceiling: '1MB' })
    for (const at of ['rows', 'aggregate?group_by=a', 'facets', 'download?format=csv&a[gte]=0']) {
      const path = `${PAGE}/${at}`
      const { status, body, headers } = await app.get(path, { key: null })
      expect([path, status, body.error.code]).toEqual([path, 503, 'service_unavailable'])
      expect(headers.get('retry-after')).toBe('2')
    }
    for (const path of [PAGE, `${PAGE}/summary`, `${PAGE}/download?format=csv&a[gte]=0`]) {
      const { status, text, headers } = await app.get(path, { key: null, headers: HTML })
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '2'])
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(text).toContain('Serviciul nu poate răspunde acum. Încercați din nou peste 2 secunde.')
    }
    expect((await app.get('/', { key: null, headers: HTML })).status).toBe(200)
  })

  test('a 304 needs no memory, and a HEAD of a file takes no slot', async () => {
    const app = await start()
    const etags = new Map<string, string>()
    for (const path of [`${PAGE}/rows`, `${PAGE}/aggregate`, `${PAGE}/download`])
      etags.set(path, (await app.get(path, { key: null })).headers.get('etag')!)
    const full = await start({ memory_ceiling: '1MB', base_url: app.url })
    for (const [path, etag] of etags) {
      const headers = { 'if-none-match': etag, host: new URL(app.url).host }
      expect((await full.get(path, { key: null, headers })).status).toBe(304)
    }
    expect((await full.get(`${PAGE}/download`, { key: null, method: 'HEAD' })).status).toBe(200)
  })

  test('an address beyond its share of long queries is 429, while another is served', async () => {
    const app = await start({ max_queries_per_key: 1, trusted_proxies: '127.0.0.1' })
    const from = (address: string) => ({ key: null, headers: { 'x-forwarded-for': address } })
    const long = SORTS.map((sort) => app.get(`${PAGE}/rows?sort=${sort}`, from('198.51.100.1')))
    const other = await app.get(`${PAGE}/rows?sort=-a,-b`, from('198.51.100.2'))
    const answers = await Promise.all(long)
    expect(other.status).toBe(200)
    const refused = answers.filter(({ status }) => status === 429)
    expect([refused.length > 0, answers.some(({ status }) => status === 200)]).toEqual([true, true])
    for (const { body, headers } of refused) {
      expect([body.error.code, headers.get('retry-after')]).toEqual(['rate_limited', '1'])
      expect(body.error.message).toContain('1 long queries of this address')
    }
  })

  test('files of groups count as long queries until they begin', async () => {
    const app = await start({ max_queries_per_key: 1 })
    const files = SORTS.map((sort) =>
      app.get(`${PAGE}/aggregate?group_by=a,b&sort=${sort.split(',')[0]}&format=csv`, { key: null }),
    )
    const answers = await Promise.all(files)
    const refused = answers.filter(({ status }) => status === 429)
    expect([refused.length > 0, answers.some(({ status }) => status === 200)]).toEqual([true, true])
    for (const { body } of refused) expect(body.error.message).toContain('1 long queries of this address')
  })

  test('addresses without a key together get a quarter of the slots for long queries', async () => {
    const app = await start({ max_queries: 8, trusted_proxies: '127.0.0.1' })
    // With the columns loaded, all queries begin together.
    await app.get(`${LIST}?sort=-c,-b,-a`)
    const open = SORTS.map((sort, i) =>
      app.get(`${PAGE}/rows?sort=${sort}`, {
        key: null,
        headers: { 'x-forwarded-for': `198.51.100.${1 + i}` },
      }),
    )
    const keyed = SORTS.slice(0, 6).map((sort) => app.get(`${LIST}?sort=${sort}&limit=1`))
    expect((await Promise.all(keyed)).map(({ status }) => status)).toEqual(keyed.map(() => 200))
    const refused = (await Promise.all(open)).filter(({ status }) => status === 503)
    expect([refused.length > 0, refused.length < SORTS.length]).toEqual([true, true])
    for (const { body } of refused)
      expect(body.error.message).toContain('2 long queries from all addresses without a key')
  })

  test('files without a key are limited per address and in total, and take no slots of keys', async () => {
    const app = await start({ max_exports_total: 24, trusted_proxies: '127.0.0.1' })
    const from = (address: string) => ({ key: null, headers: { 'x-forwarded-for': address } })
    const open = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        app.fetch(`${PAGE}/download`, from(`198.51.100.${1 + (index % 4)}`)),
      ),
    )
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200))
    for (const [address, reason] of [
      ['198.51.100.1', '6 exports of this address'],
      ['198.51.100.9', 'The service runs 24 exports'],
    ] as const) {
      const { status, body, headers } = await app.get(`${PAGE}/download`, from(address))
      expect([status, body.error.message]).toEqual([503, expect.stringContaining(reason)])
      expect(headers.get('retry-after')).toBe('5')
    }
    const withKey = await app.fetch(`${LIST}/export`)
    expect(withKey.status).toBe(200)
    await Promise.all([...open, withKey].map((answer) => answer.body?.cancel()))
    let status = 503
    while (status === 503) status = (await app.get(`${PAGE}/download?a=1`, from('198.51.100.1'))).status
    expect(status).toBe(200)
  })
})

describe('memory that is no longer needed', () => {
  test('a version is closed when the next one is requested, and every dataset once requests stop', async () => {
    const app = await startTestApp()
    started.push(app)
    const { openDatasets } = app.app
    const listed = async (rows: number) => {
      const text = `n\n${Array.from({ length: rows }, (_, i) => i).join('\n')}\n`
      await app.ingestCsv(text, { id: 'grown', domain: 'geo' })
      const { body } = await app.get('/v1/geo/grown?sort=-n&limit=1')
      expect(body.data[0].n).toBe(rows - 1)
      return openDatasets.bytes
    }
    const first = await listed(100_000)
    // With both open it would be more than twice the first.
    expect(await listed(100_100)).toBeLessThan(1.5 * first)
    openDatasets.closeIdle(60_000)
    expect(openDatasets.bytes).toBeGreaterThan(0)
    openDatasets.closeIdle(0)
    expect(openDatasets.bytes).toBe(0)
    expect((await app.get('/v1/geo/grown?sort=n&limit=1')).body.data[0].n).toBe(0)
  })
})

describe('what would help', () => {
  test.each([
    [
      '/v1/geo/towns',
      'limit=50&offset=100',
      /^limit=1000 brings in one request what 20 bring now\. \/v1\/geo\/towns\/export/,
    ],
    ['/v1/geo/towns', 'cursor=abc&limit=1000', /^\/v1\/geo\/towns\/export brings all rows/],
    ['/v1/geo/towns', 'limit=1&county=cluj', /^county\[in\]=first,second,third/],
    ['/v1/geo/towns', 'n[gte]=3&county%5Beq%5D=cluj', /^county\[in\]=first,second,third/],
    ['/v1/geo/towns', '', /^limit=1000 brings up to 1000 rows/],
    ['/v1/geo/towns/export', '', /^An export is one request/],
    ['/v1/datasets/towns', '', /If-None-Match/],
    ['/v1/<b>/x', 'offset=1', /^An answer that is kept/],
    ['/v1/geo/towns', 'limit=%FF&offset=zzz', /^limit=1000 brings/],
  ])('with fewer calls: %s?%s', (path, query, advice) => {
    expect(adviseFewerCalls(path, query)).toMatch(advice)
  })

  test.each([
    ['sort=a,b', /fewer columns than a,b/],
    ['group_by=a,b&sort=-count', /^Grouping by fewer columns than a,b/],
    ['sort=a', /cursor=start without sort/],
    ['name[contains]=x', /^name\[starts_with\]/],
    ['offset=50000', /cursor=start/],
    ['a=1', /^Fewer filters/],
    ['', /^A filter/],
  ])('with a cheaper query: %s', (query, advice) => {
    expect(adviseCheaperQuery(query)).toMatch(advice)
  })

  test('a 429 says whether the limit is per minute or per month', async () => {
    const app = await start()
    for (const [name, per_minute, monthly_quota] of [
      ['minute', 1, null],
      ['month', null, 1],
    ] as const) {
      await setPlan(app.app.accounts, name, { monthly_quota, max_active_keys: 5, per_minute }, new Date())
      const { secret: key } = await app.mintKey(name)
      await app.get(`${LIST}?offset=50`, { key })
      const { status, body } = await app.get(`${LIST}?offset=100`, { key })
      expect([status, body.error.message]).toEqual([
        429,
        expect.stringContaining(`${LIST}/export brings all rows`),
      ])
    }
  })
})
