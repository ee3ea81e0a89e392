/** A service whose editions are in a real object store: its start, answers and readiness while the store comes and goes. */

import { describe, expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { type App, openApp } from '../../src/app.ts'
import type { Config } from '../../src/base/config/config.ts'
import { loadConfig } from '../../src/base/config/load.ts'
import { verifyFolder } from '../../src/commands/datasets/verify.ts'
import { BulkFiles } from '../../src/query/files/bulk-files.ts'
import { listen } from '../../src/server/listening/listen.ts'
import type { ServedDataset } from '../../src/store/catalog/record.ts'
import { versionKey } from '../../src/store/objects/keys.ts'
import { startObjectSweeps } from '../../src/upkeep/object-sweeps.ts'
import { openWorkplace, workplaceIn } from '../support/ingest.ts'
import { type NodeFolder, openNodeFolder } from '../support/node-folder.ts'
import {
  hasObjectStore,
  startObjectStore,
  type TestObjectStore,
  takeStoreCredentials,
} from '../support/object-store.ts'
import { CHEAP_PASSWORDS } from '../support/passwords.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(60_000)

const quiet = pino({ enabled: false })
const ROWS = 'county,value\nCluj,1\nIași,2\nDolj,3\n'

function configOf({ address, endpoint }: TestObjectStore, store: Partial<Config> = {}): Config {
  takeStoreCredentials()
  const { values } = loadConfig({
    flags: { data: join(tempDir(), 'data'), port: 0, host: '127.0.0.1', disk_floor: '0' },
  })
  return { ...values, object_store: address, object_store_endpoint: endpoint, ...store }
}

async function openService(config: Config): Promise<App> {
  const app = await openApp(config, { log: quiet, passwordCost: CHEAP_PASSWORDS })
  onTestFinished(() => app.close())
  return app
}

async function readiness(url: string): Promise<{ code: number; status: string; store: string }> {
  const answer = await fetch(`${url}/health/ready`)
  const body = (await answer.json()) as { status: string; checks: Record<string, { status: string }> }
  return { code: answer.status, status: body.status, store: body.checks.object_store?.status ?? 'none' }
}

function bulkFiles({ dataDir }: NodeFolder): BulkFiles {
  return new BulkFiles(dataDir, 2 ** 30, 0, quiet)
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

const SERVED = { id: 'trade', version: 3, sha256: 'ab'.repeat(32) } as ServedDataset

describe.skipIf(!hasObjectStore)('a service on an object store', () => {
  test('a missing bucket or wrong credentials stop the start; an unreachable store does not', async () => {
    const server = await startObjectStore()
    const { endpoint } = server
    const missing = configOf(server, { object_store: 's3://no-such-bucket/izvor' })
    expect(openService(missing)).rejects.toThrow(/s3:\/\/no-such-bucket\/izvor.*NoSuchBucket/)
    const config = configOf(server)
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong'
    expect(openService(config)).rejects.toThrow(/refuses.*SignatureDoesNotMatch/)
    process.env.AWS_SECRET_ACCESS_KEY = ''
    expect(openService(config)).rejects.toThrow(/AWS_SECRET_ACCESS_KEY/)
    takeStoreCredentials()
    await server.kill()
    const app = await openService(configOf(server, { object_store_endpoint: endpoint }))
    expect(app.dataDir.remote?.problem).toContain('does not answer')
  })

  test('without the store cached data is served, readiness is degraded with 200, and the service recovers', async () => {
    const server = await startObjectStore()
    const app = await openService(configOf(server))
    const { ingest } = workplaceIn(app.dataDir, app.catalog, tempDir())
    await ingest(ROWS)
    const listening = listen(app)
    onTestFinished(() => listening.stop({ requests: 0 }))
    const { url } = listening
    const served = app.catalog.find('sample')!
    const count = () => app.openDatasets.use(served, (dataset) => dataset.rows)
    expect(await count()).toBe(3)
    expect(await readiness(url)).toMatchObject({ code: 200, store: 'ok' })
    await server.kill()
    await until(() => app.dataDir.remote?.problem)
    expect(await readiness(url)).toEqual({ code: 200, status: 'degraded', store: 'degraded' })
    app.openDatasets.closeIdle(0)
    expect(await count()).toBe(3)
    await server.start()
    await until(() => app.dataDir.remote?.problem === null)
    expect((await readiness(url)).store).toBe('ok')
    rmSync(served.file)
    app.openDatasets.closeIdle(0)
    expect(await count()).toBe(3)
  })

  test('verify reads all objects and names those that are missing or damaged', async () => {
    const server = await startObjectStore()
    const config = configOf(server)
    const app = await openApp(config, { log: quiet, passwordCost: CHEAP_PASSWORDS })
    const { ingest } = workplaceIn(app.dataDir, app.catalog, tempDir())
    for (const id of ['whole', 'cut', 'lost']) await ingest(ROWS, { id })
    const keys = ['cut', 'lost'].map((id) =>
      versionKey({ id, version: 1, file: app.catalog.record(id)!.file }),
    )
    await app.close()
    expect((await verifyFolder(config, undefined)).filter(({ problem }) => problem !== null)).toEqual([])
    truncateSync(server.fileOf(keys[0]!), 100)
    rmSync(server.fileOf(keys[1]!))
    const found = (await verifyFolder(config, undefined)).filter(({ problem }) => problem !== null)
    expect(found.map(({ dataset, version, file }) => ({ dataset, version, file }))).toEqual([
      { dataset: 'cut', version: 1, file: `${server.address}/${keys[0]}` },
      { dataset: 'lost', version: 1, file: `${server.address}/${keys[1]}` },
    ])
    expect(await verifyFolder(config, 'whole')).toMatchObject([{ dataset: 'whole', problem: null }])
    await server.kill()
    expect(verifyFolder(config, 'whole')).rejects.toThrow(/does not answer/)
  })

  test('only versions that are no longer kept are deleted from the store, after the grace period', async () => {
    const server = await startObjectStore()
    const app = await openService(configOf(server, { keep_versions: 1 }))
    const { ingest } = workplaceIn(app.dataDir, app.catalog, tempDir())
    for (const more of ['', 'Alba,4\n', 'Arad,5\n']) await ingest(ROWS + more)
    const store = server.client()
    const keys = async () => (await Array.fromAsync(store.list('versions/'))).map(({ key }) => key)
    expect(await keys()).toHaveLength(3)
    onTestFinished(startObjectSweeps({ ...app, objects: app.objects! }, 20, 100))
    await until(async () => (await keys()).length < 3)
    const { file } = app.catalog.record('sample')!
    expect(await until(keys, (left) => left.length === 1)).toEqual([
      versionKey({ id: 'sample', version: 3, file }),
    ])
  })

  test('a dataset file made by one machine is found by another, which makes its own when the store is unreachable', async () => {
    const server = await startObjectStore()
    const [one, other, third] = [1, 2, 3].map(() => openNodeFolder(server.client())) as [
      NodeFolder,
      NodeFolder,
      NodeFolder,
    ]
    const made = await bulkFiles(one).find(SERVED, 'csv', () => bytesOf('a,b\n1,2\n'))
    await until(async () => (await Array.fromAsync(one.objects.store.list('files/'))).length === 1)
    const there = bulkFiles(other)
    const found = await there.find(SERVED, 'csv', () => bytesOf('never'))
    expect(found).toMatchObject({ bytes: made!.bytes, sha256: made!.sha256 })
    expect(await Bun.file(found!.path).text()).toBe('a,b\n1,2\n')
    expect(there.builds).toBe(0)
    // Another format, or the data of another version, is made again.
    expect((await there.find(SERVED, 'ndjson', () => bytesOf('{}')))?.bytes).toBe(2)
    const later = { ...SERVED, sha256: 'cd'.repeat(32) }
    expect((await there.find(later, 'csv', () => bytesOf('a\n')))?.bytes).toBe(2)
    await server.kill()
    expect((await bulkFiles(third).find(SERVED, 'csv', () => bytesOf('a,b\n1,2\n')))?.sha256).toBe(
      made!.sha256,
    )
  })

  test('a cached edition that is corrupted on disk is fetched again', async () => {
    const server = await startObjectStore()
    const node = openNodeFolder(server.client())
    const workplace = openWorkplace(node.dataDir)
    await workplace.ingest(ROWS)
    const { id, version, sha256, bytes, file } = workplace.catalog.find('sample')!
    const name = { id, version, file: { sha256, bytes } }
    await node.objects.ensureLocal(name)
    const { mtime } = await Bun.file(file).stat()
    const content = await Bun.file(file).bytes()
    content[content.length >> 1]! ^= 255
    writeFileSync(file, content)
    utimesSync(file, mtime, mtime)
    node.objects.distrust(file)
    await node.objects.ensureLocal(name)
    expect(new Bun.CryptoHasher('sha256').update(await Bun.file(file).bytes()).digest('hex')).toBe(sha256)
  })
})
