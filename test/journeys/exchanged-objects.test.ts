/** Objects replaced by somebody with write access to the bucket: each is checked against a digest in the database. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256File } from '../../src/base/crypto/sha256.ts'
import {
  hasObjectStore,
  STORE_CREDENTIALS,
  startObjectStore,
  type TestObjectStore,
} from '../support/object-store.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { bodyOf, JOURNEY_TIMEOUT, type RunOptions, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

let server: TestPostgres
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres()
})
afterAll(() => server?.stop())

const TABLE = 'county,value\nCluj,1\nIași,2\n'
const FORGED = 'county,value\nCluj,7\nIași,2\n'

async function shareStores() {
  const store = await startObjectStore()
  const env = {
    ...{ ...STORE_CREDENTIALS, IZVOR_DATABASE_URL: await server.createDatabase(), IZVOR_DISK_FLOOR: '0' },
    ...{ IZVOR_OBJECT_STORE: store.address, IZVOR_OBJECT_STORE_ENDPOINT: store.endpoint },
  }
  const options: RunOptions = { env }
  const shell = join(tempDir(), 'shell')
  const ingest = ['ingest', '-', '--id', 'trade', '--domain', 'economy', '--data', shell]
  await succeed(ingest, { ...options, input: TABLE })
  const mint = ['keys', 'mint', '--plan', 'unlimited', '--scopes', 'read,publish', '--json', '--data', shell]
  const { secret } = JSON.parse(await succeed(mint, options))
  const node = () => serve(join(tempDir(), 'node'), ['serve'], options)
  return { store, node, secret: secret as string }
}

/** Replaces an object and the digest stored with it, as a client of the store can. */
async function exchange(store: TestObjectStore, prefix: string, change: (text: Buffer) => Buffer | string) {
  const client = store.client()
  const keys = (await Array.fromAsync(client.list(prefix))).map(({ key }) => key)
  expect(keys).toHaveLength(1)
  const key = keys[0]!
  const right = readFileSync(store.fileOf(key))
  const path = join(tempDir(), 'object')
  const put = async (bytes: Buffer | string) => {
    writeFileSync(path, bytes)
    await client.put(key, path, sha256File(path))
  }
  await put(change(right))
  return { putRight: () => put(right) }
}

describe.skipIf(!hasPostgres || !hasObjectStore)('a replaced object', () => {
  test('is not sent if it is a dataset file: the node makes the file again', async () => {
    const { store, node, secret } = await shareStores()
    const path = '/v1/economy/trade/export?format=csv'
    const first = await (await node()).get(path, secret)
    const text = await first.text()
    await until(async () => (await Array.fromAsync(store.client().list('files/'))).length === 1)
    await exchange(store, 'files/', (bytes) => bytes.toString().replace('Cluj,1', 'Cluj,7'))
    const answer = await (await node()).get(path, secret)
    expect([await answer.text(), answer.headers.get('etag')]).toEqual([text, first.headers.get('etag')])
    expect(text).toContain('Cluj,1')
  })

  test('is refused if it is a version, and once put right it is served within two seconds', async () => {
    const { store, node, secret } = await shareStores()
    const reader = await node()
    const list = () => reader.get('/v1/economy/trade', secret)
    const { putRight } = await exchange(store, 'versions/', (bytes) => {
      const forged = Buffer.from(bytes)
      forged[forged.length - 1]! ^= 1
      return forged
    })
    for (let i = 0; i < 5; i++) expect((await list()).status).toBe(503)
    await putRight()
    const begun = performance.now()
    await until(async () => (await list()).status === 200)
    expect(performance.now() - begun).toBeLessThan(5000)
  })

  test('is not published if it is the file of a draft', async () => {
    const { store, node, secret } = await shareStores()
    const headers = { authorization: `Bearer ${secret}` }
    const reviewed = await node()
    const drafts = ({ address }: typeof reviewed) => `${address}/publish/api/drafts`
    const body = `${TABLE}Dolj,3\n`
    const sent = await fetch(`${drafts(reviewed)}?filename=trade.csv&dataset=trade`, {
      ...{ method: 'POST', headers, body },
    })
    const { id } = await bodyOf(sent)
    const read = async (at: typeof reviewed) =>
      bodyOf(await fetch(`${drafts(at)}/${id}?wait=20`, { headers }))
    await until(async () => (await read(reviewed)).state === 'ready')
    reviewed.signal('SIGTERM')
    await reviewed.exited
    await exchange(store, `drafts/${id}/source`, () => `${FORGED}Dolj,3\n`)
    const other = await node()
    await fetch(`${drafts(other)}/${id}/publish`, {
      ...{ method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' },
    })
    await until(async () => (await read(other)).state !== 'publishing')
    const { state, problem } = await read(other)
    expect([state, problem.message]).toEqual(['ready', expect.stringContaining('send it again')])
    const rows = (await bodyOf(await other.get('/v1/economy/trade', secret))).data
    expect(rows).toEqual([
      { county: 'Cluj', value: 1 },
      { county: 'Iași', value: 2 },
    ])
    await exchange(store, `drafts/${id}/1/reading.json`, (text) => text.toString().replace('Cluj', 'Dolj'))
    const third = await node()
    expect((await fetch(`${drafts(third)}/${id}`, { headers })).status).toBe(503)
  })
})
