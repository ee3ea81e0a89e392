/** One command takes a person's data down: a search for its bytes finds nothing, in one folder or on several nodes. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { FORMAT_TABLE } from '../../src/query/formats.ts'
import { bytesBelow } from '../support/folder-bytes.ts'
import { hasObjectStore, STORE_CREDENTIALS, startObjectStore } from '../support/object-store.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { tempDir } from '../support/temp-dir.ts'
import {
  bodyOf,
  izvor,
  JOURNEY_TIMEOUT,
  type RunningService,
  type RunOptions,
  serve,
  succeed,
} from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

let server: TestPostgres
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres()
})
afterAll(() => server?.stop())

const NEEDLE = 'Haystackson'
const FORMATS = Object.keys(FORMAT_TABLE)
const KEEP = { IZVOR_KEEP_VERSIONS: '9' }

/** @param broken the value of `n` in the last row; a text makes the row a refused one */
function personal(broken = 'none'): string {
  const rows = Array.from({ length: 40 }, (_, i) => `${i},Town ${i},Person ${i}`)
  return ['n,town,holder', ...rows, `40,Town 40,${NEEDLE}`, `${broken},Town 41,${NEEDLE} too`, ''].join('\n')
}
const clean = `n,town\n${Array.from({ length: 41 }, (_, i) => `${i},Town ${i}`).join('\n')}\n`

/** @returns the files below a folder that contain the needle, except the request log */
function findings(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('usage.db'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(NEEDLE)),
  )
}

const ingest = (data: string, text: string, options: RunOptions, ...more: string[]) =>
  succeed(
    [
      'ingest',
      '-',
      '--id',
      'permits',
      '--domain',
      'town',
      '--max-quarantine',
      '50%',
      '--data',
      data,
      ...more,
    ],
    { ...options, input: text },
  )

/** Has the dataset written as a file in every format, and the same file read as a draft. */
async function makeCopies(node: RunningService, secret: string): Promise<string> {
  for (const format of FORMATS) {
    const file = await node.get(`/v1/town/permits/export?format=${format}`, secret)
    expect([format, file.status]).toEqual([format, 200])
    await file.arrayBuffer()
  }
  const asked = await node.get(`/v1/town/permits?holder[eq]=${NEEDLE}`, secret)
  expect((await bodyOf(asked)).pagination.total).toBe(1)
  const headers = { authorization: `Bearer ${secret}` }
  const sent = await fetch(`${node.address}/publish/api/drafts?filename=permits.csv`, {
    ...{ method: 'POST', headers, body: personal('text') },
  })
  const { id } = await bodyOf(sent)
  for (;;) {
    const draft = await bodyOf(await fetch(`${node.address}/publish/api/drafts/${id}?wait=20`, { headers }))
    if (draft.state === 'ready' || draft.state === 'refused') return id
    if (draft.state === 'failed') throw new Error(JSON.stringify(draft))
  }
}

async function mintAll(data: string, options: RunOptions): Promise<string> {
  const minted = await succeed(
    ['keys', 'mint', '--plan', 'unlimited', '--scopes', 'read,publish', '--json', '--data', data],
    options,
  )
  return JSON.parse(minted).secret
}

test('one command removes a column from every kept version, and nothing below the data folder has its bytes', async () => {
  const data = join(tempDir(), 'data')
  const options = { env: KEEP }
  await ingest(data, personal(), options)
  await ingest(data, personal('text'), options)
  const archive = join(tempDir(), 'before.tar')
  await succeed(['backup', archive, '--data', data], options)
  await succeed(['restore', archive, '--yes', '--data', data], options)
  mkdirSync(join(data, 'before-upgrade'))
  cpSync(join(data, 'catalog.db'), join(data, 'before-upgrade', 'catalog.schema-3.db'))

  const service = await serve(data, ['serve'], options)
  const secret = await mintAll(data, options)
  const draft = await makeCopies(service, secret)
  const before = findings(data)
  for (const part of [
    'datasets/permits/1.db',
    'files/permits/2-',
    `drafts/${draft}/source`,
    'before-restore-',
  ])
    expect([part, before.some((path) => path.slice(data.length).includes(part))]).toEqual([part, true])

  const served = await izvor(['datasets', 'drop', 'permits', '2', '--yes', '--data', data], options)
  expect([served.code, served.stderr]).toEqual([1, expect.stringContaining('version 2 of permits is served')])
  await ingest(data, clean, options, '--accept-drift')
  const asked = await izvor(['datasets', 'drop', 'permits', '--column', 'holder', '--data', data], options)
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('before-restore-')])
  const drop = ['datasets', 'drop', 'permits', '--column', 'holder', '--yes', '--json', '--data', data]
  expect(JSON.parse(await succeed(drop, options))).toEqual({
    dropped: [1, 2],
    kept_with_column: [],
    backups: [{ name: 'before.tar', at: expect.stringContaining('T') }],
  })
  expect(findings(data)).toEqual([])
  expect(readdirSync(join(data, 'datasets', 'permits'))).toEqual(['3.db'])
  expect(existsSync(join(data, 'drafts', draft))).toBe(false)
  expect((await bodyOf(await service.get('/v1/town/permits', secret))).pagination.total).toBe(41)
  expect(await succeed(['audit', 'list', '--data', data], options)).toMatch(
    /shell +versions_dropped .*permits versions 1, 2/,
  )
  expect(bytesBelow(data).includes(NEEDLE)).toBe(true)
})

test('removing a whole dataset leaves none of its bytes either', async () => {
  const data = join(tempDir(), 'data')
  const options = { env: KEEP }
  await ingest(data, personal(), options)
  await ingest(data, personal('text'), options)
  const service = await serve(data, ['serve'], options)
  const draft = await makeCopies(service, await mintAll(data, options))
  await succeed(['datasets', 'remove', 'permits', '--yes', '--data', data], options)
  expect(findings(data)).toEqual([])
  expect(existsSync(join(data, 'drafts', draft))).toBe(false)
})

test('exports of a version that is taken down break off before the command ends, and never look complete', async () => {
  const data = join(tempDir(), 'data')
  const options = { env: KEEP }
  const rows = Array.from(
    { length: 400_000 },
    (_, i) => `${i},town number ${i} of many,${'x'.repeat(20)}${i % 977}`,
  )
  const file = join(tempDir(), 'permits.csv')
  writeFileSync(file, `n,town,holder\n${rows.join('\n')}\n`)
  await succeed(['ingest', file, '--domain', 'town', '--data', data], options)
  const service = await serve(data, ['serve'], options)
  const secret = await mintAll(data, options)
  const paths = ['format=ndjson&n[gte]=0', 'format=ndjson', 'format=csv&n[gte]=0']
  const whole = await service.get('/v1/town/permits/export?format=ndjson', secret)
  const length = (await whole.arrayBuffer()).byteLength
  const slow = await Promise.all(
    paths.map((path) => readSlowly(service, `/v1/town/permits/export?${path}`, secret)),
  )
  const others = `n,town\n${rows.map((row) => row.slice(0, row.lastIndexOf(','))).join('\n')}\n`
  await ingest(data, others, options, '--accept-drift')
  await succeed(['datasets', 'drop', 'permits', '1', '--yes', '--data', data], options)
  for (const [i, rest] of slow.entries()) {
    const { bytes, isComplete } = await rest()
    expect([paths[i], isComplete, bytes > 0 && bytes < length]).toEqual([paths[i]!, false, true])
  }
})

/** A client that stops reading once the answer has begun. @returns a function that reads the rest and says how it ended */
async function readSlowly({ address }: RunningService, path: string, secret: string) {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const headers = `Host: ${hostname}\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`
  socket.write(`GET ${path} HTTP/1.1\r\n${headers}`)
  const pieces: Buffer[] = []
  await new Promise<void>((resolve) => {
    socket.once('data', (piece) => {
      pieces.push(piece)
      socket.pause()
      resolve()
    })
  })
  return async () => {
    socket.on('data', (piece) => void pieces.push(piece))
    const closed = new Promise<void>((resolve) => {
      socket.on('error', () => {})
      socket.on('close', () => resolve())
    })
    socket.resume()
    await closed
    const got = Buffer.concat(pieces)
    const bytes = got.length - got.indexOf('\r\n\r\n') - 4
    const length = Number(/content-length: (\d+)/i.exec(got.subarray(0, 2000).toString())?.[1] ?? Number.NaN)
    expect(got.subarray(0, 12).toString()).toBe('HTTP/1.1 200')
    const isComplete = Number.isNaN(length) ? got.subarray(-5).toString() === '0\r\n\r\n' : bytes === length
    return { bytes, isComplete }
  }
}

test.skipIf(!hasPostgres || !hasObjectStore)(
  'on several nodes no folder, object or draft contains the bytes when the command ends',
  async () => {
    const { address, endpoint, folder: objects } = await startObjectStore()
    const env = {
      ...{ ...STORE_CREDENTIALS, ...KEEP, IZVOR_DATABASE_URL: await server.createDatabase() },
      ...{ IZVOR_OBJECT_STORE: address, IZVOR_OBJECT_STORE_ENDPOINT: endpoint, IZVOR_DISK_FLOOR: '0' },
    }
    const options = { env }
    const [a, b, shell] = ['a', 'b', 'shell'].map((name) => join(tempDir(), name)) as [string, string, string]
    const nodes = [await serve(a, ['serve'], options), await serve(b, ['serve'], options)]
    await ingest(shell, personal(), options)
    await ingest(shell, personal('text'), options)
    const secret = await mintAll(shell, options)
    const draft = await makeCopies(nodes[0]!, secret)
    await makeCopies(nodes[1]!, secret)
    await bodyOf(await nodes[1]!.get(`/publish/api/drafts/${draft}`, secret))
    expect(findings(a, b, objects).length).toBeGreaterThan(10)

    await ingest(shell, clean, options, '--accept-drift')
    const drop = ['datasets', 'drop', 'permits', '--before', '3', '--yes', '--json', '--data', shell]
    const done = JSON.parse(await succeed(drop, options))
    expect(done).toEqual({ dropped: [1, 2], kept_with_column: [], backups: [] })
    expect(findings(a, b, shell, objects)).toEqual([])
    for (const node of nodes)
      expect((await bodyOf(await node.get('/v1/town/permits', secret))).pagination.total).toBe(41)
  },
)
