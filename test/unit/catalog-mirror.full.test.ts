/** Catalogs of several nodes over one PostgreSQL: what each reads, and when. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { CommandError } from '../../src/base/errors.ts'
import type { SharedCatalog } from '../../src/db/postgres/shared-catalog.ts'
import { Catalog } from '../../src/store/catalog/catalog.ts'
import type { DataDir } from '../../src/store/files/data-dir.ts'
import { verifyVersionFile } from '../../src/store/files/open-version.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { runs } from '../support/property-runs.ts'
import { type CatalogState, openTestNode, readTruth, type TestNode } from '../support/shared-catalog.ts'
import { tempDataDir, tempDir, versionPaths } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

const ALL = { limit: 10_000, offset: 0 }

let server: TestPostgres
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres()
})
afterAll(() => server?.stop())

/** Two nodes on a new database, and a way to open more. */
async function openNodes(wrap?: (shared: SharedCatalog) => SharedCatalog) {
  const place = { url: await server.createDatabase(), objects: tempDir(), ...(wrap && { wrap }) }
  const open = (dataDir: DataDir = tempDataDir()) => openTestNode({ ...place, dataDir })
  return { open, a: await open(), b: await open() }
}

const truthOf = ({ shared }: TestNode) => shared.postgres.atOneMoment(readTruth)

const KINDS = ['publish', 'rollback', 'serve', 'remove', 'edit', 'refuse', 'schedule', 'sync'] as const
const IDS = ['a', 'b', 'c'] as const
interface Step {
  readonly node: number
  readonly kind: (typeof KINDS)[number]
  readonly id: string
}
const STEP: fc.Arbitrary<Step> = fc.record({
  node: fc.nat({ max: 2 }),
  kind: fc.constantFrom(...KINDS),
  id: fc.constantFrom(...IDS),
})
/** Steps of one inner list start together. */
const STEPS = fc.array(fc.array(STEP, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 })

let serial = 0
async function take({ catalog, publish }: TestNode, { kind, id }: Step): Promise<void> {
  const now = new Date('2025-06-01T00:00:00Z')
  try {
    if (kind === 'publish') await publish(id, { title: `Title ${serial++}` })
    else if (kind === 'rollback') await catalog.rollback(id)
    else if (kind === 'serve') await catalog.serve(id, catalog.versions(id).at(-1)?.version ?? 1)
    else if (kind === 'remove') await catalog.remove(id)
    else if (kind === 'edit') await catalog.edit(id, { dataset: { title: `Edit ${serial++}` }, columns: {} })
    else if (kind === 'refuse')
      await catalog.refusals.record({ dataset: id, domain: 'x', reason: `${serial++}`, reasons: [] }, now)
    else if (kind === 'schedule')
      await catalog.sources.setSchedule(
        id,
        { address: `https://example.org/${serial++}`, schedule: '@daily' },
        { options: {}, sha256: 'ab'.repeat(32), at: '2025-06-01T00:00:00Z' },
        now,
      )
    else await catalog.catchUp()
  } catch (error) {
    // There is no such dataset, or another node was faster.
    if (!(error instanceof CommandError) && kind !== 'schedule') throw error
  }
}

describe.skipIf(!hasPostgres)('nodes on one catalog', () => {
  test('a node reads what it publishes, edits, rolls back and removes at once; another does when it has caught up', async () => {
    const { a, b } = await openNodes()
    expect(await a.publish('x', { title: 'Județe' })).toBe(1)
    expect(a.catalog.find('x')?.version).toBe(1)
    expect(b.catalog.find('x')).toBeUndefined()
    await b.catalog.catchUp()
    expect(b.catalog.search('judete', ALL).total).toBe(1)
    verifyVersionFile(b.catalog.find('x')?.file ?? '', b.catalog.find('x')?.sha256)

    await b.publish('x', { title: 'Other' })
    await a.catalog.catchUp('x')
    expect(a.catalog.find('x')?.version).toBe(2)
    expect(a.catalog.revision).toBe(b.catalog.revision)
    expect(a.catalog.search('judete', ALL).total).toBe(0)

    await a.catalog.edit('x', { dataset: { title: 'Third' }, columns: {}, open: false })
    expect(a.catalog.find('x')?.open).toBe(false)
    expect(await b.catalog.rollback('x')).toBe(1)
    await a.catalog.catchUp('x')
    expect(a.catalog.descriptor('x')).toEqual(b.catalog.descriptor('x')!)
    await a.catalog.remove('x')
    await b.catalog.catchUp('x')
    expect([a.catalog.list(ALL).total, b.catalog.list(ALL).total]).toEqual([0, 0])
    expect(versionPaths(b.dataDir)).toEqual([])
    expect(await b.publish('x')).toBe(3)
  })

  test('after random changes by three nodes at once all copies equal the truth, and none ever was in a state that the truth was not', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (waves) => {
        const past = new Map<number, CatalogState>([[0, { number: 0, datasets: new Map() }]])
        const { open, a, b } = await openNodes((shared) => ({
          ...shared,
          change: (work) =>
            shared.change(async (tx) => {
              const result = await work(tx)
              const truth = await readTruth(tx)
              past.set(truth.number, truth)
              return result
            }),
        }))
        const nodes = [a, b, await open()]
        for (const wave of waves) {
          let isRunning = true
          const ended = Promise.all(wave.map((step) => take(nodes[step.node]!, step))).finally(() => {
            isRunning = false
          })
          while (isRunning) {
            for (const node of nodes) {
              const seen = node.read()
              expect(past.get(seen.number)).toEqual(seen)
            }
            await Bun.sleep(1)
          }
          await ended
        }
        for (const { catalog } of nodes) await catalog.catchUp()
        const truth = await truthOf(a)
        for (const node of nodes) {
          expect(node.read()).toEqual(truth)
          for (const id of IDS) {
            const served = node.catalog.find(id)
            if (served !== undefined) verifyVersionFile(served.file, served.sha256)
          }
          expect(node.catalog.revision).toBe(a.catalog.revision)
          expect(node.catalog.search('title', ALL)).toEqual(a.catalog.search('title', ALL))
        }
        for (const node of nodes) node.close()
      }),
      { numRuns: runs(100) },
    )
  })

  test('two nodes publishing the same dataset at once both get a number, and both serve the same version', async () => {
    const { a, b } = await openNodes()
    const versions = await Promise.all([a.publish('x'), b.publish('x')])
    expect(versions.toSorted()).toEqual([1, 2])
    for (const { catalog } of [a, b]) await catalog.catchUp('x')
    expect(a.catalog.find('x')?.version).toBe(b.catalog.find('x')!.version)
    expect(a.read()).toEqual(b.read())
  })

  test('a dataset whose file cannot be fetched keeps its old version and is reported; others move on, and it follows when it can', async () => {
    const { a, b } = await openNodes()
    await a.publish('x')
    await a.publish('y')
    await b.catalog.catchUp()
    for (const how of ['unreachable', 'frozen'] as const) {
      const before = b.catalog.find('x')!
      b.files[how].add('x')
      await a.publish('x', { title: how })
      await a.publish('y', { title: how })
      await b.catalog.catchUp()
      expect(b.catalog.find('x')).toEqual(before)
      verifyVersionFile(before.file, before.sha256)
      expect(b.catalog.descriptor('y')?.title).toBe(how)
      const [behind, ...others] = b.catalog.shared!.mirror.state.behind
      expect([behind?.dataset, others]).toEqual(['x', []])
      expect(behind?.reason).toContain(how === 'frozen' ? 'is being fetched' : 'cannot be fetched')
      await expect(b.catalog.catchUp('x')).rejects.toThrow(/present version of x cannot be read here/)
      // Answers from an incomplete catalog must not be taken for those of a complete one.
      expect(b.catalog.revision).not.toBe(a.catalog.revision)
      b.files[how].delete('x')
      await until(async () => {
        await b.catalog.catchUp()
        return b.catalog.descriptor('x')?.title === how
      })
      expect(b.catalog.shared!.mirror.state.behind).toEqual([])
      expect(b.catalog.revision).toBe(a.catalog.revision)
    }
  })

  test('a node thousands of changes behind catches up, and a deleted copy is rebuilt', async () => {
    const { open, a, b } = await openNodes()
    await a.publish('first')
    await b.catalog.catchUp()
    // In one transaction: all with the same number.
    await a.postgres.ask(`
      WITH added AS (INSERT INTO datasets (id, last_version, domain)
        SELECT 'n' || i, 1, 'economy' FROM generate_series(1, 2500) i RETURNING id)
      INSERT INTO refusals SELECT id, 'economy', '2025-01-01T00:00:00Z', 'refused', NULL FROM added`)
    for (let i = 0; i < 10; i++) await a.publish(`last${i % 3}`, { title: `Title ${i}` })
    await b.catalog.catchUp()
    const truth = await truthOf(a)
    expect(truth.datasets.size).toBe(2504)
    expect(b.read()).toEqual(truth)

    b.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(b.dataDir.catalogDb + suffix, { force: true })
    const again = await open(b.dataDir)
    expect(again.catalog.list(ALL).total).toBe(0)
    await again.catalog.catchUp()
    expect(again.read()).toEqual(truth)
    expect(again.catalog.search('title', ALL)).toEqual(a.catalog.search('title', ALL))
  })

  test('a copy of a database that has since been restored is rebuilt, whatever its number', async () => {
    const { open, a } = await openNodes()
    await a.publish('x')
    await a.publish('y')
    for (const number of ['n', 'n - 2', 'n + 1000']) {
      // As a dump from another moment would leave it: other changes under the same numbers.
      await a.postgres.ask(`UPDATE numbers SET n = ${number} WHERE name = 'catalog'`)
      await a.postgres.ask(`UPDATE catalog_changes SET mark = gen_random_uuid()::text`)
      await a.postgres.ask(`UPDATE datasets SET domain = domain || '_'`)
      const copy = await open(a.dataDir)
      await copy.catalog.catchUp()
      expect(copy.read()).toEqual(await truthOf(a))
      copy.close()
    }
  })

  test('datasets that restoring the archive removed from the tables are removed from the copies', async () => {
    const { a, b } = await openNodes()
    await a.publish('x')
    await b.catalog.catchUp()
    await a.postgres.ask('TRUNCATE datasets, versions, sources, refusals')
    await b.catalog.catchUp()
    expect(b.catalog.list(ALL).total).toBe(0)
    expect(b.read()).toEqual(await truthOf(a))
    expect(versionPaths(b.dataDir)).toEqual([])
  })

  test('values are found on another node; after a rollback, those of the earlier version', async () => {
    const { a, b } = await openNodes()
    const found = (text: string) => b.catalog.search(text, ALL).datasets.map(({ id }) => id)
    for (const value of ['zimbru', 'stejar'])
      await a.publish('x', { title: 'Title', texts: { columns: { name: [value] }, words: value } })
    await b.catalog.catchUp()
    expect([found('zimbru'), found('stejar')]).toEqual([[], ['x']])
    const { datasets } = await b.catalog.answerSearch('stejar', ALL)
    expect(datasets[0]!.matches).toEqual([{ field: 'value', column: 'name', text: 'stejar' }])
    await a.catalog.rollback('x')
    await b.catalog.catchUp()
    expect([found('zimbru'), found('stejar')]).toEqual([['x'], []])
    await a.catalog.remove('x')
    await b.catalog.catchUp()
    expect(found('zimbru')).toEqual([])
  })

  test('several processes on one folder copy in turn while another node publishes, without harm', async () => {
    const { open, a, b } = await openNodes()
    const besides = [b, await open(b.dataDir), await open(b.dataDir)]
    let isRunning = true
    const publishing = (async () => {
      for (let i = 0; i < 20; i++) await a.publish(i % 2 === 0 ? 'x' : 'y', { title: `Title ${i}` })
      isRunning = false
    })()
    // One after the other: the thread of this test would wait for itself, where processes wait for each other.
    const copy = async () => {
      for (const { catalog } of besides) await catalog.catchUp()
    }
    while (isRunning) await copy()
    await publishing
    await copy()
    expect(b.read()).toEqual(await truthOf(a))
  })

  test.each(['in time', 'too late'])(
    'a process whose file arrives %s never overwrites what another process has copied with an earlier state',
    async (when) => {
      const { open, a, b } = await openNodes()
      await a.publish('x')
      await b.catalog.catchUp()
      b.files.frozen.add('x')
      await a.publish('x')
      const slow = b.catalog.catchUp()
      await until(() => b.files.begun.has('x'))
      const beside = await open(b.dataDir)
      await a.publish('x')
      await beside.catalog.catchUp('x')
      if (when === 'too late') await slow
      b.files.frozen.delete('x')
      await slow
      expect(b.catalog.find('x')?.version).toBe(3)
      expect(b.read()).toEqual(await truthOf(a))
      expect(b.catalog.shared!.mirror.state.behind).toEqual([])
    },
  )

  test('without the database the copy is readable, changes are refused, and both end by themselves', async () => {
    const { a } = await openNodes()
    await a.publish('x')
    await server.kill()
    await expect(a.publish('x')).rejects.toThrow(expect.objectContaining({ code: 'service_unavailable' }))
    await expect(a.catalog.catchUp()).rejects.toThrow(
      expect.objectContaining({ code: 'service_unavailable' }),
    )
    expect(a.catalog.find('x')?.version).toBe(1)
    await server.start()
    await until(() => a.publish('x').catch(() => 0))
    expect(a.catalog.find('x')?.version).toBeGreaterThan(1)
  })

  test('a sweep leaves files that may be on their way, and deletes those left long ago', async () => {
    const { a } = await openNodes()
    await a.publish('x')
    const [old, fresh] = [7, 8].map((version) => a.dataDir.versionFile('x', version)) as [string, string]
    for (const path of [old, fresh]) writeFileSync(path, 'half')
    utimesSync(old, 0, 0)
    a.catalog.sweep()
    expect(versionPaths(a.dataDir).sort()).toEqual([a.dataDir.versionFile('x', 1), fresh].sort())
  })

  test('a folder with its own catalog is not a node, and a node’s folder is nothing else', async () => {
    const { open, a } = await openNodes()
    expect(() => Catalog.open(a.dataDir)).toThrow(/is a node's copy .* set database_url/)
    const own = tempDataDir()
    const catalog = Catalog.open(own)
    await catalog.reserveVersion('x')
    catalog.close()
    await expect(open(own)).rejects.toThrow(/has a catalog of its own, .* Nothing was changed/)
    Catalog.open(own).close()
  })
})
