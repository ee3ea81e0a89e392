import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setPlan } from '../../src/accounts/keys/plans.ts'
import type { LogRecord } from '../../src/accounts/usage/log-record.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'

type GetOptions = NonNullable<Parameters<TestApp['get']>[1]>

let app: TestApp
let proxied: TestApp
const ROWS = 60_000

beforeAll(async () => {
  app = await startTestApp()
  proxied = await startTestApp({ flags: { trusted_proxies: '127.0.0.1' } })
  const rows = Array.from(
    { length: ROWS },
    (_, row) => `${row},${'x'.repeat(row % 50)}${(row * 7919) % ROWS}`,
  )
  await app.ingestCsv(`number,filler\n${rows.join('\n')}\n`, { id: 'long', domain: 'test' })
})

afterAll(async () => {
  await app.stop()
  await proxied.stop()
})

async function logsOf(keyId: number, instance = app): Promise<readonly LogRecord[]> {
  const { data } = await instance.app.usage.logs.page({ keyIds: [keyId], limit: 200, offset: 0 })
  return data
}

/** Waits until a key has this many records, because a stream is recorded only once its end is noticed. */
async function waitForLogs(keyId: number, count: number): Promise<readonly LogRecord[]> {
  for (;;) {
    const found = await logsOf(keyId)
    if (found.length >= count) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test.each<[string, string, GetOptions, Partial<LogRecord>]>([
  ['a list', '/v1/test/long?number[lt]=3&count=true', {}, { status: 200, query: 'number[lt]=3&count=true' }],
  [
    'an aggregate',
    '/v1/test/long/aggregate?number[lt]=3',
    {},
    { status: 200, path: '/v1/test/long/aggregate' },
  ],
  ['a HEAD', '/v1/test/long?limit=1', { method: 'HEAD' }, { status: 200, method: 'HEAD', bytes: 0 }],
  [
    'the HEAD of an export',
    '/v1/test/long/export',
    { method: 'HEAD' },
    { status: 200, method: 'HEAD', bytes: 0 },
  ],
  ['a 304', '/v1/test/long', { headers: { 'if-none-match': '*' } }, { status: 304, bytes: 0 }],
  ['a 404', '/v1/test/none', {}, { status: 404 }],
  ['a 405', '/v1/test/long', { method: 'DELETE' }, { status: 405, method: 'DELETE' }],
  ['a 422', '/v1/test/long?nothing=1', {}, { status: 422 }],
  ['an unknown path', '/v1/a/b/c/d', {}, { status: 404, path: '/v1/a/b/c/d' }],
  ['a descriptor', '/v1/datasets/long', {}, { status: 200 }],
])('%s is one record', async (_, path, options, expected) => {
  const { key_id, secret } = await app.mintKey()
  const sent = {
    ...options.headers,
    'user-agent': 'test/1',
    'accept-encoding': 'identity',
    'x-request-id': 'my-id',
  }
  const answer = await app.get(path, { ...options, key: secret, headers: sent })
  expect(await logsOf(key_id)).toEqual([
    {
      ...{ id: expect.any(Number), at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/), key_id },
      ...{ method: 'GET', path: path.split('?')[0]!, query: path.split('?')[1] ?? '' },
      ...{ status: answer.status, latency_ms: expect.any(Number), bytes: Buffer.byteLength(answer.text) },
      ...{ ip: '127.0.0.1', user_agent: 'test/1', request_id: 'my-id' },
      ...expected,
    },
  ])
})

test('a compressed answer is recorded with the bytes that were sent', async () => {
  const { key_id, secret } = await app.mintKey()
  const plain = await app.get('/v1/test/long', { key: secret, headers: { 'accept-encoding': 'identity' } })
  const response = await fetch(`${app.url}/v1/test/long`, {
    headers: { authorization: `Bearer ${secret}`, 'accept-encoding': 'gzip' },
    decompress: false,
  })
  const packed = (await response.arrayBuffer()).byteLength
  const [second, first] = await logsOf(key_id)
  expect([first!.bytes, second!.bytes]).toEqual([Buffer.byteLength(plain.text), packed])
  expect(packed).toBeLessThan(Buffer.byteLength(plain.text))
})

test.each([
  ['/v1/test/long/export', ''],
  ['/v1/test/long/aggregate', '&group_by=number'],
])('a file of %s is one record when it ends, with all its bytes', async (path, query) => {
  const { key_id, secret } = await app.mintKey('free')
  const headers = { 'accept-encoding': 'identity' }
  const { text } = await app.get(`${path}?format=ndjson${query}`, { key: secret, headers })
  expect(text.split('\n')).toHaveLength(ROWS + 1)
  const records = await waitForLogs(key_id, 1)
  expect(records.map(({ status, bytes, path }) => ({ status, bytes, path }))).toEqual([
    { status: 200, bytes: Buffer.byteLength(text), path },
  ])
  expect(await app.app.usage.monthOf(`key:${key_id}`, new Date())).toBe(1)
})

test('an aborted export is one record, with the bytes that were sent, and counts as a call', async () => {
  const { key_id, secret } = await app.mintKey('free')
  const stopped = new AbortController()
  const response = await fetch(`${app.url}/v1/test/long/export`, {
    headers: { authorization: `Bearer ${secret}`, 'accept-encoding': 'identity' },
    signal: stopped.signal,
  })
  const reader = response.body!.getReader()
  await reader.read()
  stopped.abort()
  await reader.read().catch(() => {})
  const [record, ...others] = await waitForLogs(key_id, 1)
  expect(others).toEqual([])
  expect(record!.status).toBe(200)
  expect(record!.bytes).toBeGreaterThan(0)
  expect(await app.app.usage.monthOf(`key:${key_id}`, new Date())).toBe(1)
})

test('a call refused by its plan is recorded; a call without a key is not', async () => {
  const { key_id, secret } = await app.mintKey('free')
  const before = (await app.app.usage.logs.page({ keyIds: everyKey(), limit: 1, offset: 0 })).pagination.total
  await setPlan(app.app.accounts, 'free', { monthly_quota: 0 }, new Date())
  expect((await app.get('/v1/datasets', { key: secret })).status).toBe(429)
  await setPlan(app.app.accounts, 'free', { monthly_quota: 10_000 }, new Date())
  await app.get('/v1/datasets', { key: null })
  await app.get('/v1/datasets', { key: 'rok_nothing' })
  await app.get('/v1/datasets', { key: secret, method: 'OPTIONS' })
  await app.get('/health/live', { key: secret })
  expect((await logsOf(key_id)).map(({ status }) => status)).toEqual([429])
  const after = (await app.app.usage.logs.page({ keyIds: everyKey(), limit: 1, offset: 0 })).pagination.total
  expect(after).toBe(before + 1)
})

function everyKey(): number[] {
  return Array.from({ length: 1000 }, (_, id) => id)
}

test('a key is never written to the data folder, wherever in a request it is', async () => {
  const { key_id, secret } = await app.mintKey()
  const encoded = [...secret].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('')
  const paths = [`/v1/test/long?api_key=${secret}`, `/v1/${secret}/x`, `/v1/test/long?k=${encoded}`]
  paths.push(`/v1/test/long?k=rok%5F${secret.slice(4)}`, `/v1/datasets/${secret}`)
  for (const path of paths) await app.get(path, { key: secret })
  await app.get('/v1/datasets', {
    key: secret,
    headers: { 'user-agent': `curl ${secret}`, 'x-request-id': secret },
  })
  const records = await logsOf(key_id)
  expect(records).toHaveLength(6)
  expect(JSON.stringify(records)).toContain('rok_…')
  const files = readdirSync(app.config.data, { recursive: true, withFileTypes: true })
  for (const file of files.filter((entry) => entry.isFile())) {
    const bytes = readFileSync(join(file.parentPath, file.name))
    for (const text of [secret.slice(4), encoded.slice(12)]) expect(bytes.includes(text)).toBe(false)
  }
})

test('the recorded address is the client’s behind a trusted proxy, otherwise the socket’s', async () => {
  const headers = { 'x-forwarded-for': '1.1.1.1, 203.0.113.7' }
  for (const [instance, ip] of [
    [app, '127.0.0.1'],
    [proxied, '203.0.113.7'],
  ] as const) {
    const { key_id, secret } = await instance.mintKey()
    await instance.get('/v1/datasets', { key: secret, headers })
    await instance.get('/v1/datasets', { key: secret, headers, method: 'HEAD' })
    expect((await logsOf(key_id, instance)).map((record) => record.ip)).toEqual([ip, ip])
  }
})

test('a request with an empty Host is recorded by its path', async () => {
  const { key_id, secret } = await app.mintKey()
  const request = `GET /v1/datasets HTTP/1.1\r\nHost: \r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`
  await rawRequest(app.url, { parts: [request] })
  expect(await logsOf(key_id)).toMatchObject([{ path: '/v1/datasets', ip: '127.0.0.1', user_agent: null }])
})
