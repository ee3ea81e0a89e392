/** The processes that read drafts: how many run, and what happens to their work when they end. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DRAFT_WORKER } from '../../src/base/process/own-command.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type DeskClient, openDesk } from '../support/desk.ts'
import { freshNodeSettings, testsNodes } from '../support/node-settings.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

const LINES = Array.from({ length: 60_000 }, (_, i) => `${i},town ${i % 977},${(i * 7919) % 100_003}`)
const LARGE = `n,town,sold\n${LINES.join('\n')}\n`

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** Uploads a file without waiting until it is read. */
async function upload(desk: DeskClient, name: string): Promise<string> {
  const { status, body } = await desk.upload(name, LARGE)
  expect(status).toBe(201)
  return body.id
}

/** The drafts that child processes are working on. */
function draftsWorkedOn(): string[] {
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  )
  return children.flatMap((pid) => {
    try {
      const [, order] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(`${DRAFT_WORKER}\0`)
      return order === undefined ? [] : [(JSON.parse(order.split('\0')[0]!) as { draft: string }).draft]
    } catch {
      return []
    }
  })
}

test('at most one process works for each owner, and two in total', async () => {
  const desks = await Promise.all([1, 2, 3].map(() => openDesk(app)))
  const ids = await Promise.all(desks.flatMap((desk) => [upload(desk, 'a.csv'), upload(desk, 'b.csv')]))
  const { drafts } = app.app.catalog
  let most = 0
  await until(async () => {
    const all = await Promise.all(ids.map((id) => drafts.find(id)))
    const reading = all.filter((draft) => draft?.state === 'reading')
    const owners = new Set(reading.map((draft) => draft?.keyId))
    expect(owners.size).toBe(reading.length)
    most = Math.max(most, reading.length)
    return all.every((draft) => draft?.state === 'ready')
  })
  expect(most).toBe(2)
})

test.skipIf(process.platform !== 'linux')(
  'no process is started for an owner whose draft another service reads, and other owners are served',
  async () => {
    const [busy, other] = await Promise.all([openDesk(app), openDesk(app)])
    const first = await upload(busy, 'first.csv')
    await busy.settled(first)
    const { keyId } = (await app.app.catalog.drafts.find(first))!
    const lock = app.app.dataDir.lock(`drafts_key_${keyId ?? 0}`)!
    const id = await upload(busy, 'waits.csv')
    const started = new Set<string>()
    const look = () => {
      for (const draft of draftsWorkedOn()) started.add(draft)
    }
    const later = await upload(other, 'later.csv')
    await until(async () => {
      look()
      return (await app.app.catalog.drafts.find(later))?.state === 'ready'
    })
    expect([...started]).toEqual([later])
    expect(await app.app.catalog.drafts.find(id)).toMatchObject({ state: 'waiting', attempts: 0 })
    lock.release()
    expect((await busy.settled(id)).state).toBe('ready')
  },
)

test('a draft that is removed while it is read is gone at once, with its process and its files', async () => {
  const desk = await openDesk(app)
  const id = await upload(desk, 'removed.csv')
  await until(async () => (await app.app.catalog.drafts.find(id))?.state === 'reading')
  expect((await desk.call('DELETE', `/${id}`)).status).toBe(204)
  expect((await desk.call('GET', `/${id}`)).status).toBe(404)
  expect(existsSync(app.app.dataDir.draft(id).path)).toBe(false)
})

test('while a draft is being published it cannot be changed, removed or published again', async () => {
  const desk = await openDesk(app)
  const id = await upload(desk, 'busy.csv')
  await desk.settled(id)
  await desk.decide(id, { domain: 'economy' })
  const publishing = desk.publish(id)
  await until(async () => (await app.app.catalog.drafts.find(id))?.state === 'publishing')
  expect((await desk.call('PATCH', `/${id}`, {})).body.error.code).toBe('draft_not_ready')
  expect((await desk.call('DELETE', `/${id}`)).body.error.code).toBe('draft_not_ready')
  expect(await desk.publish(id)).toBe('409 draft_not_ready')
  expect(await publishing).toBe('published')
})

test.skipIf(testsNodes)(
  'a version file that a killed process left is gone when the draft is published',
  async () => {
    const desk = await openDesk(app)
    const { catalog, dataDir } = app.app
    const { id } = await desk.read('left.csv', 'n,town\n1,Cluj\n')
    await desk.decide(id, { domain: 'economy' })
    expect(await desk.publish(id)).toBe('published')
    const left = dataDir.versionFile('left', await catalog.reserveVersion('left'))
    copyFileSync(dataDir.versionFile('left', 1), left)
    const next = await desk.read('left.csv', 'n,town\n1,Cluj\n2,Dej\n', '&dataset=left')
    expect(await desk.publish(next.id)).toBe('published')
    expect([existsSync(left), existsSync(dataDir.versionFile('left', 3))]).toEqual([false, true])
  },
)

test('a service that stops ends its processes, and the next one continues their work', async () => {
  const place = {
    flags: { data: join(tempDir(), 'data') },
    ...(testsNodes && { node: await freshNodeSettings() }),
  }
  const first = await startTestApp(place)
  const desk = await openDesk(first)
  const id = await upload(desk, 'stopped.csv')
  await until(async () => (await first.app.catalog.drafts.find(id))?.state === 'reading')
  const began = performance.now()
  await first.stop()
  expect(performance.now() - began).toBeLessThan(5000)
  const next = await startTestApp(place)
  const { drafts } = next.app.catalog
  await until(async () => (await drafts.find(id))?.state === 'ready')
  expect(await drafts.find(id)).toMatchObject({ attempts: 1, problem: null })
  await next.stop()
})
