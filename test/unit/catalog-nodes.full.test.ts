/** Nodes report that they are alive and how far they have read; each draft is worked on by one of them. */

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'bun:test'
import { pino } from 'pino'
import { isLive } from '../../src/db/postgres/shared-catalog.ts'
import { readStamp } from '../../src/store/catalog/mirror/mirror-copy.ts'
import { waitForNodes } from '../../src/store/catalog/mirror/node-home.ts'
import { NodeLife } from '../../src/store/catalog/mirror/node-life.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { openTestNode, type TestNode } from '../support/shared-catalog.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

let server: TestPostgres
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres()
})
afterAll(() => server?.stop())

/** A node that follows the catalog, and the lines of its log. */
async function live(node: TestNode) {
  const lines: { level: number; msg: string; dataset?: string }[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const life = new NodeLife({ ...node.catalog.shared!, program: '1.2.3', log, settle: async () => {} })
  life.start()
  onTestFinished(() => life.stop())
  await until(async () => (await node.shared.nodes.list()).some(({ id }) => id === life.id))
  return { life, lines }
}

async function openNodes() {
  const place = { url: await server.createDatabase(), objects: tempDir() }
  return { a: await openTestNode(place), b: await openTestNode(place) }
}

describe.skipIf(!hasPostgres)('nodes', () => {
  test('follow what others publish within seconds, and are waited for until they do', async () => {
    const { a, b } = await openNodes()
    const { life } = await live(b)
    await a.publish('x', { title: 'First' })
    expect(await a.catalog.lateNodes('x')).toEqual([])
    expect(b.catalog.descriptor('x')?.title).toBe('First')
    expect(life.hasSynced).toBe(true)
    await a.catalog.edit('x', { dataset: { title: 'Second' }, columns: {} })
    const began = performance.now()
    await until(() => b.catalog.descriptor('x')?.title === 'Second')
    expect(performance.now() - began).toBeLessThan(10_000)
    await life.stop()
    expect(await a.shared.nodes.list()).toEqual([])
  })

  test('that cannot fetch a file are reported with the reason, as are those that have not read the change', async () => {
    const { a, b } = await openNodes()
    const { life, lines } = await live(b)
    await a.publish('x')
    await a.catalog.lateNodes('x')
    b.files.unreachable.add('x')
    await a.publish('x')
    const stamp = (await readStamp(a.shared.now, 'x'))!
    await until(async () => (await a.shared.nodes.list())[0]?.waitsFor.x !== undefined)
    expect(await waitForNodes(a.shared.nodes, stamp, 0)).toEqual([
      { name: life.name, reason: 'the file of x cannot be fetched' },
    ])
    expect(lines.filter(({ level }) => level === 40).map(({ dataset }) => dataset)).toEqual(['x'])
    expect(await waitForNodes(a.shared.nodes, { id: 'y', number: stamp.number + 1 }, 0)).toEqual([
      { name: life.name, reason: 'it has not read the change yet' },
    ])
    b.files.unreachable.delete('x')
    expect(await waitForNodes(a.shared.nodes, stamp)).toEqual([])
  })

  test('that fall silent are dead to others by the database’s clock, and return with their next beat', async () => {
    const { a } = await openNodes()
    const beat = { id: 'n', name: 'm:1', program: '1', revision: 7, waitsFor: {} }
    await a.shared.nodes.beat(beat)
    const [seen] = await a.shared.nodes.list()
    expect(seen).toMatchObject(beat)
    expect(isLive(seen!)).toBe(true)
    await a.postgres.ask(`UPDATE nodes SET beat_at = beat_at - 6000`)
    const [silent] = await a.shared.nodes.list()
    expect(isLive(silent!)).toBe(false)
    expect(silent!.silence).toBeGreaterThan(5)
    await a.publish('x')
    expect(await a.catalog.lateNodes('x')).toEqual([])
    await a.postgres.ask(`UPDATE nodes SET beat_at = beat_at - 86400000`)
    await a.shared.nodes.beat({ ...beat, id: 'other' })
    expect((await a.shared.nodes.list()).map(({ id }) => id)).toEqual(['other'])
  })

  test('continue without the database, say so once, and follow again by themselves', async () => {
    const { a, b } = await openNodes()
    const { lines } = await live(b)
    await a.publish('x')
    await a.catalog.lateNodes('x')
    server.freeze()
    await until(() => lines.some(({ msg }) => msg.includes('cannot be followed')))
    expect(b.catalog.find('x')?.version).toBe(1)
    server.thaw()
    await until(() => a.publish('x').catch(() => 0))
    await until(() => b.catalog.find('x')?.version === a.catalog.find('x')?.version)
    expect(lines.filter(({ msg }) => msg.includes('cannot be followed'))).toHaveLength(1)
  })

  test('hold a draft one at a time, and one that is gone releases it', async () => {
    const { a, b } = await openNodes()
    const hold = (await a.catalog.drafts.hold('d'))!
    expect(await b.catalog.drafts.isHeldElsewhere('d')).toBe(true)
    expect(await b.catalog.drafts.hold('d')).toBeNull()
    expect(await b.catalog.drafts.hold('e')).not.toBeNull()
    await hold.release()
    const again = (await b.catalog.drafts.hold('d'))!
    // As when its process is killed: nothing renews the lease.
    await b.postgres.ask(`UPDATE leases SET until = 0`)
    expect(await a.catalog.drafts.isHeldElsewhere('d')).toBe(false)
    expect(await a.catalog.drafts.hold('d')).not.toBeNull()
    await again.release()
    expect(await a.catalog.drafts.isHeldElsewhere('d')).toBe(true)
  })
})
