/** Files on their way to becoming editions (contract 10). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { listEvents } from '../../src/accounts/audit/audit.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type DeskClient, openDesk } from '../support/desk.ts'
import { until } from '../support/until.ts'
import { startWebServer } from '../support/web-server.ts'
import { xlsx } from '../support/workbooks.ts'

let app: TestApp
let desk: DeskClient
let time = new Date()
beforeAll(async () => {
  app = await startTestApp({ now: () => time, flags: { publish_private_addresses: 'on' } })
  desk = await openDesk(app)
})
afterAll(() => app.stop())

describe('a file', () => {
  test('is uploaded, read, shown and published', async () => {
    const draft = await desk.read('Prețuri 2025.csv', 'oraș,preț\nCluj,5\nIași,-\n')
    expect(draft).toMatchObject({
      ...{ state: 'ready', file: { name: 'Prețuri 2025.csv', bytes: 27 }, missing: ['domain'] },
      ...{ dataset: { id: 'preturi_2025', domain: null }, served_version: null, drift: null, problem: null },
      rows: [
        { oras: 'Cluj', pret: '5' },
        { oras: 'Iași', pret: '-' },
      ],
      suspects: [{ column: 'pret', type: 'integer', values: [{ value: '-', count: 1 }] }],
    })
    expect(draft.records).toEqual([
      { number: 1, role: 'header', cells: ['oraș', 'preț'] },
      { number: 2, role: 'data', cells: ['Cluj', '5'] },
      { number: 3, role: 'data', cells: ['Iași', '-'] },
    ])
    const changed = await desk.call('PATCH', `/${draft.id}`, {
      domain: 'economy',
      read: { null_values: ['-'] },
    })
    expect(changed.status).toBe(200)
    const read = await desk.settled(draft.id)
    expect(read).toMatchObject({
      state: 'ready',
      revision: 2,
      read: { revision: 2, preview: false },
      missing: [],
    })
    expect(read.rows).toEqual([
      { oras: 'Cluj', pret: 5 },
      { oras: 'Iași', pret: null },
    ])
    const { status, body } = await desk.call('POST', `/${draft.id}/publish`, {})
    expect([status, body.state, body.published]).toEqual([
      200,
      'published',
      { version: 1, endpoint: '/v1/economy/preturi_2025' },
    ])
    expect((await app.get('/v1/economy/preturi_2025')).body.data).toEqual(read.rows)
  })

  test('of several sheets lists them, and the columns that a definition leaves out', async () => {
    const sheets = [
      {
        name: '2024',
        rows: [
          ['town', 'people'],
          ['Cluj', 5],
          ['Iași', 6],
        ],
      },
      { name: 'Notes', rows: [['Estimated.']] },
      { name: 'Empty', rows: [] },
    ]
    const file = xlsx(sheets.map((sheet) => ({ merges: [], ...sheet }))) as Uint8Array<ArrayBuffer>
    const draft = await desk.read('towns.xlsx', file)
    expect(draft).toMatchObject({
      sheets: [
        { name: '2024', rows: 3 },
        { name: 'Notes', rows: 1 },
      ],
      left_out: [],
      left_out_names: [],
      rows: [{ town: 'Cluj', people: 5 }, {}],
    })
    await desk.call('PATCH', `/${draft.id}`, { columns: [{ name: 'town' }], other_columns: 'drop' })
    const without = await desk.settled(draft.id)
    expect([without.left_out, without.left_out_names]).toEqual([['people'], ['people']])
    expect(without.rows).toEqual([{ town: 'Cluj' }, { town: 'Iași' }])
  })
})

describe('the next edition of a file', () => {
  const EDITION = 'Raport;;\nJudeț;Luna;Șomeri\nCluj;ian;1234\nIași;ian;-\n'

  test('is read with the decisions about the last file, which are the definition of the dataset', async () => {
    const first = await desk.read('șomaj.csv', EDITION)
    await desk.decide(first.id, {
      ...{ domain: 'economy', title: 'Șomaj', license: 'CC-BY-4.0', keywords: ['muncă'] },
      read: { header_row: 2, null_values: ['-'] },
      columns: [
        { name: 'judet' },
        { name: 'luna' },
        { name: 'someri', title: 'Șomeri înregistrați', unit: 'persoane' },
      ],
    })
    expect(await desk.publish(first.id)).toBe('published')

    const second = await desk.read('șomaj.csv', EDITION.replaceAll('ian', 'feb'))
    expect(second).toMatchObject({
      ...{ state: 'ready', served_version: 1, missing: [], drift: null },
      dataset: { id: 'somaj', domain: 'economy', title: 'Șomaj' },
      rows: [
        { judet: 'Cluj', luna: 'feb', someri: 1234 },
        { judet: 'Iași', luna: 'feb', someri: null },
      ],
    })
    expect(await desk.publish(second.id)).toBe('published')
    const { body } = await app.get('/v1/datasets/somaj')
    expect(body).toMatchObject({
      ...{ title: 'Șomaj', license: 'CC-BY-4.0', keywords: ['muncă'] },
      provenance: { ingestion_version: 2, source_file: 'șomaj.csv' },
    })
    expect(body.columns[2]).toMatchObject({ title: 'Șomeri înregistrați', unit: 'persoane', type: 'integer' })

    const download = await desk.call('GET', `/${second.id}/definition`)
    expect(download.headers.get('content-disposition')).toBe('attachment; filename="somaj.json"')
    expect(download.body).toEqual({
      ...{ id: 'somaj', domain: 'economy', title: 'Șomaj', license: 'CC-BY-4.0', keywords: ['muncă'] },
      read: { header_row: 2, null_values: ['-'] },
      columns: [
        { name: 'judet' },
        { name: 'luna' },
        { name: 'someri', title: 'Șomeri înregistrați', unit: 'persoane' },
      ],
    })
  })

  test('is unchanged if it is the same file, and the served version stays', async () => {
    const again = await desk.read('șomaj.csv', EDITION.replaceAll('ian', 'feb'))
    expect(again.report.unchanged).toBe(true)
    expect(await desk.publish(again.id)).toBe('unchanged')
    expect((await desk.call('GET', `/${again.id}`)).body.published).toEqual({
      ...{ version: 2, endpoint: '/v1/economy/somaj' },
    })
    const other = await desk.read('șomaj.csv', EDITION.replaceAll('ian', 'feb'))
    await desk.decide(other.id, { title: 'Șomajul înregistrat' })
    expect(await desk.publish(other.id)).toBe('published')
    expect((await app.get('/v1/datasets/somaj')).body.title).toBe('Șomajul înregistrat')
    const third = await desk.read('șomaj.csv', EDITION.replaceAll('ian', 'feb'))
    expect(await desk.publish(third.id)).toBe('unchanged')
  })

  test('keeps later edits, and a dataset published by a command is read as the command read it', async () => {
    const text = 'n,town\n1,Cluj\n2,-\n'
    await app.ingestCsv(text, {
      ...{ id: 'by_command', domain: 'economy', definition: { title: 'By command' } },
    })
    const same = await desk.read('by_command.csv', text)
    expect(same.report.unchanged).toBe(true)
    await app.app.catalog.edit('by_command', {
      dataset: { license: 'CC0-1.0' },
      columns: { n: { unit: 'pieces' } },
    })
    const next = await desk.read('by_command.csv', 'n,town\n3,Cluj\n')
    expect(next.definition).toMatchObject({ license: 'CC0-1.0', title: 'By command' })
    expect(await desk.publish(next.id)).toBe('published')
    const { body } = await app.get('/v1/datasets/by_command')
    expect(body).toMatchObject({ license: 'CC0-1.0', title: 'By command', row_count: 1 })
    expect(body.columns[0].unit).toBe('pieces')
  })

  test('may have another name, if its dataset is named', async () => {
    const named = await desk.read('feb 2026.csv', EDITION, '&dataset=somaj')
    expect(named.dataset).toEqual({ id: 'somaj', domain: 'economy', title: 'Șomajul înregistrat' })
    const later = await desk.read('mar 2026.csv', EDITION)
    expect(later.dataset).toEqual({ id: 'mar_2026', domain: null, title: 'mar 2026' })
    expect(await desk.decide(later.id, { id: 'somaj' })).toMatchObject({
      state: 'ready',
      served_version: 3,
      drift: null,
    })
  })
})

describe('a decision', () => {
  test('about texts alone shows at once, without reading the file again', async () => {
    const { id } = await desk.read('texts.csv', 'n\n1\n')
    const { body } = await desk.call('PATCH', `/${id}`, { title: 'Texts', domain: 'economy' })
    expect(body).toMatchObject({
      state: 'ready',
      revision: 1,
      dataset: { domain: 'economy', title: 'Texts' },
      missing: [],
    })
    expect(body.report.domain).toBe('economy')
  })

  test('is undone by null, and merges with earlier ones', async () => {
    const { id } = await desk.read('null.csv', 'n\n-\n*\n1\n')
    await desk.decide(id, { title: 'A', read: { null_values: ['-', '*'], header_row: 1 } })
    const back = await desk.decide(id, { title: null, read: { header_row: null } })
    expect(back.definition).toEqual({ id: 'null', read: { null_values: ['-', '*'] } })
    expect(back.rows).toEqual([{ n: null }, { n: null }, { n: 1 }])
    expect((await desk.decide(id, { read: null })).definition).toEqual({ id: 'null' })
  })

  test('made while the file is being read starts a new reading: the draft shows the latest one', async () => {
    const { body } = await desk.upload('fast.csv', 'a;b,c\n1;2,3\n4;5,6\n')
    for (const delimiter of [';', ',', ';']) await desk.call('PATCH', `/${body.id}`, { read: { delimiter } })
    const read = await desk.settled(body.id)
    expect(read).toMatchObject({
      state: 'ready',
      revision: 4,
      read: { revision: 4 },
      rows: [{ a: 1 }, { a: 4 }],
    })
  })

  test('that does not fit the file is reported, and can be changed', async () => {
    const { id } = await desk.read('key.csv', 'n\n1\n')
    const wrong = await desk.decide(id, { primary_key: ['m'] })
    expect(wrong).toMatchObject({ state: 'refused', problem: { code: 'invalid_body' } })
    expect(wrong.problem.message).toContain('primary_key names it')
    expect(await desk.decide(id, { primary_key: ['n'] })).toMatchObject({ state: 'ready', problem: null })
  })
})

test('a large file is previewed from its first records before it is read as a whole', async () => {
  const lines = Array.from({ length: 120_000 }, (_, i) => `${i},town ${i % 100},${i % 7 === 0 ? '-' : i}`)
  const { body } = await desk.upload('large.csv', `n,town,sold\n${lines.join('\n')}\n`)
  const previews = []
  for (;;) {
    const { body: seen } = await desk.call('GET', `/${body.id}`)
    if (seen.read?.preview === true) previews.push(seen)
    if (seen.state === 'ready') break
  }
  expect(previews.length).toBeGreaterThan(0)
  expect(previews[0].rows).toHaveLength(50)
  expect(previews[0].report.rows.read).toBeLessThan(100_000)
  const whole = await desk.settled(body.id)
  expect(whole).toMatchObject({ read: { preview: false }, report: { rows: { read: 120_000 } } })
  await desk.call('DELETE', `/${body.id}`)
})

test('a fetched file is read like an uploaded one, and its address is kept', async () => {
  const web = startWebServer(() => new Response('n,town\n1,Cluj\n', { headers: { etag: '"1"' } }))
  const { status, body } = await desk.call('POST', '/from-address', {
    source: `${web.url}/files/towns%202025.csv`,
  })
  expect([status, body.state]).toEqual([201, 'receiving'])
  const draft = await desk.settled(body.id)
  expect(draft).toMatchObject({
    ...{ state: 'ready', file: { name: 'towns 2025.csv', bytes: 14 }, rows: [{ n: 1, town: 'Cluj' }] },
    source: `${web.url}/files/towns%202025.csv`,
  })
  await desk.decide(draft.id, { domain: 'economy' })
  expect(await desk.publish(draft.id)).toBe('published')
  expect(app.app.catalog.sources.find('towns_2025')).toMatchObject({ address: draft.source })
  expect(web.requests).toHaveLength(1)
  const second = await desk.call('POST', '/from-address', { source: draft.source })
  expect(second.body.dataset.id).toBe('towns_2025')
  expect((await desk.settled(second.body.id)).report.unchanged).toBe(true)
})

test('a publication is in the audit log once, with its number', async () => {
  const { id } = await desk.read('audited.csv', 'n\n1\n')
  await desk.decide(id, { domain: 'economy' })
  await desk.publish(id)
  const entries = async () => {
    const events = await listEvents(app.app.accounts, 100)
    return events.filter(({ detail }) => detail === 'audited version 1')
  }
  await until(async () => (await entries()).length > 0)
  expect(await entries()).toMatchObject([
    { event: 'dataset_published', actor: 'operator', key_id: 2, user_id: null },
  ])
})

test('a published draft keeps its reading, and its file is deleted', async () => {
  const { body } = await desk.call('GET', '')
  const { id } = body.find((one: { state: string }) => one.state === 'published')
  const files = () => readdirSync(app.app.dataDir.draft(id).path)
  await until(async () => !files().includes('source'))
  // A node records which reading it has.
  const kept = files().filter((name) => name !== 'read-revision')
  expect(kept.toSorted()).toEqual(['lock.db', 'quarantine.ndjson', 'reading.json', 'repaired.ndjson'])
  expect((await desk.call('GET', `/${id}`)).body.rows.length).toBeGreaterThan(0)
})

test('a draft is removed with its files, by its owner or after seven days', async () => {
  const { id } = await desk.read('removed.csv', 'n\n1\n')
  expect((await desk.call('DELETE', `/${id}`)).status).toBe(204)
  expect(existsSync(app.app.dataDir.draft(id).path)).toBe(false)
  const { body: before } = await desk.call('GET', '')
  expect(before.length).toBeGreaterThan(3)
  time = new Date(time.getTime() + 7 * 86_400_000 - 60_000)
  app.app.draftWork.wake()
  expect((await desk.call('GET', '')).body.length).toBe(before.length)
  time = new Date(time.getTime() + 86_400_000)
  app.app.draftWork.wake()
  await until(async () => (await desk.call('GET', '')).body.length === 0)
  await until(async () => app.app.dataDir.draftIds().length === 0)
})
