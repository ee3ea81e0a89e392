/** Attacks by a publisher of one domain on the others and the service (contract 10). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type DeskClient, DRAFTS, openDesk } from '../support/desk.ts'

const TABLE = 'town,sold\nCluj,5\nIași,6\n'
const DATASETS = '/publish/api/datasets'

let app: TestApp
/** Desk of a publisher of the domain health. */
let desk: DeskClient
beforeAll(async () => {
  app = await startTestApp()
  desk = await openDesk(app, ['publish:health'])
  await app.ingestCsv(TABLE, { id: 'beds', domain: 'health' })
  await app.ingestCsv(TABLE, { id: 'trade', domain: 'economy' })
})
afterAll(() => app.stop())

/** @param type of the body, by default JSON */
async function send(method: string, path: string, body?: string, type = 'application/json') {
  const headers = { ...desk.headers, ...(body !== undefined && { 'content-type': type }) }
  return await app.get(path, { method, key: null, headers, ...(body !== undefined && { body }) })
}
const codeOf = ({ status, body }: Awaited<ReturnType<typeof send>>) =>
  status < 400 ? String(status) : `${status} ${body.error.code}`

describe('an address', () => {
  const NAMES = ['..%2fbeds', '%2e%2e%2f%2e%2e%2fcatalog.db', 'beds%00', 'beds%0a', 'BEDS', '__proto__']
  const MORE = [
    'constructor',
    '%F0%9F%92%A9',
    'a'.repeat(5000),
    '-1',
    '1e3',
    'trade%2f',
    '<b>',
    "'%20OR%201=1",
  ]

  test('with an id that does not exist leads nowhere', async () => {
    for (const name of [...NAMES, ...MORE]) {
      for (const [method, path, body] of [
        ['GET', `${DATASETS}/${name}`],
        ['PATCH', `${DATASETS}/${name}`, '{"title":"x"}'],
        ['DELETE', `${DATASETS}/${name}`],
        ['GET', `${DATASETS}/${name}/versions`],
        ['GET', `${DATASETS}/${name}/quarantine`],
        [
          'PUT',
          `${DATASETS}/${name}/schedule`,
          '{"source_url":"https://example.org/a","refresh":"0 6 * * *"}',
        ],
        ['GET', `${DRAFTS}/${name}`],
        ['PATCH', `${DRAFTS}/${name}`, '{}'],
        ['DELETE', `${DRAFTS}/${name}`],
        ['GET', `${DRAFTS}/${name}/quarantine?format=csv`],
      ] as const) {
        const code = codeOf(await send(method, path, body))
        const kind = path.startsWith(DRAFTS) ? 'draft_not_found' : 'dataset_not_found'
        expect([method, path.slice(0, 80), code]).toEqual([method, path.slice(0, 80), `404 ${kind}`])
      }
    }
  })

  test('with a version that is not a number, or not kept, is 404 version_not_found', async () => {
    for (const version of ['0', '01', '-1', '1.0', '%31%30', '99999999999', '__proto__', '1%00']) {
      expect([version, codeOf(await send('POST', `${DATASETS}/beds/versions/${version}/serve`))]).toEqual([
        version,
        '404 version_not_found',
      ])
    }
    const message = (await send('GET', `${DATASETS}/beds/versions/01/diff`)).body.error.message
    expect(message).toBe('This is not the number of a version of beds; those that are: 1.')
    expect(codeOf(await send('GET', `${DATASETS}/beds/quarantine?format=xlsx`))).toBe('422 invalid_format')
  })
})

describe('a body', () => {
  const targets = async () => {
    const { id } = await desk.read('body.csv', TABLE)
    return [`${DRAFTS}/${id}`, `${DATASETS}/beds`]
  }

  test('of another type, or that is not a JSON object, is 422', async () => {
    for (const target of await targets()) {
      for (const type of [
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-16',
      ])
        expect([type, codeOf(await send('PATCH', target, '{}', type))]).toEqual([type, '422 invalid_body'])
      for (const body of [
        '',
        'null',
        '[]',
        '"x"',
        '{',
        '{"title":"\\ud800"}',
        '{"__proto__":{"open":false}}',
      ])
        expect([body, codeOf(await send('PATCH', target, body))]).toEqual([body, '422 invalid_body'])
    }
  })

  test('over a megabyte is 413, and a deeply nested one 422, at once', async () => {
    for (const target of await targets()) {
      const large = `{"description":"${'x'.repeat(2 ** 20)}"}`
      expect(codeOf(await send('PATCH', target, large))).toBe('413 payload_too_large')
      for (const field of ['title', 'columns', 'read', 'keywords']) {
        const deep = `{"${field}":${'['.repeat(500_000)}${']'.repeat(500_000)}}`
        const { status, body } = await send('PATCH', target, deep)
        expect([field, status, body.error.message]).toEqual([
          field,
          422,
          expect.stringContaining('deeper than 100'),
        ])
      }
    }
  })

  test('with texts too long for a dataset is 422, in a draft as well', async () => {
    for (const target of await targets()) {
      for (const part of [
        { title: 'x'.repeat(501) },
        { description: 'x'.repeat(10_001) },
        { license: 'x'.repeat(10_001) },
        { keywords: Array.from({ length: 101 }, (_, i) => `word ${i}`) },
        { keywords: ['x'.repeat(101)] },
        { columns: [{ name: 'town', description: 'x'.repeat(10_001) }] },
      ]) {
        const what = Object.keys(part)
        expect([what, codeOf(await send('PATCH', target, JSON.stringify(part)))]).toEqual([
          what,
          '422 invalid_body',
        ])
      }
      const longest = JSON.stringify({ description: 'x'.repeat(10_000), keywords: ['x'.repeat(100)] })
      expect(codeOf(await send('PATCH', target, longest))).toBe('200')
    }
  })
})

test("a draft never becomes an edition of another domain's dataset, however that is named", async () => {
  const { id } = await desk.read('trade.csv', TABLE)
  for (const part of [{ id: 'trade' }, { domain: 'economy' }, { id: 'trade', domain: 'health' }])
    expect(codeOf(await send('PATCH', `${DRAFTS}/${id}`, JSON.stringify(part)))).toBe('403 scope_missing')
  expect((await desk.upload('a.csv', TABLE, '&dataset=trade')).body.error.code).toBe('scope_missing')
  // A dataset of another domain has the name of the file, so the draft gets a free one.
  expect((await desk.call('GET', `/${id}`)).body.dataset).toMatchObject({ id: 'trade_2', domain: 'health' })
  expect(codeOf(await send('GET', '/publish/api/usage?dataset=trade'))).toBe('403 scope_missing')
  expect((await send('GET', '/publish/api/usage')).body.data).toEqual([])
})

describe('texts', () => {
  const HOSTILE = 'a\u0000b\u0007\u001b[31m\ufffe</title><script>alert(1)</script>]]>'
  const PLAIN = 'a b  [31m </title><script>alert(1)</script>]]>'
  const PAGES = ['/', '/datasets/:id', '/feed.atom', '/sitemap.xml', '/catalog.ttl', '/catalog.jsonld']
  const RECORDS = [
    '/v1/datasets',
    '/v1/datasets/:id',
    '/openapi/health/:id.json',
    '/llms.txt',
    '/v1/search?q=script',
  ]
  const FILES = ['/v1/health/:id/export?format=csv', '/v1/health/:id?limit=1']

  async function expectHarmless(id: string) {
    const { dataset, columns } = app.app.catalog.record(id)!
    expect(dataset).toMatchObject({ title: PLAIN, description: PLAIN, publisher: PLAIN, license: PLAIN })
    expect(dataset.keywords).toContain(PLAIN)
    expect(columns[0]).toMatchObject({ title: PLAIN, unit: PLAIN, description: PLAIN })
    for (const address of [...PAGES, ...RECORDS, ...FILES]) {
      const { status, text, headers } = await app.get(address.replace(':id', id))
      expect([address, status]).toEqual([address, 200])
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not occur
      expect([address, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)]).toEqual([
        address,
        false,
      ])
      if (/html|xml/.test(headers.get('content-type') ?? '')) expect(text).not.toContain('<script>alert')
    }
  }
  const said = {
    ...{ title: HOSTILE, description: HOSTILE, publisher: HOSTILE, license: HOSTILE, keywords: [HOSTILE] },
    columns: [{ name: 'town', title: HOSTILE, unit: HOSTILE, description: HOSTILE }],
  }

  test('with markup and control characters in a draft become plain texts on every page', async () => {
    const { id } = await desk.read('hostile.csv', TABLE)
    // Half of a surrogate pair, which cannot be in an address.
    const keywords = [HOSTILE, 'half \ud800']
    await desk.decide(id, { ...said, keywords })
    expect(await desk.publish(id)).toBe('published')
    await expectHarmless('hostile')
    expect(app.app.catalog.record('hostile')?.dataset.keywords).toContain('half \ufffd')
  })

  test('with markup and control characters in an edit do so too', async () => {
    expect(codeOf(await send('PATCH', `${DATASETS}/beds`, JSON.stringify(said)))).toBe('200')
    await expectHarmless('beds')
  })

  test('in headers, cells and the name of the file stay plain texts as well', async () => {
    const name = '"><img src=x onerror=alert(1)>.csv'
    const { id, file } = await desk.read(
      name,
      'n<script>alert(1)</script>,b\n<b>x</b>,"=cmd|\' /C calc\'!A0"\ny,5\nz,6\n',
    )
    expect(file.name).toBe(name)
    await desk.decide(id, { id: 'markup' })
    expect(await desk.publish(id)).toBe('published')
    for (const page of ['/datasets/markup', '/', '/feed.atom']) {
      const { status, text } = await app.get(page)
      expect([page, status, /<script>alert|<img src=x|<b>x/.test(text)]).toEqual([page, 200, false])
    }
  })
})

test('the view of a draft is limited in size, however large its cells and however many its columns', async () => {
  const large = `n,text\n${Array.from({ length: 60 }, (_, i) => `${i},${'ș'.repeat(200_000)}${i}`).join('\n')}\n`
  const ofCells = await desk.read('cells.csv', large)
  expect(ofCells.state).toBe('ready')
  expect(JSON.stringify(ofCells).length).toBeLessThan(1e6)
  expect(ofCells.rows).toHaveLength(50)
  expect(ofCells.rows[49].text).toBe(`${'ș'.repeat(999)}…`)
  const wide = Array.from({ length: 61 }, (_, i) =>
    Array.from({ length: 2000 }, (_, j) => (i === 0 ? `c${j}` : `value ${i * j}`)).join(','),
  )
  const ofColumns = await desk.read('wide.csv', wide.join('\n'))
  expect(JSON.stringify(ofColumns.rows).length).toBeLessThan(1e6)
  expect(ofColumns.rows.length).toBeGreaterThan(5)
  expect(ofColumns.rows[0].c1999).toBe('value 1999')
})

test('a refusal does not reveal where the service keeps its data', async () => {
  const { id } = await desk.read('canonical.csv', TABLE)
  const refused = await desk.decide(id, { columns: [{ name: 'town', canonical: 'nosuch' }] })
  expect(refused.problem.message).toContain(
    "no reference table 'nosuch': neither <data>/reference/nosuch.csv",
  )
  expect(JSON.stringify(refused)).not.toContain(app.app.dataDir.root)
})

test('lists are answered while a draft is slow to show', async () => {
  const { id } = await desk.read('looks.csv', TABLE)
  await desk.decide(id, { columns: Array.from({ length: 10_000 }, (_, i) => ({ name: `c${i}` })) })
  let looksLeft = 40
  const looks = Array.from({ length: looksLeft }, async () => {
    const answer = await app.fetch(`${DRAFTS}/${id}`, { key: null, headers: desk.headers })
    await answer.arrayBuffer()
    looksLeft--
  })
  await Promise.race(looks)
  expect((await app.get('/v1/economy/trade?limit=1')).status).toBe(200)
  expect(looksLeft).toBeGreaterThan(0)
  await Promise.all(looks)
})

test('a JSON file with unpaired surrogates and control characters is read, and its page is shown', async () => {
  const file = '[{"a\\ud800":"x\\ud800","b":"\\u0000"},{"a\\ud800":"y","b":"\\u0001"}]'
  const { id, state } = await desk.read('halves.json', file)
  expect(state).toBe('ready')
  expect(await desk.publish(id)).toBe('published')
  expect((await app.get('/datasets/halves')).status).toBe(200)
  expect((await app.get('/v1/health/halves')).body.data).toHaveLength(2)
})
