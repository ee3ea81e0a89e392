import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { truncateSync, writeFileSync } from 'node:fs'
import { startTestApp, type TestApp } from '../support/app.ts'
import { testsNodes } from '../support/node-settings.ts'
import { parseRfc4180 } from '../support/rfc4180.ts'
import { TOWNS, TOWNS_PATH, TOWNS_TABLE } from '../support/towns.ts'
import { until } from '../support/until.ts'

const EXPORT = `${TOWNS_PATH}/export`
const LARGE_ROWS = 200_000
const LARGE = {
  id: 'large',
  domain: 'economy',
  table: {
    columns: [
      { name: 'n', type: 'integer' as const },
      { name: 'text', type: 'string' as const },
    ],
    rows: Array.from({ length: LARGE_ROWS }, (_, n) => [n, `some words about row ${n % 1000}`]),
  },
}

/** 120 MB when exported: more than fits in all buffers between service and client. */
const HUGE = {
  ...LARGE,
  id: 'huge',
  table: { ...LARGE.table, rows: LARGE.table.rows.map((_, n) => [n, `${n % 10}`.repeat(600)]) },
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ flags: { max_exports: 24 } })
  await app.publish(TOWNS)
  await app.publish(LARGE)
  await app.publish(HUGE)
})
afterAll(() => app.stop())

const plain = { headers: { 'accept-encoding': 'identity' } }

test('a format by the name that other programs give it is refused and ours suggested', async () => {
  for (const [given, meant] of [
    ['jsonl', 'ndjson'],
    ['JSON-Lines', 'ndjson'],
    ['cvs', 'csv'],
  ] as const) {
    const { status, body } = await app.get(`${EXPORT}?format=${given}`)
    expect([status, body.error.code, body.error.detail[0].suggestions]).toEqual([
      422,
      'invalid_format',
      [meant],
    ])
  }
})

describe('4.7 export', () => {
  test('CSV is the default: header, CRLF, null as an empty cell, an empty text in quotes', async () => {
    const { status, headers, text } = await app.get(EXPORT)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="towns.csv"')
    const [header, ...records] = parseRfc4180(text)
    expect(header?.map((field) => field.text)).toEqual(TOWNS_TABLE.columns.map((column) => column.name))
    const values = records.map((record) =>
      record.map((field) => (field.text === '' && !field.quoted ? null : field.text)),
    )
    expect(values).toEqual(
      TOWNS_TABLE.rows.map((row) => row.map((cell) => (cell === null ? null : String(cell)))),
    )
  })

  test.each(['ndjson', 'json'])(
    'format=%s gives one JSON object per line, equal to the list',
    async (format) => {
      const { headers, text } = await app.get(`${EXPORT}?format=${format}`)
      expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
      expect(headers.get('content-disposition')).toBe('attachment; filename="towns.ndjson"')
      const rows = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(rows).toEqual((await app.get(TOWNS_PATH)).body.data)
    },
  )

  test('filters and fields apply, the order is that of the file', async () => {
    const { text } = await app.get(`${EXPORT}?year[gte]=2022&fields=people,town`)
    expect(text).toBe(
      'people,town\r\n271692,Iași\r\n30766,Pașcani\r\n64227,"Alba Iulia, ""Cetatea"""\r\n,""\r\n',
    )
  })

  test('without matches CSV is a header line and NDJSON is empty', async () => {
    expect((await app.get(`${EXPORT}?year=1&fields=town`)).text).toBe('town\r\n')
    expect((await app.get(`${EXPORT}?year=1&format=ndjson`)).text).toBe('')
  })

  test.each(['csv', 'ndjson'])('%s is sorted as a list is', async (format) => {
    const { text } = await app.get(`${EXPORT}?format=${format}&sort=-people,town&fields=town,people`)
    const { body } = await app.get(`${TOWNS_PATH}?sort=-people,town&fields=town,people`)
    const rows: readonly { town: string; people: number | null }[] = body.data
    if (format === 'ndjson') expect(text).toBe(`${rows.map((row) => JSON.stringify(row)).join('\n')}\n`)
    else
      expect(parseRfc4180(text).map((record) => record.map((field) => field.text))).toEqual([
        ['town', 'people'],
        ...rows.map(({ town, people }) => [town, people === null ? '' : String(people)]),
      ])
  })

  test('CSV accepts another delimiter, and quotes the texts that contain it', async () => {
    const { text } = await app.get(`${EXPORT}?delimiter=;&fields=people,town&year[gte]=2022`)
    const records = parseRfc4180(text, ';').map((record) => record.map((field) => field.text))
    const plain = parseRfc4180((await app.get(`${EXPORT}?fields=people,town&year[gte]=2022`)).text)
    expect(records).toEqual(plain.map((record) => record.map((field) => field.text)))
    expect(text).toStartWith('people;town\r\n271692;Iași\r\n')
    expect((await app.get(`${EXPORT}?delimiter=tab&fields=people,town&year=1`)).text).toBe('people\ttown\r\n')
  })

  test.each([
    ['application/x-ndjson', 'application/x-ndjson'],
    ['text/csv;q=0.5, application/x-ndjson', 'application/x-ndjson'],
    ['text/html, */*;q=0.8', 'text/csv'],
    ['application/json', 'text/csv'],
    ['application/x-ndjson;q=0', 'text/csv'],
  ])('without format, Accept: %s is answered with %s', async (accept, type) => {
    const { status, headers } = await app.get(EXPORT, { headers: { accept } })
    expect([status, headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`])
    expect(headers.get('vary')).toContain('Accept,')
    const named = await app.get(`${EXPORT}?format=csv`, { headers: { accept } })
    expect(named.headers.get('content-type')).toStartWith('text/csv')
  })

  test('each format has a separate tag', async () => {
    const tagOf = async (accept: string) =>
      (await app.get(EXPORT, { headers: { accept } })).headers.get('etag')
    expect(await tagOf('text/csv')).not.toBe(await tagOf('application/x-ndjson'))
  })

  test('CSV begins with a byte order mark only if bom=true', async () => {
    const bytes = async (query: string) => (await app.fetch(EXPORT + query)).bytes()
    expect([...(await bytes('?bom=true')).subarray(0, 4)]).toEqual([0xef, 0xbb, 0xbf, 0x63])
    expect((await bytes('?bom=false'))[0]).toBe(0x63)
  })

  test.each([
    ['format=xml', 'invalid_format'],
    ['format=', 'invalid_format'],
    ['format=CSV', 'invalid_format'],
    ['format=csv&format=csv', 'duplicate_parameter'],
    ['sort=nope', 'unknown_column'],
    ['sort=year,year', 'invalid_sort'],
    ['delimiter=x', 'invalid_value'],
    ['safe=1', 'invalid_value'],
    ['format=ndjson&safe=true', 'invalid_value'],
    ['format=json&delimiter=;', 'invalid_value'],
    ['limit=5', 'unknown_parameter'],
    ['offset=5', 'unknown_parameter'],
    ['cursor=start', 'unknown_parameter'],
    ['count=true', 'unknown_parameter'],
    ['bom=1', 'invalid_value'],
    ['format=ndjson&bom=true', 'invalid_value'],
    ['fields=nope', 'unknown_column'],
  ])('%s is refused with %s', async (query, code) => {
    const { status, headers, body } = await app.get(`${EXPORT}?${query}`)
    expect([status, body.error.code]).toEqual([422, code])
    expect(headers.get('content-disposition')).toBeNull()
  })

  test.each(['gzip', 'zstd', 'identity'])('a large export is complete as %s', async (encoding) => {
    const response = await app.fetch('/v1/economy/large/export?format=ndjson', {
      headers: { 'accept-encoding': encoding },
    })
    expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
    const lines = (await response.text()).split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.length).toBe(LARGE_ROWS)
    expect(lines.every((line, n) => line.startsWith(`{"n":${n},`))).toBe(true)
  })

  test('HEAD of a filtered export sends the headers and scans nothing', async () => {
    const response = await app.fetch('/v1/economy/large/export?n[gte]=0', { method: 'HEAD', ...plain })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="large.csv"')
    expect(response.headers.get('content-length')).toBeNull()
    expect(await response.text()).toBe('')
  })

  test('lists are answered while an export runs', async () => {
    const running = await app.fetch('/v1/economy/large/export', plain)
    const reader = running.body!.getReader()
    await reader.read()
    expect((await app.get('/v1/economy/large?limit=1&fields=n&n[gte]=5')).body.data).toEqual([{ n: 5 }])
    await reader.cancel()
  })

  test('a running export finishes from its version, even if that is replaced or removed meanwhile', async () => {
    const dataset = { ...HUGE, id: 'changing' }
    await app.publish(dataset)
    const running = await app.fetch('/v1/economy/changing/export', plain)
    for (let version = 0; version < 3; version++) {
      await app.publish({ ...dataset, table: { ...dataset.table, rows: [[-1, 'new']] } })
    }
    expect((await app.get('/v1/economy/changing')).body.data).toEqual([{ n: -1, text: 'new' }])
    app.app.dataDir.discard(await app.app.catalog.remove('changing'))
    expect((await app.get('/v1/economy/changing')).body.error.code).toBe('dataset_not_found')
    const lines = (await running.text()).trimEnd().split('\r\n')
    expect(lines.length).toBe(LARGE_ROWS + 1)
    expect(lines.at(-1)).toStartWith(`${LARGE_ROWS - 1},999`)
  })

  test('a key may run 24 exports at once; the 25th is 503 until one is abandoned', async () => {
    const [{ secret: key }, { secret: other }] = [await app.mintKey(), await app.mintKey()]
    // With a filter, because a whole dataset is a file, which takes no slot while it is sent.
    const path = '/v1/economy/huge/export?n[gte]=0'
    const open = await Promise.all(Array.from({ length: 24 }, () => startSlowExport(app.url, path, key)))
    const refused = await app.get(path, { key })
    expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await app.get(`${path}&n=1`, { key: other })).status).toBe(200)
    expect((await app.get('/v1/economy/huge?limit=1', { key })).status).toBe(200)
    expect((await app.get(path, { key, method: 'HEAD' })).status).toBe(200)

    for (const socket of open) socket.terminate()
    await until(async () => (await app.get(`${path}&n=1`, { key })).status === 200)
  })

  // A node would fetch the file again.
  test.skipIf(testsNodes)(
    'a file damaged before the export is 503 for that dataset only, and readiness says degraded',
    async () => {
      await app.publish({ ...TOWNS, id: 'broken' })
      const { file } = app.app.catalog.find('broken')!
      truncateSync(file, 5000)
      for (const path of ['/v1/geospatial/broken/export', '/v1/geospatial/broken']) {
        const { status, body, text } = await app.get(path)
        expect([status, body.error.code]).toEqual([503, 'service_unavailable'])
        expect(text).not.toContain(app.config.data)
      }
      expect((await app.get(TOWNS_PATH)).status).toBe(200)
      expect((await app.get('/v1/datasets/broken')).status).toBe(200)
      const ready = await app.get('/health/ready', { key: null })
      expect([ready.status, ready.body.status]).toEqual([200, 'degraded'])
      expect(ready.body.checks.datasets.message).toContain('broken')
      writeFileSync(file, '')
    },
  )
})

/** An export whose client reads the first bytes and then stops reading. */
async function startSlowExport(url: string, path: string, key: string) {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const { hostname, port } = new URL(url)
  const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (opened) => void opened.write(head),
      data: (reading) => {
        reading.pause()
        resolve()
      },
    },
  })
  await begun
  return socket
}
