/** What the desk refuses about drafts, and how (contract 10). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { deleteAccountOf } from '../../src/accounts/people/operator.ts'
import { refreshDataset } from '../../src/publish/refresh/refresh.ts'
import { type AccountApp, type Browser, startAccountApp } from '../support/browser.ts'
import { type DeskClient, DRAFTS, deskOf, makePublisher, openDesk } from '../support/desk.ts'
import { until } from '../support/until.ts'

const NOBODYS = 'abcdefghijklmnopqrstuvwx'
const TABLE = 'town,sold\nCluj,5\nIași,6\n'

let accounts: AccountApp
let browser: Browser
/** Publisher of the domain economy. */
let ana: DeskClient
/** Publisher of all domains. */
let ion: DeskClient
/** Ana's draft, read and ready. */
let draft: string
beforeAll(async () => {
  accounts = await startAccountApp({ max_upload: '1MB', personal_data: 'strict', public_per_minute: 10_000 })
  browser = await accounts.signUp('ana@example.org')
  const other = await accounts.signUp('ion@example.org')
  await makePublisher(accounts, 'ana@example.org', ['economy'])
  await makePublisher(accounts, 'ion@example.org')
  ana = deskOf(accounts, browser)
  ion = deskOf(accounts, other)
  await accounts.app.ingestCsv('n\n1\n2\n', { id: 'clinics', domain: 'health' })
  draft = (await ana.read('sold.csv', TABLE)).id
}, 60_000)
afterAll(() => accounts.stop())

/** Every route, with a body that it accepts. */
const ROUTES = [
  ['GET', ''],
  ['POST', '?filename=a.csv', TABLE],
  ['PUT', '?filename=a.csv', TABLE],
  ['POST', '/from-address', '{"source":"https://example.org/a.csv"}'],
  ['GET', '/:draft'],
  ['PATCH', '/:draft', '{}'],
  ['POST', '/:draft/publish', '{}'],
  ['GET', '/:draft/definition'],
  ['GET', '/:draft/quarantine'],
  ['GET', '/:draft/repaired'],
  ['DELETE', '/:draft'],
] as const

async function refusal(
  [method, path, body]: (typeof ROUTES)[number],
  headers: Record<string, string>,
  id = draft,
): Promise<string> {
  const json = body?.startsWith('{') ? { 'content-type': 'application/json' } : {}
  const answer = await accounts.app.get(DRAFTS + path.replace(':draft', id), {
    ...{ method, key: null, headers: { ...json, ...headers } },
    ...(body !== undefined && { body }),
  })
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  return `${answer.status} ${answer.body?.error?.code}`
}

async function refusals(headers: Record<string, string>, id?: string): Promise<Set<string>> {
  const found = await Promise.all(ROUTES.map((route) => refusal(route, headers, id)))
  return new Set(found)
}

describe('every route', () => {
  test('is 401 without credentials, and with a malformed key', async () => {
    expect(await refusals({})).toEqual(new Set(['401 unauthenticated']))
    expect(await refusals({ authorization: 'Bearer rok_1' })).toEqual(new Set(['401 api_key_malformed']))
  })

  test('is 403 for a reader, and for a key without the scope', async () => {
    const reader = deskOf(accounts, await accounts.signUp('maria@example.org'))
    expect(await refusals(reader.headers)).toEqual(new Set(['403 role_missing']))
    const { headers } = await openDesk(accounts.app, ['read'])
    expect(await refusals(headers)).toEqual(new Set(['403 scope_missing']))
  })

  test('is 403 without the token of the session or from another site, if it changes something', async () => {
    const changing = ROUTES.filter(([method]) => method !== 'GET')
    const { 'x-csrf-token': _, ...bare } = ana.headers
    for (const headers of [bare, { ...ana.headers, origin: 'https://example.com' }]) {
      const found = await Promise.all(changing.map((route) => refusal(route, headers)))
      expect(new Set(found)).toEqual(new Set(['403 csrf_failed']))
    }
    expect((await ana.call('GET', '')).body).toHaveLength(1)
  })

  test('is 404 for a draft of somebody else, or one that does not exist', async () => {
    const ofDraft = ROUTES.filter(([, path]) => path.includes(':draft'))
    for (const [who, id] of [
      [ion, draft],
      [ana, NOBODYS],
      [ana, 'x'],
    ] as const) {
      const found = await Promise.all(ofDraft.map((route) => refusal(route, who.headers, id)))
      expect(new Set(found)).toEqual(new Set(['404 draft_not_found']))
    }
    expect((await ion.call('GET', '')).body).toEqual([])
  })

  test('does not count as a data call of the key', async () => {
    const key = await openDesk(accounts.app)
    expect((await key.call('GET', '')).headers.get('ratelimit')).toBeNull()
  })
})

test('a key sees only its own drafts, an account those of its keys as well', async () => {
  const key = await openDesk(accounts.app, ['publish'], 1)
  const { id } = await key.read('by key.csv', TABLE)
  expect((await key.call('GET', '')).body.map((one: { id: string }) => one.id)).toEqual([id])
  expect((await key.call('GET', `/${draft}`)).status).toBe(404)
  expect((await ana.call('GET', `/${id}`)).status).toBe(200)
  expect((await key.call('DELETE', `/${id}`)).status).toBe(204)
})

describe('an upload', () => {
  const problem = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
    `${status} ${body.error?.code}`

  test('of nothing, of too much, and of an unknown or closed dataset is refused', async () => {
    expect(problem(await ana.upload('a.csv', ''))).toBe('422 invalid_body')
    const large = 'x'.repeat(1_000_001)
    expect(problem(await ana.upload('a.csv', large))).toBe('413 payload_too_large')
    const stream = new Blob([large]).stream()
    expect(problem(await ana.upload('a.csv', stream))).toBe('413 payload_too_large')
    expect(problem(await ana.upload('a.csv', TABLE, '&dataset=nothing'))).toBe('404 dataset_not_found')
    expect(problem(await ana.upload('a.csv', TABLE, '&dataset=clinics'))).toBe('403 role_missing')
    expect(problem(await ana.upload('a.csv', TABLE, '&name=a'))).toBe('422 unknown_parameter')
    expect(problem(await ana.upload('', TABLE))).toBe('422 invalid_value')
    expect((await ana.call('GET', '')).body).toHaveLength(1)
  })

  test('keeps only the name of the file, whatever path is before it', async () => {
    const names = ['../../etc/passwd', 'C:\\data\\pupils.csv', 'a\u0000b\n.csv', '..']
    for (const [i, name] of names.entries()) {
      const { body } = await ana.upload(name, TABLE)
      expect(body.file.name).toBe(['passwd', 'pupils.csv', 'a b .csv', 'upload'][i])
      await ana.call('DELETE', `/${body.id}`)
    }
    const named = await accounts.app.get(DRAFTS, {
      ...{ method: 'PUT', key: null, body: TABLE },
      headers: { ...ana.headers, 'content-disposition': "attachment; filename*=UTF-8''pre%C8%9Buri.csv" },
    })
    expect([named.status, named.body.file]).toEqual([201, { name: 'prețuri.csv', bytes: 25 }])
    await ana.call('DELETE', `/${named.body.id}`)
  })

  test('whose session ends meanwhile leaves nothing behind', async () => {
    const leaving = await accounts.signIn('ana@example.org')
    const desk = deskOf(accounts, leaving)
    let signedOut = false
    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(new TextEncoder().encode(signedOut ? 'Iași,6\n' : 'town,sold\nCluj,5\n'))
        if (signedOut) return controller.close()
        await leaving.post('/logout')
        signedOut = true
      },
    })
    expect(problem(await desk.upload('a.csv', body))).toBe('401 unauthenticated')
    expect((await ana.call('GET', '')).body).toHaveLength(1)
    expect(accounts.app.app.dataDir.draftIds()).toEqual([draft])
  })
})

test('an address must be valid, and outside private networks', async () => {
  const ask = async (body: object) => {
    const answer = await ana.call('POST', '/from-address', body)
    return `${answer.status} ${answer.body.error?.code}`
  }
  expect(await ask({ source: 'ftp://example.org/a.csv' })).toBe('422 invalid_value')
  expect(await ask({ source: '/etc/passwd' })).toBe('422 invalid_value')
  expect(await ask({ source: 5 })).toBe('422 invalid_body')
  expect(await ask({})).toBe('422 invalid_body')
  const { status, body } = await ana.call('POST', '/from-address', {
    source: `http://user:secret@127.0.0.1:1/a.csv?token=hidden`,
  })
  expect([status, body.state, body.file, body.source]).toEqual([
    201,
    'receiving',
    { name: 'a.csv', bytes: null },
    'http://127.0.0.1:1/a.csv',
  ])
  const failed = await ana.settled(body.id)
  expect(failed).toMatchObject({ state: 'failed', problem: { code: 'invalid_value' } })
  expect(failed.problem.message).toContain('private network')
  expect(JSON.stringify(failed)).not.toMatch(/secret|hidden/)
  await ana.call('DELETE', `/${body.id}`)
})

describe('a schedule in the decisions about a draft', () => {
  const refresh = '0 6 * * *'
  const source_url = 'http://127.0.0.1:1/a.csv'

  test('may not point into a private network', async () => {
    const { id } = await ana.read('inside.csv', TABLE)
    const both = await ana.call('PATCH', `/${id}`, { source_url, refresh })
    expect([both.status, both.body.error.code]).toEqual([422, 'invalid_body'])
    expect(both.body.error.message).toContain('private network')
    expect((await ana.call('PATCH', `/${id}`, { refresh })).status).toBe(200)
    expect((await ana.call('PATCH', `/${id}`, { source_url })).status).toBe(422)
    await ana.call('DELETE', `/${id}`)
  })

  test('is checked again at each refresh, in case its name now points into a private network', async () => {
    const { app } = accounts.app
    const { id } = await ana.read('named.csv', TABLE)
    await ana.decide(id, { source_url })
    expect(await ana.publish(id)).toBe('published')
    const source = app.catalog.sources.find('named')!
    expect(source.address).toBe(source_url)
    const refused = await refreshDataset(app, source, { force: false, settings: app.config })
    expect(refused).toMatchObject({ outcome: 'failed', error: expect.stringContaining('private network') })
  })
})

test('the drafts of a deleted account are deleted with it, and so are their files', async () => {
  const { app } = accounts.app
  const desk = deskOf(accounts, await accounts.signUp('zoe@example.org'))
  await makePublisher(accounts, 'zoe@example.org', ['economy'])
  const { body } = await desk.upload('hers.csv', TABLE)
  expect(app.dataDir.draftIds()).toContain(body.id)
  await deleteAccountOf(app.accounts, 'zoe@example.org', app.now())
  app.draftWork.wake()
  await until(() => !app.dataDir.draftIds().includes(body.id))
  expect(await app.catalog.drafts.find(body.id)).toBeUndefined()
  expect(app.dataDir.draftIds()).toContain(draft)
})

test('the drafts of an account are limited in number and total size', async () => {
  const { app } = accounts.app
  const desk = await openDesk(accounts.app)
  const first = await desk.upload('first.csv', TABLE)
  const { id: _, ...row } = (await app.catalog.drafts.find(first.body.id))!
  const others = Array.from({ length: 99 }, () => ({ ...row, state: 'ready' as const }))
  for (const other of others) await app.catalog.drafts.add(other, () => {})
  const refused = await desk.upload('more.csv', TABLE)
  expect([refused.status, refused.body.error.code]).toEqual([413, 'payload_too_large'])
  expect(refused.body.error.message).toContain('You have 100 drafts, and may have 100')
  const fetched = await desk.call('POST', '/from-address', { source: 'https://example.org/a.csv' })
  expect(fetched.body.error.code).toBe('payload_too_large')
  await desk.call('DELETE', `/${first.body.id}`)
  expect((await desk.upload('more.csv', TABLE)).status).toBe(201)

  const large = await openDesk(accounts.app)
  const { body } = await large.upload('large.csv', TABLE)
  await app.catalog.drafts.change(body.id, () => ({ bytes: 5e6 - 10 }))
  const tooMuch = await large.upload('more.csv', TABLE)
  expect([tooMuch.status, tooMuch.body.error?.message]).toEqual([
    413,
    expect.stringContaining('5 MB together'),
  ])
  for (const draft of await app.catalog.drafts.pending()) await app.catalog.drafts.remove(draft.id)
})

test('decisions that arrive in several parts are limited together', async () => {
  const { id } = await ana.read('wide.csv', TABLE)
  const columns = Array.from({ length: 30_000 }, (_, i) => ({ name: `c${i}` }))
  expect((await ana.call('PATCH', `/${id}`, { columns })).status).toBe(200)
  const null_values = Array.from({ length: 45_000 }, (_, i) => `no value ${i}`)
  const more = await ana.call('PATCH', `/${id}`, { read: { null_values } })
  expect([more.status, more.body.error?.code]).toEqual([422, 'invalid_body'])
  expect(more.body.error.message).toContain('may have 1,048,576')
  expect((await ana.call('DELETE', `/${id}`)).status).toBe(204)
})

describe('a decision', () => {
  const cases: readonly (readonly [object, string, RegExp])[] = [
    [{ colour: 'red' }, '422 invalid_body', /colour is not a field/],
    [{ titel: 'x' }, '422 invalid_body', /titel/],
    [{ title: 5 }, '422 invalid_body', /title must be of type string/],
    [{ read: { header_row: -1 } }, '422 invalid_body', /read.header_row/],
    [{ read: { sheeet: '1' } }, '422 invalid_body', /did you mean sheet/],
    [{ read: { delimiter: 'ab' } }, '422 invalid_body', /read.delimiter/],
    [{ columns: [{ name: 'Ab' }] }, '422 invalid_body', /columns\[0\].name/],
    [{ columns: [{ name: 'a' }, { name: 'a' }] }, '422 invalid_body', /'a' is declared twice/],
    [{ mode: 'add' }, '422 invalid_body', /mode must be one of replace, append/],
    [{ domain: 'search' }, '422 invalid_body', /reserved/],
    [{ domain: 'health' }, '403 role_missing', /health/],
    [{ id: 'clinics' }, '403 role_missing', /health/],
    [{ refresh: 'never' }, '422 invalid_body', /refresh/],
  ]
  for (const [part, code, message] of cases) {
    test(`${JSON.stringify(part)} is ${code}`, async () => {
      const { status, body } = await ana.call('PATCH', `/${draft}`, part)
      expect(`${status} ${body.error.code}`).toBe(code)
      expect(body.error.message).toMatch(message)
    })
  }

  test('that is not a JSON object is 422', async () => {
    for (const body of ['[]', 'x', '']) {
      const sent = { ...ana.headers, 'content-type': 'application/json' }
      const answer = await accounts.app.get(`${DRAFTS}/${draft}`, {
        ...{ method: 'PATCH', key: null, headers: sent, body },
      })
      expect(answer.status).toBe(422)
    }
  })

  test('that is refused leaves the draft as it was', async () => {
    expect((await ana.call('GET', `/${draft}`)).body).toMatchObject({ state: 'ready', revision: 1 })
  })

  test('for an id of another domain is refused with an explanation', async () => {
    const { status, body } = await ion.call('PATCH', `/${(await ion.read('x.csv', TABLE)).id}`, {
      ...{ id: 'clinics', domain: 'economy' },
    })
    expect([status, body.error.code]).toEqual([422, 'invalid_body'])
    expect(body.error.message).toContain("'clinics' is published in the domain 'health'")
  })
})
