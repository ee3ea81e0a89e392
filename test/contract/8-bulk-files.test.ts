import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startTestApp, type TestApp } from '../support/app.ts'
import { findRemoteDuckDb } from '../support/python.ts'
import { readParquet } from '../support/read-parquet.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'
import { until } from '../support/until.ts'

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
const EXPORT = `${TOWNS_PATH}/export`
const LARGE_EXPORT = '/v1/economy/large/export'
const FORMATS = ['csv', 'ndjson', 'xlsx', 'parquet'] as const

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.publish(TOWNS)
  await app.publish(LARGE)
})
afterAll(() => app.stop())

/** The file as it is, without a content coding. */
function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return app.fetch(path, { method, headers: { 'accept-encoding': 'identity', ...headers } })
}

async function fileOf(format: string) {
  const answer = await ask(`${EXPORT}?format=${format}`)
  return { headers: answer.headers, bytes: Buffer.from(await answer.bytes()) }
}

describe('a whole dataset', () => {
  test.each(FORMATS)('as %s has its length, its digest and a strong tag, also for HEAD', async (format) => {
    const head = await ask(`${EXPORT}?format=${format}`, {}, 'HEAD')
    const { headers, bytes } = await fileOf(format)
    const digest = createHash('sha256').update(bytes).digest()
    for (const [name, value] of Object.entries({
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      etag: `"${digest.toString('base64url')}"`,
      'repr-digest': `sha-256=:${digest.toString('base64')}:`,
      'last-modified': new Date(
        (await app.get('/v1/datasets/towns')).body.provenance.imported_at,
      ).toUTCString(),
      'content-disposition': `attachment; filename="towns.${format}"`,
    })) {
      expect([name, headers.get(name)]).toEqual([name, value])
      expect([name, head.headers.get(name)]).toEqual([name, value])
    }
    expect(headers.get('content-range')).toBeNull()
    expect(head.status).toBe(200)
    const exposed = headers.get('access-control-expose-headers')
    for (const name of ['Content-Range', 'Accept-Ranges', 'Repr-Digest', 'Last-Modified'])
      expect(exposed).toContain(name)
  })

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=5-', 5, undefined],
    ['bytes=-7', -7, undefined],
    ['Bytes=0-0', 0, 1],
    ['bytes=10-99999999', 10, undefined],
    ['bytes=-99999999', 0, undefined],
  ])('%s is that part of it', async (range, from, to) => {
    const { bytes, headers } = await fileOf('csv')
    const answer = await ask(EXPORT, { range })
    const wanted = bytes.subarray(from, to)
    const first = from < 0 ? bytes.length + from : from
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(
      `bytes ${first}-${first + wanted.length - 1}/${bytes.length}`,
    )
    expect(answer.headers.get('content-length')).toBe(String(wanted.length))
    expect(answer.headers.get('etag')).toBe(headers.get('etag'))
    expect(Buffer.from(await answer.bytes())).toEqual(wanted)
  })

  test.each(['bytes=5-2', 'bytes=', 'bytes=a-b', 'bytes=-', 'rows=0-5', 'bytes=0-1,5-6', 'bytes 0-5'])(
    '%s, which is not a range or several, is answered with all of it',
    async (range) => {
      const { bytes } = await fileOf('parquet')
      const answer = await ask(`${EXPORT}?format=parquet`, { range })
      expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(bytes.length)])
      expect(Buffer.from(await answer.bytes())).toEqual(bytes)
    },
  )

  test('a range that starts past the end is 416 and says how long the file is', async () => {
    const { bytes } = await fileOf('csv')
    for (const range of [`bytes=${bytes.length}-`, 'bytes=99999999-', 'bytes=-0']) {
      const answer = await ask(EXPORT, { range })
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
      expect(((await answer.json()) as { error: { code: string } }).error.code).toBe('range_not_satisfiable')
    }
  })

  test('If-Range continues only the same file', async () => {
    const { bytes, headers } = await fileOf('csv')
    const statusFor = async (ifRange: string) => {
      const answer = await ask(EXPORT, { range: 'bytes=5-', 'if-range': ifRange })
      expect((await answer.bytes()).length).toBe(answer.status === 206 ? bytes.length - 5 : bytes.length)
      return answer.status
    }
    expect(await statusFor(headers.get('etag')!)).toBe(206)
    expect(await statusFor(headers.get('last-modified')!)).toBe(206)
    for (const other of ['"x"', `W/${headers.get('etag')}`, new Date(0).toUTCString()])
      expect(await statusFor(other)).toBe(200)
  })

  test('the tag of the whole file gets a 304, also with a range', async () => {
    const { headers } = await fileOf('csv')
    for (const more of [{}, { range: 'bytes=0-4' }]) {
      const answer = await ask(EXPORT, { 'if-none-match': headers.get('etag')!, ...more })
      expect([answer.status, answer.headers.get('etag')]).toEqual([304, headers.get('etag')])
    }
  })

  test('each content coding has a separate tag, and ranges are of the uncoded file', async () => {
    const { bytes, headers } = await fileOf('csv')
    const packed = await ask(EXPORT, { 'accept-encoding': 'gzip' })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('etag')).toBe(`${headers.get('etag')!.slice(0, -1)}-gzip"`)
    expect(Buffer.from(await packed.bytes())).toEqual(bytes)
    const part = await ask(EXPORT, { 'accept-encoding': 'gzip', range: 'bytes=0-9' })
    expect([part.status, part.headers.get('content-encoding')]).toEqual([206, null])
    const workbook = await ask(`${EXPORT}?format=xlsx`, { 'accept-encoding': 'gzip' })
    expect(workbook.headers.get('content-encoding')).toBeNull()
  })

  test('filters, sort, fields and options of CSV turn it into a stream', async () => {
    for (const query of [
      'year=2021',
      'sort=year',
      'fields=town',
      'bom=true',
      'delimiter=;',
      'safe=true',
      'q=cluj',
    ]) {
      const answer = await ask(`${EXPORT}?${query}`, { range: 'bytes=0-4' })
      await answer.bytes()
      expect([query, answer.status, answer.headers.get('etag')?.slice(0, 2)]).toEqual([query, 200, 'W/'])
    }
  })

  test('fifty simultaneous requests share one build, which a client that disconnects does not end', async () => {
    const { builds } = app.app.bulkFiles
    const leaving = new AbortController()
    const gone = fetch(`${app.url}${LARGE_EXPORT}?format=parquet`, {
      headers: { authorization: `Bearer ${app.key}` },
      signal: leaving.signal,
    }).catch(() => 'gone')
    leaving.abort()
    const digests = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const answer = await ask(`${LARGE_EXPORT}?format=parquet`)
        return createHash('sha256')
          .update(await answer.bytes())
          .digest('hex')
      }),
    )
    expect(await gone).toBe('gone')
    expect(new Set(digests).size).toBe(1)
    expect(app.app.bulkFiles.builds).toBe(builds + 1)
  })

  test('a range is one call, recorded with the bytes that were sent', async () => {
    const { key_id, secret } = await app.mintKey()
    const headers = { authorization: `Bearer ${secret}`, 'accept-encoding': 'identity' }
    const ranges = ['bytes=0-99', 'bytes=0-999999']
    for (const range of ranges)
      await (await fetch(app.url + LARGE_EXPORT, { headers: { ...headers, range } })).bytes()
    await until(() => app.app.bulkFiles.sending === 0)
    const { data } = await app.app.usage.logs.page({ keyIds: [key_id], limit: 10, offset: 0 })
    expect(data.map(({ status, bytes }) => [status, bytes])).toEqual([
      [206, 1_000_000],
      [206, 100],
    ])
  })
})

const duckdb = findRemoteDuckDb()
test.skipIf(duckdb === null)(
  'DuckDB sums one column from its chunks, the footer and at most another tenth of the file',
  async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const valueAt = (row: number, column: number) => ((row + 1) * (column + 3) * 2_654_435_761) % 1_000_003
    const rows = Array.from({ length: LARGE_ROWS }, (_, row) =>
      names.map((_, column) => valueAt(row, column)),
    )
    const columns = names.map((name) => ({ name, type: 'integer' as const }))
    await app.publish({ id: 'columns', domain: 'economy', table: { columns, rows } })
    const path = '/v1/economy/columns/export?format=parquet'
    const file = await (await ask(path)).bytes()
    const { metadata } = await readParquet(file)
    const wanted = metadata.row_groups
      .map((group) => Number(group.columns[2]!.meta_data!.total_compressed_size))
      .reduce((sum, bytes) => sum + bytes)
    const { key_id, secret } = await app.mintKey()
    const script = `
import duckdb, json, sys
base = duckdb.connect()
base.execute(f"LOAD '{sys.argv[1]}'")
base.execute(f"CREATE SECRET (TYPE http, BEARER_TOKEN '{sys.argv[3]}')")
print(base.sql(f"SELECT sum(c) FROM read_parquet('{sys.argv[2]}')").fetchall()[0][0])`
    const command = [duckdb!, '-c', script, process.env.DUCKDB_HTTPFS!, app.url + path, secret]
    // Not `spawnSync`, because the service runs in this process.
    const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' })
    expect(Number(await child.stdout.text())).toBe(rows.reduce((sum, row) => sum + row[2]!, 0))
    await until(() => app.app.bulkFiles.sending === 0)
    const { data } = await app.app.usage.logs.page({ keyIds: [key_id], limit: 1000, offset: 0 })
    const fetched = data.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(data.filter(({ status }) => status === 206)).not.toEqual([])
    expect(fetched).toBeGreaterThanOrEqual(wanted)
    expect(fetched).toBeLessThanOrEqual(wanted + metadata.metadata_length + file.length / 10)
  },
)

test('the files of a version are removed with it', async () => {
  const folder = join(app.app.dataDir.root, 'files', 'short_lived')
  const published = () =>
    app.publish({
      ...LARGE,
      id: 'short_lived',
      table: {
        ...LARGE.table,
        rows: [[Math.random(), 'x']].map(([n, text]) => [Math.floor(Number(n) * 1e9), text as string]),
      },
    })
  await published()
  await ask('/v1/economy/short_lived/export')
  expect(readdirSync(folder).length).toBe(1)
  for (let i = 0; i < 3; i++) await published()
  expect(existsSync(folder)).toBe(false)
})

test('files beyond the limit are evicted, least recently used first, and a file that exceeds it is streamed', async () => {
  const small = await startTestApp({ flags: { bulk_files: 9000 } })
  try {
    await small.publish(TOWNS)
    await small.publish(LARGE)
    const get = async (path: string) => {
      const answer = await small.fetch(path, { headers: { 'accept-encoding': 'identity' } })
      return { length: answer.headers.get('content-length'), bytes: (await answer.bytes()).length }
    }
    const streamed = await get(LARGE_EXPORT)
    expect(streamed.length).toBeNull()
    expect(streamed.bytes).toBeGreaterThan(9000)
    for (const format of FORMATS) expect((await get(`${EXPORT}?format=${format}`)).length).not.toBeNull()
    await until(() => small.app.bulkFiles.sending === 0)
    const files = small.app.dataDir.files.files()
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(9000)
    expect(files.some(({ path }) => path.endsWith('.parquet'))).toBe(true)
  } finally {
    await small.stop()
  }
})
