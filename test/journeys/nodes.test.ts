/** Nodes in separate processes on one database and one object store, and the shell beside them. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasObjectStore, STORE_CREDENTIALS, startObjectStore } from '../support/object-store.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { tempDir } from '../support/temp-dir.ts'
import {
  bodyOf,
  izvor,
  JOURNEY_TIMEOUT,
  mint,
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

/** Settings of a new group of nodes. */
async function shareStores(): Promise<RunOptions> {
  const { address, endpoint } = await startObjectStore()
  const env = {
    ...STORE_CREDENTIALS,
    IZVOR_DATABASE_URL: await server.createDatabase(),
    IZVOR_OBJECT_STORE: address,
    IZVOR_OBJECT_STORE_ENDPOINT: endpoint,
    IZVOR_DISK_FLOOR: '0',
  }
  return { env }
}

function tableOf(rows: number): string {
  const path = join(tempDir(), 'prices.csv')
  const lines = Array.from({ length: rows }, (_, i) => `item ${i},${i}`)
  writeFileSync(path, ['name,price', ...lines, ''].join('\n'))
  return path
}

async function rowsOf(node: RunningService, secret: string): Promise<number> {
  return (await bodyOf(await node.get('/v1/economy/prices?limit=1', secret))).pagination.total
}

describe.skipIf(!hasPostgres || !hasObjectStore)('nodes and the shell', () => {
  test('every node serves an edition ingested from any folder, or a rollback, as soon as the command ends', async () => {
    const options = await shareStores()
    const folders = ['a', 'b', 'shell'].map((name) => join(tempDir(), name)) as [string, string, string]
    const [a, b, shell] = folders
    const nodes = [await serve(a, ['serve'], options), await serve(b, ['serve'], options)]
    const keys = [await mint(a, options), await mint(b, options)]
    const served = () => Promise.all(nodes.map((node, i) => rowsOf(node, keys[i]!.secret)))

    const ingest = ['ingest', '--id', 'prices', '--domain', 'economy', '--data', shell]
    await succeed([...ingest, tableOf(3)], options)
    expect(await served()).toEqual([3, 3])
    await succeed([...ingest, tableOf(5)], options)
    expect(await served()).toEqual([5, 5])
    await succeed(['datasets', 'rollback', 'prices', '--data', b], options)
    expect(await served()).toEqual([3, 3])
    expect(JSON.parse(await succeed(['datasets', 'list', '--json', '--data', shell], options))).toMatchObject(
      [{ id: 'prices', row_count: 3, version: 1 }],
    )

    const findings = JSON.parse((await izvor(['doctor', '--json', '--data', shell], options)).stdout)
    expect(findings.find(({ check }: { check: string }) => check === 'nodes').what).toStartWith('2 nodes')

    nodes[1]!.signal('SIGKILL')
    await nodes[1]!.exited
    const { stderr, code } = await izvor([...ingest, tableOf(7)], options)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('does not serve this yet')])
    expect(await rowsOf(nodes[0]!, keys[0]!.secret)).toBe(7)
    const again = await serve(b, ['serve'], options)
    const { secret } = await mint(b, options)
    expect(await rowsOf(again, secret)).toBe(7)
  })

  test('a folder that already has data is refused as a node, and is not changed', async () => {
    const own = join(tempDir(), 'own')
    const ingest = ['ingest', '--id', 'prices', '--domain', 'economy', '--data', own]
    await succeed([...ingest, tableOf(3)])
    const { code, stderr } = await izvor(['datasets', 'list', '--data', own], await shareStores())
    expect([code, stderr]).toEqual([1, expect.stringContaining('has a catalog of its own')])
    expect(await succeed(['datasets', 'list', '--data', own])).toContain('prices')
  })
})
