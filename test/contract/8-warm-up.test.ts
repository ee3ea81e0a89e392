import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../src/base/config/config.ts'
import { warmUp } from '../../src/commands/serve/warm-up.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

const folder = mkdtempSync(join(tmpdir(), 'izvor-warm-up-'))
const started: TestApp[] = []
const TODAY = new Date('2026-03-10T09:00:00Z')
const DAY_MS = 86_400_000

async function start(now: Date, settings: Partial<Config> = {}): Promise<TestApp> {
  const app = await startTestApp({ flags: { data: join(folder, 'data') }, now: () => now, settings })
  started.push(app)
  return app
}

/** Requests each dataset at its time, from an instance that then stops. */
async function use(ids: readonly string[], now: Date): Promise<void> {
  const app = await start(now)
  for (const id of ids) expect((await app.get(`/v1/geo/${id}`)).status).toBe(200)
  await app.stop()
  started.pop()
}

const ALL = ['read', 'older', 'unread', 'ancient']

/** The datasets whose columns are loaded after a warm-up; no others may be open. */
async function warmed({ app }: TestApp): Promise<string[]> {
  await warmUp(app)
  const { openDatasets, catalog } = app
  const { files } = openDatasets
  const loaded: string[] = []
  for (const id of ALL) {
    await openDatasets.use(catalog.find(id)!, async (dataset) => {
      const free = dataset.regions.bytesFree
      await dataset.load([[[0, 1], 'json']])
      if (dataset.regions.bytesFree === free) loaded.push(id)
    })
  }
  expect(loaded.length).toBe(files)
  return loaded
}

beforeAll(async () => {
  const app = await start(TODAY)
  for (const id of ALL) await app.ingestCsv('a,b\n1,x\n2,y\n', { id, domain: 'geo' })
  await app.stop()
  started.pop()
})

afterAll(async () => {
  for (const app of started) await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('a start', () => {
  test('opens nothing if nothing was read before', async () => {
    expect(await warmed(await start(TODAY))).toEqual([])
  })

  test('loads what was read within a week, and nothing else', async () => {
    await use(['ancient'], new Date(TODAY.getTime() - 7 * DAY_MS))
    await use(['older'], new Date(TODAY.getTime() - 6 * DAY_MS))
    await use(['read'], TODAY)
    const app = await start(TODAY)
    expect(await warmed(app)).toEqual(['read', 'older'])
    expect((await app.get('/v1/geo/read')).body.data).toEqual([
      { a: 1, b: 'x' },
      { a: 2, b: 'y' },
    ])
  })

  test('fills at most a quarter of the memory for datasets, most recently read first', async () => {
    const { app } = await start(TODAY)
    await warmUp(app)
    const bytes = app.openDatasets.bytes
    const bounded = await start(TODAY, { memory_budget: (bytes / 2) * 4 + 100_000 })
    expect(await warmed(bounded)).toEqual(['read'])
  })

  test('continues after a damaged file, and stops when the service does', async () => {
    const ended = new AbortController()
    ended.abort()
    await expect(warmUp((await start(TODAY)).app, ended.signal)).rejects.toThrow()
    const app = await start(TODAY)
    writeFileSync(app.app.catalog.find('read')!.file, 'no version file')
    await warmUp(app.app)
    expect([app.app.openDatasets.damaged, app.app.openDatasets.files]).toEqual([['read'], 1])
  })
})
