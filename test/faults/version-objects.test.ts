/** Versions in a real object store: fetched once and never partially, evicted and fetched again, swept and verified. */

import { describe, expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { sha256File } from '../../src/base/crypto/sha256.ts'
import { ApiError, DamagedFileError } from '../../src/base/errors.ts'
import { MemoryCeiling } from '../../src/engine/memory/memory-ceiling.ts'
import { TurnKeeper } from '../../src/engine/turns.ts'
import { OpenDatasets } from '../../src/query/open-datasets.ts'
import { queryShares } from '../../src/query/query-shares.ts'
import type { ServedDataset } from '../../src/store/catalog/record.ts'
import type { VersionName } from '../../src/store/files/remote-files.ts'
import { versionKey, wholeFileKey } from '../../src/store/objects/keys.ts'
import type { ObjectStore } from '../../src/store/objects/s3-store.ts'
import { openWorkplace, type Workplace } from '../support/ingest.ts'
import { type NodeFolder, openNodeFolder } from '../support/node-folder.ts'
import {
  hasObjectStore,
  SHORT_TIMES,
  startObjectStore,
  type TestObjectStore,
} from '../support/object-store.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(60_000)

/** A store that counts downloads. */
function counting(store: ObjectStore): ObjectStore & { downloads: number } {
  const counted = {
    ...{ name: store.name, downloads: 0 },
    ...{ check: () => store.check(), close: () => store.close() },
    put: (...given: Parameters<ObjectStore['put']>) => store.put(...given),
    get(...given: Parameters<ObjectStore['get']>) {
      counted.downloads++
      return store.get(...given)
    },
    head: (key: string) => store.head(key),
    list: (prefix: string) => store.list(prefix),
    delete: (key: string) => store.delete(key),
    dropUnfinished: (before: Date) => store.dropUnfinished(before),
  }
  return counted
}

/** Uploads an arbitrary file as a version, for tests that never open it. */
async function upload({ objects }: NodeFolder, id: string, bytes: number, version = 1): Promise<VersionName> {
  const content = Buffer.alloc(bytes, `${id} ${version} `)
  const path = join(tempDir(), 'version')
  writeFileSync(path, content)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const name = { id, version, file: { bytes, sha256 } }
  await objects.uploadVersion(path, name)
  return name
}

function isHere({ dataDir }: NodeFolder, { id, version, file }: VersionName): boolean {
  const path = dataDir.versionFile(id, version)
  return existsSync(path) && sha256File(path).sha256 === file.sha256
}

/** What no fetch may leave behind: anything in `tmp`, or a file with wrong contents. */
function leftovers({ dataDir }: NodeFolder): string[] {
  return readdirSync(dataDir.tmpDir).filter((name) => name !== 'gate.db')
}

const ROWS = 'county,value\nCluj,1\nIași,2\nDolj,3\n'

async function publishSample(workplace: Workplace, content = ROWS): Promise<ServedDataset> {
  await workplace.ingest(content)
  return workplace.catalog.find('sample')!
}

function openDatasets({ objects }: NodeFolder): OpenDatasets {
  const turns = new TurnKeeper({ most: 4, deadline: 10_000 })
  const opened = new OpenDatasets(1 << 26, turns, new MemoryCeiling(2 ** 33), objects)
  onTestFinished(() => opened.close())
  return opened
}

/** The same dataset as served by another node. */
function servedBy({ dataDir }: NodeFolder, served: ServedDataset): ServedDataset {
  return { ...served, file: dataDir.versionFile(served.id, served.version) }
}

async function refusalOf(work: Promise<unknown> | unknown): Promise<unknown> {
  try {
    return await work
  } catch (error) {
    return error
  }
}

describe.skipIf(!hasObjectStore)('versions as objects', () => {
  test('a version is fetched once, however many requests wait for it, and is the same file', async () => {
    const server = await startObjectStore()
    const name = await upload(openNodeFolder(server.client()), 'trade', 12_000_000)
    const store = counting(server.client())
    const node = openNodeFolder(store)
    await Promise.all(Array.from({ length: 20 }, () => node.objects.ensureLocal(name)))
    expect(store.downloads).toBe(1)
    expect(isHere(node, name)).toBe(true)
    expect(leftovers(node)).toEqual([])
    await node.objects.ensureLocal(name)
    expect(store.downloads).toBe(1)
  })

  test('a local file that differs from the version is replaced, whatever happened to it', async () => {
    const server = await startObjectStore()
    const node = openNodeFolder(server.client())
    const name = await upload(node, 'trade', 50_000)
    const path = node.dataDir.versionFile(name.id, name.version)
    const damage = fc.oneof(
      fc.integer({ min: 0, max: 49_999 }).map((at) => () => truncateSync(path, at)),
      fc.integer({ min: 0, max: 49_999 }).map((at) => () => {
        const bytes = readFileSync(path)
        bytes[at]! ^= 255
        writeFileSync(path, bytes)
        utimesSync(path, 1, 1)
      }),
      fc.constant(() => rmSync(path)),
      fc.constant(() => writeFileSync(path, 'of another kind')),
      fc.constant(() => rmSync(`${path}.checked.json`, { force: true })),
      fc.constant(() => writeFileSync(`${path}.checked.json`, '{"sha')),
    )
    await node.objects.ensureLocal(name)
    await fc.assert(
      fc.asyncProperty(damage, async (spoil) => {
        spoil()
        await node.objects.ensureLocal(name)
        expect(isHere(node, name)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('the same number with different data is a different version', async () => {
    const server = await startObjectStore()
    const node = openNodeFolder(server.client())
    const before = await upload(node, 'trade', 50_000)
    const after = await upload(openNodeFolder(server.client()), 'trade', 50_001)
    const same = {
      ...before,
      file: { bytes: 50_000, sha256: (await upload(node, 'other', 50_000)).file.sha256 },
    }
    await node.objects.ensureLocal(before)
    await node.objects.ensureLocal(after)
    expect(isHere(node, after)).toBe(true)
    expect(node.objects.ensureLocal(same)).rejects.toThrow(/has nothing/)
  })

  test('the cache stays within its limit: the least recently used versions go, held ones stay, evicted ones are fetched again', async () => {
    const server = await startObjectStore()
    const store = counting(server.client())
    const node = openNodeFolder(store, { bytes: 350_000 })
    const names = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => upload(node, id, 100_000)))
    const [a, b, c, d, e] = names as [VersionName, VersionName, VersionName, VersionName, VersionName]
    const here = () => names.filter((name) => isHere(node, name)).map(({ id }) => id)
    const use = async (name: VersionName) => {
      const before = performance.now()
      await node.objects.ensureLocal(name)
      await until(() => performance.now() - before > 2)
    }
    for (const name of [a, b, c, a, d]) await use(name)
    expect(here()).toEqual(['a', 'c', 'd'])
    const release = node.objects.hold(node.dataDir.versionFile('c', 1))
    await use(e)
    expect(here()).toEqual(['c', 'd', 'e'])
    await use(b)
    expect(here()).toEqual(['b', 'c', 'e'])
    release()
    await use(a)
    expect(here()).toEqual(['a', 'b', 'e'])
    expect(store.downloads).toBe(7)
    // A version larger than the whole cache is admitted alone.
    const large = await upload(node, 'large', 400_000)
    await use(large)
    expect(here()).toEqual([])
    expect(isHere(node, large)).toBe(true)
  })

  test('a cache filled by an earlier process stays within the limit as well', async () => {
    const server = await startObjectStore()
    const first = openNodeFolder(server.client())
    const names = await Promise.all(['a', 'b', 'c'].map((id) => upload(first, id, 100_000)))
    for (const name of names) await first.objects.ensureLocal(name)
    for (const [at, { id }] of names.entries())
      utimesSync(`${first.dataDir.versionFile(id, 1)}.checked.json`, 1000 - at, 1000 - at)
    const again = openNodeFolder(server.client(), { bytes: 300_000 }, first.dataDir).objects
    const d = await upload(first, 'd', 100_000)
    await again.ensureLocal(d)
    expect(names.filter((name) => isHere(first, name)).map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test('no version is fetched if the disk would become too full', async () => {
    const server = await startObjectStore()
    const node = openNodeFolder(server.client(), { diskFloor: 2 ** 60 })
    const name = await upload(node, 'trade', 1000)
    expect(node.objects.ensureLocal(name)).rejects.toThrow(/has no room/)
    expect(isHere(node, name)).toBe(false)
  })

  test('a store killed or frozen during a fetch leaves nothing behind, and the next fetch succeeds', async () => {
    const server = await startObjectStore()
    const name = await upload(openNodeFolder(server.client()), 'trade', 40_000_000)
    for (const [stop, restart] of [
      [() => server.kill(), () => server.start()],
      [async () => server.freeze(), async () => server.thaw()],
    ] as const) {
      const node = openNodeFolder(server.client({ times: SHORT_TIMES }))
      const fetching = refusalOf(node.objects.ensureLocal(name))
      await Bun.sleep(12)
      await stop()
      const failed = await fetching
      if (failed !== undefined) expect(failed).toMatchObject({ trouble: 'away' })
      expect(isHere(node, name)).toBe(failed === undefined)
      expect(existsSync(node.dataDir.versionFile('trade', 1))).toBe(failed === undefined)
      expect(leftovers(node)).toEqual([])
      await restart()
      await until(async () => (await refusalOf(node.objects.ensureLocal(name))) === undefined)
      expect(isHere(node, name)).toBe(true)
    }
  })

  test('a newly served version is fetched at once where the previous one is cached, otherwise at its first use', async () => {
    const server = await startObjectStore()
    const node = openNodeFolder(server.client())
    const [first, second] = [await upload(node, 'trade', 1000), await upload(node, 'trade', 1000, 2)]
    await node.objects.prepare(first, null)
    expect(isHere(node, first)).toBe(false)
    await node.objects.prepare(second, 1)
    expect(isHere(node, second)).toBe(false)
    await node.objects.ensureLocal(first)
    await node.objects.prepare(second, 1)
    expect(isHere(node, second)).toBe(true)
  })

  test('an object that nothing has named for the whole grace period is deleted, with the files made from it', async () => {
    const server = await startObjectStore()
    const node = openNodeFolder(server.client())
    const [kept, gone, later] = [
      await upload(node, 'trade', 1000, 2),
      await upload(node, 'trade', 1000, 1),
      await upload(node, 'trade', 1000, 3),
    ]
    const foreign = await upload(node, 'foreign', 1000)
    const path = join(tempDir(), 'file')
    writeFileSync(path, 'x')
    const wholeOf = ({ id, version, file }: VersionName) =>
      wholeFileKey({ id, version, versionSha256: file.sha256, format: 'csv' })
    for (const key of [wholeOf(kept), wholeOf(gone), 'drafts/mine/source', 'drafts/new/1/reading.json'])
      await node.objects.keep(key, path)
    await node.objects.keep('drafts/old/source', path)
    utimesSync(server.fileOf('drafts/old/source'), 1_700_000_000, 1_700_000_000)
    const given = [{ id: 'trade', last: 2 }]
    const named = { versions: [kept], given, drafts: ['mine'] }
    const keys = async () => {
      const prefixes = ['versions/', 'files/', 'drafts/']
      const all = await Promise.all(prefixes.map((one) => Array.fromAsync(node.objects.store.list(one))))
      return all.flat().map(({ key }) => key)
    }
    expect(await node.objects.sweep(named, 0)).toBe(0)
    expect(await node.objects.sweep(named, 3_600_000)).toBe(0)
    // Named in between, so the grace period starts again.
    expect(await node.objects.sweep({ versions: [kept, gone], given, drafts: ['mine', 'old'] }, 0)).toBe(0)
    expect(await node.objects.sweep(named, 0)).toBe(0)
    const before = await keys()
    expect(await node.objects.sweep(named, 0)).toBe(3)
    const left = new Set([versionKey(gone), wholeOf(gone), 'drafts/old/source'])
    expect((await keys()).sort()).toEqual(before.filter((key) => !left.has(key)).sort())
    // Version numbers that this catalog never gave are kept, and an empty database deletes nothing.
    expect(await keys()).toEqual(expect.arrayContaining([versionKey(later), versionKey(foreign)]))
    const empty = { versions: [], given: [], drafts: [] }
    expect(await node.objects.sweep(empty, 0)).toBe(0)
    expect(await node.objects.sweep(empty, 0)).toBe(0)
  })

  test('queries and files that wait for an object do not count as long queries while they wait', async () => {
    const server = await startObjectStore()
    const publisher = openNodeFolder(server.client())
    const served = await publishSample(openWorkplace(publisher.dataDir))
    const reader = openNodeFolder(server.client())
    const datasets = openDatasets(reader)
    const here = servedBy(reader, served)
    const share = queryShares({ by: 'key', most: 1 }).of('reader', '')
    const askFile = () =>
      Array.fromAsync(
        datasets.stream(
          here,
          async function* (dataset) {
            yield new TextEncoder().encode(`${dataset.rows}`)
          },
          share,
        ),
      )
    const rows = Array.from({ length: 5 }, () => datasets.use(here, (dataset) => dataset.rows, share))
    expect(String(await askFile())).toBe(String(new TextEncoder().encode('3')))
    expect(await Promise.all(rows)).toEqual([3, 3, 3, 3, 3])
    // The work itself counts: with two at once, the second exceeds the share.
    const both = await Promise.allSettled([askFile(), askFile()])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  test('another node answers from the object, and then from its cache without the store', async () => {
    const server = await startObjectStore()
    const publisher = openNodeFolder(server.client())
    const served = await publishSample(openWorkplace(publisher.dataDir))
    const reader = openNodeFolder(server.client())
    const datasets = openDatasets(reader)
    const here = servedBy(reader, served)
    expect(await datasets.use(here, (dataset) => dataset.rows)).toBe(3)
    await server.kill()
    // Open, then closed and opened again from the cache.
    expect(datasets.use(here, (dataset) => dataset.rows)).toBe(3)
    datasets.closeIdle(0)
    expect(await datasets.use(here, (dataset) => dataset.rows)).toBe(3)
    const other = openNodeFolder(server.client())
    const refusal = await refusalOf(
      openDatasets(other).use(servedBy(other, served), (dataset) => dataset.rows),
    )
    expect(refusal).toBeInstanceOf(ApiError)
    expect(refusal).toMatchObject({ code: 'service_unavailable' })
    expect((refusal as ApiError).retryAfter).toBeGreaterThan(0)
  })

  test('an open file is not evicted', async () => {
    const server = await startObjectStore()
    const publisher = openNodeFolder(server.client())
    const served = await publishSample(openWorkplace(publisher.dataDir))
    const reader = openNodeFolder(server.client(), { bytes: served.bytes })
    const datasets = openDatasets(reader)
    const here = servedBy(reader, served)
    expect(await datasets.use(here, (dataset) => dataset.rows)).toBe(3)
    const other = await upload(reader, 'other', 1000)
    await reader.objects.ensureLocal(other)
    expect(existsSync(here.file)).toBe(true)
    datasets.close()
    await reader.objects.ensureLocal(await upload(reader, 'third', 1000))
    expect(existsSync(here.file)).toBe(false)
  })

  test('a missing or damaged object takes out only its own dataset, and is named', async () => {
    const server = await startObjectStore()
    const publisher = openNodeFolder(server.client())
    const served = await publishSample(openWorkplace(publisher.dataDir))
    const name = {
      id: served.id,
      version: served.version,
      file: { sha256: served.sha256, bytes: served.bytes },
    }
    const object = server.fileOf(versionKey(name))
    expect(statSync(object).size).toBe(served.bytes)
    await publisher.objects.verify(name)
    truncateSync(object, served.bytes - 1)
    const reader = openNodeFolder(server.client())
    const datasets = openDatasets(reader)
    const refusal = await refusalOf(datasets.use(servedBy(reader, served), (dataset) => dataset.rows))
    expect(refusal).toBeInstanceOf(DamagedFileError)
    expect((refusal as Error).message).toContain(versionKey(name))
    expect(datasets.damaged).toEqual(['sample'])
    expect(publisher.objects.verify(name)).rejects.toThrow(/is damaged/)
    rmSync(object)
    expect(publisher.objects.verify(name)).rejects.toThrow(/has nothing/)
  })

  test('without the store publishing changes nothing, and the message says so', async () => {
    const server = await startObjectStore()
    const publisher = openNodeFolder(server.client({ times: SHORT_TIMES }))
    const workplace = openWorkplace(publisher.dataDir)
    const before = await publishSample(workplace)
    const stops: [() => unknown, () => unknown][] = [
      [() => server.kill(), () => server.start()],
      [() => server.freeze(), () => server.thaw()],
    ]
    for (const [stop, restart] of stops) {
      await stop()
      const refusal = await refusalOf(workplace.ingest(`${ROWS}Alba,4\n`))
      expect(String(refusal)).toMatch(
        /the object store s3:\/\/.* does not answer.*nothing was published, and what is served stays/,
      )
      expect(workplace.catalog.find('sample')).toEqual(before)
      expect(publisher.dataDir.versionFiles()).toHaveLength(1)
      await restart()
    }
    await publishSample(workplace, `${ROWS}Alba,4\n`)
    expect(workplace.rows()).toHaveLength(4)
  })

  test('the service notices when the store becomes unusable, and when it is usable again', async () => {
    const server: TestObjectStore = await startObjectStore()
    const { objects } = openNodeFolder(server.client())
    objects.watch(pino({ enabled: false }), 10)
    await server.kill()
    expect(await until(() => objects.problem)).toContain('does not answer')
    await server.start()
    await until(() => objects.problem === null)
  })
})
