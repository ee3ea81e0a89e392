import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { succeed } from '../journeys/program.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { startAccountApp } from '../support/browser.ts'
import { deskOf, makePublisher } from '../support/desk.ts'
import { until } from '../support/until.ts'

let app: TestApp
const csv = (from: number) =>
  `an,județ,număr vehicule\n${Array.from({ length: 60 + from }, (_, n) => `${2000 + (n % 20)},Cluj,${from + n}`).join('\n')}\n`
const definition = { title: 'Șomeri înregistrați pe județe', publisher: 'Agenția țării' }

beforeAll(async () => {
  app = await startTestApp()
  await app.ingestCsv(csv(1), { id: 'vehicles', domain: 'transport', definition })
})
afterAll(() => app.stop())

const pictureOf = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await app.fetch(path, { key: null, headers })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const picturesIn = (data: string, id: string) => {
  try {
    return readdirSync(join(data, 'files', id)).filter((name) => name.endsWith('png'))
  } catch {
    return []
  }
}

describe('the picture of a dataset', () => {
  test('is a PNG of 1200 by 630, in both languages, with a tag', async () => {
    const found = await pictureOf('/datasets/vehicles/summary.png?lang=ro')
    expect(found.status).toBe(200)
    expect(found.headers.get('content-type')).toBe('image/png')
    expect(found.headers.get('set-cookie')).toBeNull()
    expect(found.bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    expect([found.bytes.readUInt32BE(16), found.bytes.readUInt32BE(20)]).toEqual([1200, 630])
    expect(found.bytes.length).toBeGreaterThan(10_000)
    expect(found.bytes.length).toBeLessThan(150_000)
    const tag = found.headers.get('etag')!
    expect((await pictureOf('/datasets/vehicles/summary.png?lang=ro', { 'if-none-match': tag })).status).toBe(
      304,
    )
    const english = await pictureOf('/datasets/vehicles/summary.png?lang=en')
    expect(english.status).toBe(200)
    expect(english.headers.get('etag')).not.toBe(tag)
    expect(picturesIn(app.config.data, 'vehicles')).toHaveLength(2)
  })

  test('is linked only from the pages of open datasets', async () => {
    const page = async (path: string) =>
      (await app.get(path, { key: null, headers: { accept: 'text/html' } })).text
    for (const path of ['/datasets/vehicles?lang=ro', '/datasets/vehicles/summary?lang=ro']) {
      const html = await page(path)
      const image = /property="og:image" content="([^"]+)"/.exec(html)![1]!
      expect(image).toBe(`${app.url}/datasets/vehicles/summary.png?lang=ro`)
      expect(html).toContain('name="twitter:card" content="summary_large_image"')
    }
    await app.app.catalog.edit('vehicles', { dataset: {}, columns: {}, open: false })
    expect(await page('/datasets/vehicles')).not.toContain('og:image')
    expect((await pictureOf('/datasets/vehicles/summary.png')).status).toBe(401)
    await app.app.catalog.edit('vehicles', { dataset: {}, columns: {}, open: true })
    expect((await pictureOf('/datasets/nothing/summary.png')).status).toBe(404)
  })

  test('is drawn for any title, and for a table without anything to summarize', async () => {
    const title = `Tit\u0001lu <script>&"]]> ${'foarte '.repeat(40)}👩‍🔬 \ud800`
    await app.ingestCsv('a\nx\n', { id: 'odd', domain: 'transport', definition: { title } })
    await app.ingestCsv('name,note\nAna,1\n', { id: 'one', domain: 'transport' })
    for (const id of ['odd', 'one']) expect((await pictureOf(`/datasets/${id}/summary.png`)).status).toBe(200)
  })

  test('changes with the texts and the version of the dataset, and is removed with the version', async () => {
    const tagOf = async () => (await pictureOf('/datasets/vehicles/summary.png?lang=ro')).headers.get('etag')
    const first = await tagOf()
    await app.app.catalog.edit('vehicles', { dataset: { title: 'Alt titlu' }, columns: {} })
    const renamed = await tagOf()
    expect(renamed).not.toBe(first)
    await app.ingestCsv(csv(30), { id: 'vehicles', domain: 'transport', definition })
    const second = await tagOf()
    expect([first, renamed]).not.toContain(second)
    await app.ingestCsv(csv(50), { id: 'vehicles', domain: 'transport', definition })
    await tagOf()
    const versions = new Set(picturesIn(app.config.data, 'vehicles').map((name) => name.split('-')[0]))
    expect(versions.size).toBe(2)
    expect(versions.has('1')).toBe(false)
  })
})

test('publishing in the shell draws the picture, and a command draws it again', async () => {
  const root = mkdtempSync(join(tmpdir(), 'izvor-picture-'))
  try {
    const data = join(root, 'data')
    await succeed(['ingest', '-', '--id', 'vehicles', '--domain', 'transport', '--data', data], {
      input: csv(1),
    })
    expect(picturesIn(data, 'vehicles')).toHaveLength(2)
    rmSync(join(data, 'files'), { recursive: true })
    await succeed(['datasets', 'picture', 'vehicles', '--data', data])
    expect(picturesIn(data, 'vehicles')).toHaveLength(2)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}, 60_000)

test('a draft has a picture once it is published', async () => {
  const accounts = await startAccountApp()
  try {
    const browser = await accounts.signUp('ana@example.org')
    await makePublisher(accounts, 'ana@example.org', ['economy'])
    const ana = deskOf(accounts, browser)
    const { id } = await ana.read('sold.csv', 'town,sold\nCluj,5\nIași,6\n')
    await ana.decide(id, { domain: 'economy' })
    expect(await ana.publish(id)).toBe('published')
    await until(() => picturesIn(accounts.app.config.data, 'sold').length === 2)
  } finally {
    await accounts.stop()
  }
}, 60_000)
