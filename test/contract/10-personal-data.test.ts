/** Columns with personal codes are published only if each is allowed by name, on every route (contract 10). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandError } from '../../src/base/errors.ts'
import { TOOLS } from '../../src/interop/mcp/schemas.ts'
import { ingestFile } from '../../src/publish/ingest.ts'
import { refreshDataset } from '../../src/publish/refresh/refresh.ts'
import { type AccountApp, startAccountApp } from '../support/browser.ts'
import { type DeskClient, deskOf, makePublisher } from '../support/desk.ts'
import { cnp } from '../support/personal.ts'
import { startWebServer } from '../support/web-server.ts'

let accounts: AccountApp
let desk: DeskClient
beforeAll(async () => {
  accounts = await startAccountApp({ publish_private_addresses: true })
  const browser = await accounts.signUp('ana@example.org')
  await makePublisher(accounts, 'ana@example.org')
  desk = deskOf(accounts, browser)
}, 60_000)
afterAll(() => accounts.stop())

const rows = (from: number) =>
  Array.from({ length: 30 }, (_, i) => `${from + i},dosar ${cnp(from + i)} depus,${cnp(from + i)}\n`).join('')
const table = (from: number) => `n,nota,titular_cnp\n${rows(from)}`

test('a draft with codes is 409 until each column is named, and the next edition does not ask again', async () => {
  const draft = await desk.read('cereri.csv', table(0))
  expect(draft.report.personal_data).toMatchObject([
    { column: 'nota', kind: 'cnp', acknowledged: false },
    { column: 'titular_cnp', kind: 'cnp', acknowledged: false },
  ])
  await desk.decide(draft.id, { domain: 'economy' })
  const { status, body } = await desk.call('POST', `/${draft.id}/publish`, { accept_drift: true })
  expect([status, body.error.code]).toEqual([409, 'personal_data'])
  expect(body.error.detail).toMatchObject([{ location: 'body.allow_personal_data' }])
  const publish = (allow: unknown, id = draft.id) => desk.publish(id, { allow_personal_data: allow })
  expect(await publish(['titular_cnp'])).toBe('409 personal_data')
  expect(await publish([])).toBe('409 personal_data')
  expect(await publish(['titular_cnp', 'nots'])).toBe('422 invalid_body')
  expect(await publish('titular_cnp')).toBe('422 invalid_body')
  expect(await publish(['titular_cnp', 'nota'])).toBe('published')
  expect((await desk.call('GET', `/${draft.id}/definition`)).body.personal_data).toEqual([
    'titular_cnp',
    'nota',
  ])
  const next = await desk.read('cereri.csv', table(50))
  expect(await desk.publish(next.id)).toBe('published')
})

test('a column that is left out needs no answer', async () => {
  const draft = await desk.read('plati.csv', table(100))
  const columns = [{ name: 'n' }]
  await desk.decide(draft.id, { domain: 'economy', columns, other_columns: 'drop' })
  expect(await desk.publish(draft.id)).toBe('published')
})

test('e-mail addresses, telephone numbers and bank accounts are reported, but do not prevent publishing', async () => {
  const people = Array.from({ length: 30 }, (_, i) => `${i},nume.${i}@example.org\n`).join('')
  const draft = await desk.read('contacte.csv', `n,adresa\n${people}`)
  expect(draft.report.personal_data).toMatchObject([{ column: 'adresa', kind: 'email' }])
  expect(draft.report.warning_codes).toMatchObject([{ code: 'personal_data' }])
  await desk.decide(draft.id, { domain: 'economy' })
  expect(await desk.publish(draft.id)).toBe('published')
})

describe('codes in a later file are not published without an answer by name, through', () => {
  const CLEAN = 'n,nota\n1,unu\n2,doi\n'
  /** The same columns, but the texts now contain codes. */
  const CODES = `n,nota\n${Array.from({ length: 20 }, (_, i) => `${i},dosar ${cnp(i)} depus\n`).join('')}`
  let text = CLEAN
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'izvor-codes-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Publishes a clean file from an address. */
  async function publishFirst(id: string): Promise<string> {
    text = CLEAN
    const web = startWebServer(() => new Response(text))
    const source = `${web.url}/${id}.csv`
    const report = await ingestFile(accounts.app.app, {
      ...{ file: source, id, domain: 'economy', settings: accounts.app.app.config },
      ...{ dryRun: false, acceptDrift: true },
    })
    expect(report.published).toBe(true)
    text = CODES
    return source
  }

  const expectClean = async (id: string) => {
    const { body } = await accounts.app.get(`/v1/economy/${id}`)
    expect(body.data.map(({ nota }: { nota: string }) => nota)).toEqual(['unu', 'doi'])
  }

  test.each([{}, { append: true }, { definition: true }, { definition: true, acceptDrift: true }])(
    'the command %p',
    async ({ append = false, definition = false, acceptDrift = false }) => {
      const id = `comanda_${Object.values({ append, definition, acceptDrift }).map(Number).join('')}`
      await publishFirst(id)
      const [file, written] = [join(folder, `${id}.csv`), join(folder, `${id}.json`)]
      writeFileSync(file, CODES)
      const columns = [{ name: 'n' }, { name: 'nota', type: 'string' }]
      writeFileSync(
        written,
        JSON.stringify({ id, domain: 'economy', columns, ...(append && { mode: 'append' }) }),
      )
      const asked = ingestFile(accounts.app.app, {
        ...{ file, id, domain: 'economy', settings: accounts.app.app.config, dryRun: false },
        ...{ append, acceptDrift, acceptShrink: true, maxQuarantine: 1, maxMended: 1, force: true },
        ...(definition && { definition: written }),
      })
      expect(await asked.catch((error: CommandError) => error.message)).toContain(
        '--allow-personal-data nota',
      )
      await expectClean(id)
    },
  )

  test('a refresh', async () => {
    await publishFirst('reluat')
    const { app } = accounts.app
    const source = app.catalog.sources.find('reluat')!
    const refreshed = await refreshDataset(app, source, { force: true, settings: app.config })
    expect(refreshed).toMatchObject({ outcome: 'refused' })
    await expectClean('reluat')
  })

  test('a draft: uploaded, fetched, appended or made an edition, whatever the other answers', async () => {
    const source = await publishFirst('ciorna')
    const fetched = await desk.call('POST', '/from-address', { source, dataset: 'ciorna' })
    const drafts = [
      await desk.settled(fetched.body.id),
      await desk.read('ciorna.csv', CODES),
      await desk.decide((await desk.read('altul.csv', CODES)).id, { dataset: 'ciorna' }),
      await desk.decide((await desk.read('adaos.csv', CODES)).id, { dataset: 'ciorna', mode: 'append' }),
      await desk.decide((await desk.read('dupa.csv', CODES)).id, {
        id: 'ciorna',
        read: { footnotes: 'keep' },
      }),
    ]
    const answers = { accept_drift: true, accept_shrink: true, max_quarantine: 1, max_mended: 1 }
    for (const { id, questions, dataset } of drafts) {
      expect(dataset.id).toBe('ciorna')
      expect(questions).toContainEqual(
        expect.objectContaining({ code: 'personal_data', column: 'nota', gate: true }),
      )
      expect(await desk.publish(id, answers)).toBe('409 personal_data')
      expect(await desk.publish(id, { ...answers, allow_personal_data: ['n'] })).toBe('409 personal_data')
      expect(await desk.publish(id, { ...answers, allow_personal_data: false })).toBe('409 personal_data')
    }
    await expectClean('ciorna')
  })

  test('the interfaces for reading', async () => {
    const names = Object.keys(TOOLS)
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => /publish|draft|create|upload|ingest|upsert/.test(name))).toEqual([])
    for (const action of ['datastore_create', 'datastore_upsert', 'package_create', 'resource_create'])
      expect((await accounts.app.get(`/api/3/action/${action}`)).status).toBeGreaterThanOrEqual(400)
  })
})
