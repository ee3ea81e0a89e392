/** Drafts whose files are in a real object store: a node that has none of them locally can continue with a draft. */

import { describe, expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { startTestApp, type TestApp } from '../support/app.ts'
import { openDesk } from '../support/desk.ts'
import {
  hasObjectStore,
  startObjectStore,
  type TestObjectStore,
  takeStoreCredentials,
} from '../support/object-store.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

const ROWS = 'county,value\nCluj,1\nIași,2\nDolj,3\nbroken\n'

async function openService({ address, endpoint }: TestObjectStore): Promise<TestApp> {
  takeStoreCredentials()
  const app = await startTestApp({
    flags: { max_quarantine: '50%' },
    settings: { object_store: address, object_store_endpoint: endpoint },
  })
  onTestFinished(() => app.stop())
  return app
}

async function keysOf(server: TestObjectStore): Promise<string[]> {
  const keys = await Array.fromAsync(server.client().list('drafts/'))
  return keys.map(({ key }) => key.split('/').slice(2).join('/')).sort()
}

describe.skipIf(!hasObjectStore)('drafts as objects', () => {
  test('a draft is described, edited and published on a node that has none of its files', async () => {
    const server = await startObjectStore()
    const app = await openService(server)
    const desk = await openDesk(app)
    const draft = await desk.read('towns.csv', ROWS)
    expect(draft.state).toBe('ready')
    expect(await keysOf(server)).toEqual([
      '1/quarantine.ndjson',
      '1/reading.json',
      '1/repaired.ndjson',
      'source',
    ])
    // As on a node that has never had it.
    const forget = () => rmSync(app.app.dataDir.draft(draft.id).path, { recursive: true })
    forget()
    const described = await desk.call('GET', `/${draft.id}`)
    expect(described.body).toEqual(draft)
    const kept = await desk.call('GET', `/${draft.id}/quarantine`)
    expect(kept.body.data).toHaveLength(1)
    forget()
    const decided = await desk.decide(draft.id, { domain: 'places', title: 'Towns' })
    expect(decided).toMatchObject({ state: 'ready', read: { preview: false } })
    forget()
    expect(await desk.publish(draft.id)).toBe('published')
    expect(app.app.catalog.find('towns')?.rows).toBe(3)
    await until(async () => !(await keysOf(server)).includes('source'))
    expect((await desk.call('DELETE', `/${draft.id}`)).status).toBe(204)
    expect(await keysOf(server)).toEqual([])
  })

  test('without the store uploads are refused, and drafts already read wait for it', async () => {
    const server = await startObjectStore()
    const app = await openService(server)
    const desk = await openDesk(app)
    const draft = await desk.read('towns.csv', ROWS)
    rmSync(app.app.dataDir.draft(draft.id).path, { recursive: true })
    await server.kill()
    const refused = await desk.upload('more.csv', ROWS)
    expect(refused.status).toBe(503)
    expect(refused.body.error.code).toBe('service_unavailable')
    expect((await desk.call('GET', `/${draft.id}`)).status).toBe(503)
    expect(readdirSync(app.app.dataDir.draftsDir).filter((id) => id !== draft.id)).toEqual([])
    await server.start()
    expect((await desk.call('GET', `/${draft.id}`)).body).toEqual(draft)
  })
})
