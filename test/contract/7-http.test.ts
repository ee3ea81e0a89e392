import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.publish(TOWNS)
})
afterAll(() => app.stop())

const identity = { 'accept-encoding': 'identity' }
const V1_PATHS = [
  TOWNS_PATH,
  `${TOWNS_PATH}?cursor=start`,
  `${TOWNS_PATH}/export`,
  '/v1/datasets',
  '/v1/datasets/towns',
  '/v1/datasets/towns/quality',
  '/v1/search?q=orase',
]

describe('request ids', () => {
  test('a well-formed one is kept, another is replaced', async () => {
    const idFor = async (id: string) =>
      (await app.get('/health/live', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(await idFor('Abc-1.2_3')).toBe('Abc-1.2_3')
    expect(await idFor('x'.repeat(128))).toBe('x'.repeat(128))
    for (const id of ['x'.repeat(129), 'a b', 'a;b', '<script>', 'ș']) {
      expect(await idFor(encodeURI(id) === id ? id : encodeURI(id))).not.toBe(id)
    }
  })

  test('each request has a different one', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => (await app.get(TOWNS_PATH)).headers.get('x-request-id')),
    )
    expect(new Set(ids).size).toBe(50)
  })
})

describe('headers', () => {
  test.each([...V1_PATHS, '/v1/nothing', '/health/live', '/stats', '/openapi.json'])(
    '%s carries security and CORS headers',
    async (path) => {
      const { headers } = await app.get(path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toContain('ETag, Link')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    },
  )
})

describe('HEAD', () => {
  test.each([...V1_PATHS, '/health/live', '/stats', '/docs', '/openapi.json', '/nothing'])(
    '%s answers like GET without a body',
    async (path) => {
      const get = await app.get(path, { headers: identity })
      const head = await app.get(path, { method: 'HEAD', headers: identity })
      expect(head.status).toBe(get.status)
      expect(head.text).toBe('')
      expect(Date.parse(head.headers.get('date') ?? '')).toBeGreaterThan(Date.now() - 60_000)
      for (const name of ['content-type', 'content-length', 'etag', 'link', 'cache-control', 'vary']) {
        if (name === 'content-length' && path.includes('/export')) continue
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
      }
    },
  )
})

describe('ETag and 304', () => {
  test.each(V1_PATHS)('%s is a 304 for a client that has it', async (path) => {
    const first = await app.get(path)
    const etag = first.headers.get('etag')!
    expect(etag).toMatch(/^(W\/)?"[\w-]+"$/)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const negotiated = path.endsWith('/export') ? 'Accept, ' : ''
    expect(first.headers.get('vary')).toBe(`${negotiated}Authorization, Accept-Encoding`)
    const opaque = etag.replace(/^W\//, '')
    for (const given of [etag, '*', `"x", ${etag}`, opaque, ` ${etag} , "y"`]) {
      const { status, headers, text } = await app.get(path, { headers: { 'if-none-match': given } })
      expect([given, status, text]).toEqual([given, 304, ''])
      expect(headers.get('etag')).toBe(etag)
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(headers.get('vary')).toBe(`${negotiated}Authorization, Accept-Encoding`)
    }
    for (const given of ['"x"', opaque.slice(1, -1), 'W/""']) {
      expect((await app.get(path, { headers: { 'if-none-match': given } })).status).toBe(200)
    }
  })

  test('a 304 never replaces a refusal', async () => {
    const headers = { 'if-none-match': '*' }
    expect((await app.get(TOWNS_PATH, { headers, key: null })).status).toBe(401)
    expect((await app.get('/v1/geospatial/nowhere', { headers })).status).toBe(404)
    expect((await app.get('/v1/datasets/nowhere', { headers })).status).toBe(404)
    expect((await app.get(`${TOWNS_PATH}?limit=0`, { headers })).status).toBe(422)
    expect((await app.get(`${TOWNS_PATH}?cursor=x`, { headers })).status).toBe(422)
    expect((await app.get('/v1/search', { headers })).status).toBe(422)
  })

  test('the tag depends on query, dataset and version; a rollback restores the old one', async () => {
    const tag = async (path: string) => (await app.get(path)).headers.get('etag')
    await app.publish({ ...TOWNS, id: 'tagged' })
    const path = '/v1/geospatial/tagged'
    const before = await tag(path)
    const others = [
      TOWNS_PATH,
      `${path}?limit=1`,
      `${path}?county=Alba`,
      `${path}?count=false`,
      `${path}/export`,
    ]
    expect(new Set([before, ...(await Promise.all(others.map(tag)))]).size).toBe(others.length + 1)
    expect(await tag(`${path}?county%5Beq%5D=A%6Cba`)).toBe(await tag(`${path}?county[eq]=Alba`))

    const catalog = await tag('/v1/datasets')
    await app.publish({ ...TOWNS, id: 'tagged', table: { ...TOWNS.table, rows: TOWNS.table.rows.slice(1) } })
    expect(await tag(path)).not.toBe(before)
    expect((await app.get(path)).body.pagination.total).toBe(9)
    expect(await tag('/v1/datasets')).not.toBe(catalog)
    await app.app.catalog.rollback('tagged')
    expect(await tag(path)).toBe(before)
    expect((await app.get(path)).body.pagination.total).toBe(10)
  })

  test('a page requested repeatedly is always that of the served version', async () => {
    const path = '/v1/geospatial/often'
    for (let rows = 10; rows > 5; rows--) {
      await app.publish({
        ...TOWNS,
        id: 'often',
        table: { ...TOWNS.table, rows: TOWNS.table.rows.slice(0, rows) },
      })
      for (let time = 0; time < 4; time++) {
        expect((await app.get(path)).body.data.length).toBe(rows)
      }
    }
  })
})

describe('compression', () => {
  test.each([
    ['gzip', 'gzip'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip;q=1.0, zstd;q=0.5', 'gzip'],
    ['zstd;q=0, gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['*', 'zstd'],
    ['*;q=0.1, zstd;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', null],
    ['identity', null],
    ['gzip;q=0.5, identity', null],
    ['gzip;q=0', null],
  ])('Accept-Encoding: %s', async (accepted, expected) => {
    const whole = await app.get(`${TOWNS_PATH}?fields=town,people`, { headers: identity })
    for (const path of [`${TOWNS_PATH}`, '/openapi.json', '/docs', `${TOWNS_PATH}/export`]) {
      const { status, headers } = await app.get(path, { headers: { 'accept-encoding': accepted } })
      expect([path, status, headers.get('content-encoding')]).toEqual([path, 200, expected])
    }
    expect(whole.headers.get('content-encoding')).toBeNull()
  })

  test('bodies up to 1 KB are not compressed', async () => {
    const { headers } = await app.get('/health/live', { headers: { 'accept-encoding': 'gzip' } })
    expect(headers.get('content-encoding')).toBeNull()
  })

  test('a compressed page has the same content', async () => {
    const plain = (await app.get(TOWNS_PATH, { headers: identity })).body
    for (const encoding of ['gzip', 'zstd', 'gzip']) {
      const { body } = await app.get(TOWNS_PATH, { headers: { 'accept-encoding': encoding } })
      expect({ ...body, meta: null }).toEqual({ ...plain, meta: null })
    }
  })
})
