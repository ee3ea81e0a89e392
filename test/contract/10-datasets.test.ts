/** Published datasets, for their publishers: `/publish/api/datasets` (contract 10). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { listEvents, OPERATOR } from '../../src/accounts/audit/audit.ts'
import { mintKey } from '../../src/accounts/keys/keys.ts'
import { setAccountRole } from '../../src/accounts/people/operator.ts'
import { refreshDataset } from '../../src/publish/refresh/refresh.ts'
import { type AccountApp, type Browser, startAccountApp } from '../support/browser.ts'
import { testsNodes } from '../support/node-settings.ts'
import { PASSWORD } from '../support/passwords.ts'

let accounts: AccountApp
let ana: Browser
let reader: Browser
/** The operator's key, for all domains. */
let key: string
beforeAll(async () => {
  accounts = await startAccountApp({ keep_versions: '5' })
  ana = await accounts.signUp('ana@example.org')
  reader = await accounts.signUp('ion@example.org')
  const role = { role: 'publisher', publisher_domains: ['economy'] } as const
  await setAccountRole(accounts.app.app.accounts, 'ana@example.org', role, accounts.now())
  const request = { label: 'job', plan: 'free', scopes: ['publish'] }
  key = (await mintKey(accounts.app.app.accounts, OPERATOR, request, accounts.now())).secret
})
afterAll(() => accounts.stop())

/** As a publisher of `economy`, with cookie and CSRF token. */
async function send(method: string, path: string, body?: unknown, browser = ana) {
  const headers = {
    cookie: browser.cookie!,
    'x-csrf-token': browser.csrf!,
    'x-forwarded-for': browser.ip,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const sent = { method, key: null, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  return await accounts.app.get(`/publish/api${path}`, sent)
}
async function withKey(method: string, path: string, body?: unknown) {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const sent = { method, key, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  return await accounts.app.get(`/publish/api${path}`, sent)
}
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  body?.error === undefined ? status : `${status} ${body.error.code}`

const towns = (rows: number, header = 'town,people') =>
  `${header}\n${Array.from({ length: rows }, (_, i) => `Town ${i},${1000 + i}`).join('\n')}\n`
const publish = (id: string, text: string, domain = 'economy', definition = {}) =>
  accounts.app.ingestCsv(text, { id, domain, title: `About ${id}`, definition })
const events = async () =>
  (await listEvents(accounts.app.app.accounts, 50)).map(
    ({ actor, event, user_id, key_id, detail }) =>
      `${actor} ${user_id ?? '-'} ${key_id ?? '-'} ${event} ${detail}`,
  )

describe('the list', () => {
  test('has the datasets of the publisher with their state, in pages', async () => {
    await publish('aa', towns(3))
    await publish('bb', towns(2))
    await publish('hidden', towns(1), 'health')
    const { status, body } = await send('GET', '/datasets')
    expect(status).toBe(200)
    expect(body.data.map((entry: { id: string }) => entry.id)).toEqual(['aa', 'bb'])
    expect(body.data[0]).toEqual({
      ...{ id: 'aa', domain: 'economy', title: 'About aa', description: null, row_count: 3 },
      ...{ last_updated: accounts.stamp(), endpoint: '/v1/economy/aa', version: 1, open: true },
      ...{ next_refresh_at: null, last_failure: null },
    })
    expect(body.pagination).toEqual({
      ...{ total: 2, count: 2, limit: 50, offset: 0, has_next: false, next_offset: null },
    })
    const first = await send('GET', '/datasets?limit=1')
    expect(first.body.pagination).toMatchObject({ total: 2, has_next: true, next_offset: 1 })
    const all = await withKey('GET', '/datasets')
    expect(all.body.data.map((entry: { id: string }) => entry.id)).toEqual(['aa', 'bb', 'hidden'])
  })

  test('says why the last file was refused, until one is published', async () => {
    await publish('cc', towns(2))
    await expect(publish('cc', '<!doctype html><html><body>down</body></html>')).rejects.toThrow('HTML')
    const failed = (await send('GET', '/datasets/cc')).body
    expect(failed.last_failure).toMatchObject({ kind: 'ingest', at: accounts.stamp() })
    expect((await send('GET', '/datasets')).body.data[2].last_failure).toEqual(failed.last_failure)
    await publish('cc', towns(4))
    expect((await send('GET', '/datasets/cc')).body).toMatchObject({ last_failure: null, row_count: 4 })
  })
})

describe('access', () => {
  test('every route refuses publishers of other domains, readers and strangers', async () => {
    await publish('theirs', towns(2), 'health')
    const calls = [
      ['GET', '/datasets/theirs'],
      ['PATCH', '/datasets/theirs', { title: 'Mine' }],
      ['DELETE', '/datasets/theirs'],
      ['GET', '/datasets/theirs/versions'],
      ['POST', '/datasets/theirs/versions/1/serve'],
      ['DELETE', '/datasets/theirs/versions/1', { password: PASSWORD }],
      ['GET', '/datasets/theirs/versions/1/diff'],
      ['GET', '/datasets/theirs/quarantine'],
      ['GET', '/datasets/theirs/repaired?format=csv'],
      ['PUT', '/datasets/theirs/schedule', { source_url: 'https://example.org/a.csv', refresh: '0 6 * * *' }],
      ['DELETE', '/datasets/theirs/schedule'],
    ] as const
    for (const [method, path, body] of calls) {
      expect([path, codeOf(await send(method, path, body))]).toEqual([path, '403 role_missing'])
      expect([path, codeOf(await send(method, path, body, reader))]).toEqual([path, '403 role_missing'])
      const open = await accounts.app.get(`/publish/api${path}`, { method, key: null })
      expect([path, codeOf(open)]).toEqual([path, '401 unauthenticated'])
      if (method !== 'GET') {
        const headers = { cookie: ana.cookie! }
        const forged = await accounts.app.get(`/publish/api${path}`, { method, key: null, headers })
        expect([path, codeOf(forged)]).toEqual([path, '403 csrf_failed'])
      }
      const missing = await send(method, path.replace('theirs', 'nowhere'), body)
      expect([path, codeOf(missing)]).toEqual([path, '404 dataset_not_found'])
    }
    expect((await withKey('GET', '/datasets/theirs')).body.title).toBe('About theirs')
  })
})

describe('taking a version down', () => {
  const down = (version: string, password = PASSWORD) =>
    send('DELETE', `/datasets/taken/versions/${version}`, { password })

  test('needs a session, the password and a version that is not served', async () => {
    await publish('taken', towns(3))
    await publish('taken', towns(5))
    await publish('taken', towns(4))
    expect(codeOf(await withKey('DELETE', '/datasets/taken/versions/1', { password: PASSWORD }))).toBe(
      '401 unauthenticated',
    )
    expect(codeOf(await down('1', 'another password'))).toBe('422 invalid_credentials')
    expect(codeOf(await down('3'))).toBe('409 version_served')
    expect(codeOf(await down('9'))).toBe('404 version_not_found')
    const kept = (await send('GET', '/datasets/taken/versions')).body
    expect(kept.map((one: { version: number }) => one.version)).toEqual([3, 2, 1])
    const { status, body } = await down('2')
    expect([status, body]).toEqual([200, { dropped: [2], kept_with_column: [], backups: [] }])
    expect((await events())[0]).toBe('account 1 - versions_dropped taken version 2')
    expect(codeOf(await down('2'))).toBe('404 version_not_found')
    expect(codeOf(await send('POST', '/datasets/taken/versions/1/serve'))).toBe(200)
  })
})

describe('texts', () => {
  test('change without a new version, cursor or digest, and each change is logged', async () => {
    await publish('texts', towns(5))
    const walk = await accounts.app.get('/v1/economy/texts?limit=2&cursor=')
    expect(walk.status).toBe(422)
    const first = await accounts.app.get('/v1/economy/texts?limit=2')
    const before = await send('GET', '/datasets/texts')
    const change = {
      ...{ title: ' Orașe ', description: 'Toate', publisher: 'INS', license: 'CC BY 4.0' },
      keywords: ['orașe', ' populație '],
      columns: [{ name: 'people', title: 'Locuitori', unit: 'persoane', description: 'La 1 ianuarie' }],
    }
    const { status, body } = await send('PATCH', '/datasets/texts', change)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ title: 'Orașe', description: 'Toate', publisher: 'INS', license: 'CC BY 4.0' },
      ...{ keywords: ['orașe', 'populație'], provenance: before.body.provenance },
    })
    expect(body.columns[1]).toMatchObject({
      title: 'Locuitori',
      unit: 'persoane',
      description: 'La 1 ianuarie',
    })
    expect((await send('GET', '/datasets/texts')).body).toEqual(body)
    const again = await accounts.app.get('/v1/economy/texts?limit=2')
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    const kept = await send('GET', '/datasets/texts/versions')
    expect(kept.body).toMatchObject([{ version: 1, served: true, rows: 5 }])

    const cleared = await send('PATCH', '/datasets/texts', {
      description: ' ',
      columns: [{ name: 'people', unit: null }],
    })
    expect(cleared.body).toMatchObject({ description: null, title: 'Orașe' })
    expect(cleared.body.columns[1]).toMatchObject({ title: 'Locuitori', unit: null })
    expect((await events())[0]).toBe('account 1 - dataset_changed texts: description, columns')
    const noted = (await events()).length
    expect((await send('PATCH', '/datasets/texts', {})).status).toBe(200)
    expect(await events()).toHaveLength(noted)
  })

  test('with mistakes are refused with all of them, and nothing changes', async () => {
    await publish('wrong', towns(1))
    const refused = await send('PATCH', '/datasets/wrong', {
      ...{ title: '', keywords: 'a,b', open: 'yes', colour: 1, publisher: 7 },
    })
    expect(codeOf(refused)).toBe('422 invalid_body')
    const places = refused.body.error.detail.map((one: { location: string }) => one.location)
    expect(places.sort()).toEqual([
      'body.colour',
      'body.keywords',
      'body.open',
      'body.publisher',
      'body.title',
    ])
    const unknown = await send('PATCH', '/datasets/wrong', { columns: [{ name: 'peopl', unit: 'x' }] })
    expect(unknown.body.error.detail).toEqual([
      {
        ...{ location: 'body.columns.peopl', suggestions: ['people'] },
        message: 'wrong has no column peopl. Did you mean people?',
      },
    ])
    for (const columns of [
      [{ unit: 'x' }],
      [{ name: 'people', type: 'string' }],
      [{ name: 'people' }, { name: 'people' }],
      { people: { unit: 'x' } },
    ])
      expect(codeOf(await send('PATCH', '/datasets/wrong', { columns }))).toBe('422 invalid_body')
    expect((await send('GET', '/datasets/wrong')).body.title).toBe('About wrong')
  })

  test('close and open the pages of the dataset', async () => {
    await publish('pages', towns(2))
    const rows = () => accounts.app.get('/datasets/pages/rows', { key: null })
    expect((await send('PATCH', '/datasets/pages', { open: false })).body.open).toBe(false)
    expect(codeOf(await rows())).toBe('401 api_key_missing')
    expect((await events())[0]).toBe('account 1 - dataset_changed pages: closed')
    expect((await withKey('PATCH', '/datasets/pages', { open: true })).body.open).toBe(true)
    expect((await rows()).status).toBe(200)
    expect((await events())[0]).toBe('operator - 2 dataset_changed pages: opened')
  })
})

describe('versions', () => {
  test('any kept version can be served, newer or older, and compared with any other', async () => {
    for (const rows of [2, 3, 4]) await publish('kept', towns(rows))
    const served = async () => (await accounts.app.get('/v1/economy/kept')).body.pagination.total
    const back = await send('POST', '/datasets/kept/versions/1/serve')
    expect([back.status, back.body.provenance.ingestion_version, await served()]).toEqual([200, 1, 2])
    expect((await events())[0]).toBe('account 1 - dataset_served kept version 1')
    expect((await send('POST', '/datasets/kept/versions/3/serve')).status).toBe(200)
    expect(await served()).toBe(4)
    const noted = (await events()).length
    expect((await send('POST', '/datasets/kept/versions/3/serve')).status).toBe(200)
    expect(await events()).toHaveLength(noted)
    const listed = await send('GET', '/datasets/kept/versions')
    expect(listed.body.map((one: { version: number; served: boolean }) => [one.version, one.served])).toEqual(
      [
        ...[
          [3, true],
          [2, false],
          [1, false],
        ],
      ],
    )
    expect(JSON.stringify(listed.body)).not.toContain(accounts.app.app.dataDir.root)

    const diff = await send('GET', '/datasets/kept/versions/3/diff?with=1')
    expect(diff.body).toMatchObject({
      ...{ dataset: 'kept', from: { version: 1, rows: 2 }, to: { version: 3, rows: 4 } },
      overlap: { sampled: 1, rows: { kept: 2, gone: 0, new: 2 } },
    })
    const before = await send('GET', '/datasets/kept/versions/3/diff')
    expect(before.body.from.version).toBe(2)
  })

  test('that are no longer kept are 404 version_not_found, which lists those that are', async () => {
    await publish('few', towns(1))
    for (const path of ['9/serve', '0/serve', 'x/serve'])
      expect(codeOf(await send('POST', `/datasets/few/versions/${path}`))).toBe('404 version_not_found')
    for (const path of [
      'versions/9/diff',
      'versions/1/diff?with=9',
      'versions/1/diff',
      'quarantine?version=2',
    ])
      expect([path, codeOf(await send('GET', `/datasets/few/${path}`))]).toEqual([
        path,
        '404 version_not_found',
      ])
    const { body } = await send('POST', '/datasets/few/versions/9/serve')
    expect(body.error.message).toBe('Version 9 of few is not kept; those that are: 1.')
  })

  // A node would fetch the file again.
  test.skipIf(testsNodes)('a damaged version is not served, and the current one stays', async () => {
    for (const rows of [2, 3]) await publish('hurt', towns(rows))
    const { dataDir } = accounts.app.app
    writeFileSync(dataDir.versionFile('hurt', 1), 'no database')
    expect(codeOf(await send('POST', '/datasets/hurt/versions/1/serve'))).toBe('503 service_unavailable')
    expect((await send('GET', '/datasets/hurt')).body.provenance.ingestion_version).toBe(2)
    expect(codeOf(await send('GET', '/datasets/hurt/quarantine?version=1'))).toBe('503 service_unavailable')
  })

  test('are compared two at a time; more comparisons are told to retry later', async () => {
    for (const rows of [2, 3]) await publish('busy', towns(rows))
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => send('GET', '/datasets/busy/versions/2/diff')),
    )
    expect(answers.map(codeOf).sort()).toEqual([
      200,
      200,
      '503 service_unavailable',
      '503 service_unavailable',
    ])
    expect((await send('GET', '/datasets/busy/versions/2/diff')).status).toBe(200)
  })
})

describe('records beside the rows', () => {
  const RAGGED = `name,count,note\n${Array.from({ length: 60 }, (_, i) => `n${i},${i},x`).join('\n')}\nn60,60,x,\nn61,1,2,3,4,5\n`

  test('are paged and downloaded: quarantined ones with their reason, mended ones with what was done', async () => {
    await publish('ragged', RAGGED)
    const { body } = await send('GET', '/datasets/ragged/quarantine')
    expect(body).toEqual({
      data: [{ line: 63, column: null, reason: 'too_many_cells', raw: 'n61,1,2,3,4,5' }],
      pagination: { total: 1, count: 1, limit: 100, offset: 0, has_next: false, next_offset: null },
    })
    const mended = await send('GET', '/datasets/ragged/repaired?version=1&limit=5')
    expect(mended.body.data).toEqual([{ line: 62, kind: 'surplus_blanks', raw: 'n60,60,x,' }])
    const file = await send('GET', '/datasets/ragged/quarantine?format=csv')
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="ragged-quarantine.csv"')
    expect(file.text).toBe('line,column,reason,raw\r\n63,,too_many_cells,"n61,1,2,3,4,5"\r\n')
    expect((await send('GET', '/datasets/ragged/quarantine?offset=1')).body).toMatchObject({
      ...{ data: [], pagination: { total: 1, has_next: false } },
    })
    expect(codeOf(await send('GET', '/datasets/ragged/quarantine?limit=1001'))).toBe('422 invalid_limit')
    expect((await send('HEAD', '/datasets/ragged/quarantine?format=csv')).text).toBe('')
  })
})

describe('a schedule', () => {
  const url = 'https://example.org/prices.csv'

  test('can be set, changed and ended, and says when the next run is', async () => {
    await publish('timed', towns(2))
    const set = await send('PUT', '/datasets/timed/schedule', { source_url: url, refresh: '0 6 * * 1' })
    const { next_run_at } = set.body.refresh
    expect(set.status).toBe(200)
    expect(set.body.refresh).toMatchObject({
      ...{ address: url, schedule: '0 6 * * 1', error: null, failures: 0 },
      next_run_at: expect.stringMatching(/^2025-03-10T06:0\d/),
    })
    expect((await events())[0]).toBe('account 1 - dataset_scheduled timed: 0 6 * * 1')
    const listed = (await send('GET', '/datasets?limit=200')).body.data
    expect(listed.find((entry: { id: string }) => entry.id === 'timed').next_refresh_at).toBe(next_run_at)
    const changed = await send('PUT', '/datasets/timed/schedule', { source_url: url, refresh: '@daily' })
    expect(changed.body.refresh.schedule).toBe('@daily')
    expect((await send('DELETE', '/datasets/timed/schedule')).status).toBe(204)
    expect((await send('DELETE', '/datasets/timed/schedule')).status).toBe(204)
    expect((await send('GET', '/datasets/timed')).body.refresh).toMatchObject({
      ...{ address: url, schedule: null, next_run_at: null },
    })
    expect((await events())[0]).toBe('account 1 - dataset_scheduled timed: no more')
  })

  test('stays when later files are published, until an ingest sets another', async () => {
    await publish('stays', towns(2))
    const schedule = { source_url: url, refresh: '0 6 * * 1' }
    await send('PUT', '/datasets/stays/schedule', schedule)
    await publish('stays', towns(3))
    const now = async () => (await send('GET', '/datasets/stays')).body.refresh
    expect(await now()).toMatchObject({ address: url, schedule: '0 6 * * 1', failures: 0 })
    await publish('stays', towns(4), 'economy', {
      source_url: 'https://example.org/b.csv',
      refresh: '0 7 * * *',
    })
    expect(await now()).toMatchObject({ address: 'https://example.org/b.csv', schedule: '0 7 * * *' })
    await send('DELETE', '/datasets/stays/schedule')
    // The same definition again changes nothing.
    await publish('stays', towns(5), 'economy', {
      source_url: 'https://example.org/b.csv',
      refresh: '0 7 * * *',
    })
    expect(await now()).toMatchObject({ address: 'https://example.org/b.csv', schedule: null })
  })

  test('is refused with a wrong pattern, an invalid address, a secret in it, or a private network', async () => {
    await publish('guarded', towns(2))
    for (const [source_url, refresh, place] of [
      [url, '61 * * * *', 'body.refresh'],
      [url, 'tomorrow', 'body.refresh'],
      ['ftp://example.org/a', '@daily', 'body.source_url'],
      ['/etc/passwd', '@daily', 'body.source_url'],
      ['https://ana:secret@example.org/a.csv', '@daily', 'body.source_url'],
      ['https://example.org/a.csv?token=secret', '@daily', 'body.source_url'],
      ['http://127.0.0.1:8080/a.csv', '@daily', 'body.source_url'],
      ['http://169.254.169.254/latest', '@daily', 'body.source_url'],
      ['ckan:http://10.0.0.1/package', '@daily', 'body.source_url'],
    ]) {
      const { status, body, text } = await send('PUT', '/datasets/guarded/schedule', { source_url, refresh })
      expect([source_url, status, body.error.detail[0].location]).toEqual([source_url, 422, place])
      expect(text).not.toContain('secret@')
    }
    expect((await send('GET', '/datasets/guarded')).body.refresh).toBeNull()
  })
})

describe('use', () => {
  test('is listed by day, dataset, key label and format, includes the open pages, and has no client addresses', async () => {
    const site = await startAccountApp()
    try {
      const { app } = site.app
      const mintLabelled = async (label: string, scopes: string[]) =>
        await mintKey(app.accounts, OPERATOR, { label, plan: 'unlimited', scopes }, site.now())
      await site.app.ingestCsv(towns(5), { id: 'asked', domain: 'economy' })
      await site.app.ingestCsv(towns(3), { id: 'other', domain: 'health' })
      const [portal, desk] = [
        await mintLabelled('portal', ['read']),
        await mintLabelled('desk', ['publish:economy']),
      ]
      const plain = { 'accept-encoding': 'identity' }
      const read = (path: string, secret: string | null) =>
        site.app.get(path, { key: secret, headers: plain })
      await read('/v1/economy/asked?limit=2', portal.secret)
      await read('/v1/economy/asked?limit=2', portal.secret)
      const file = await read('/v1/economy/asked/export?format=csv', portal.secret)
      await read('/v1/health/other', portal.secret)
      await read('/datasets/asked/rows?limit=3', null)
      const download = await read('/datasets/asked/download?format=ndjson', null)
      // Answers without data do not count as use: a refusal, a 304, HEAD, the descriptor.
      await read('/v1/economy/asked?nothing=1', portal.secret)
      const { headers } = await read('/v1/economy/asked', portal.secret)
      await site.app.get('/v1/economy/asked', {
        key: portal.secret,
        headers: { 'if-none-match': headers.get('etag')! },
      })
      await site.app.get('/v1/economy/asked', { key: portal.secret, method: 'HEAD' })
      await read('/v1/datasets/asked', portal.secret)
      const use = async (query = '', secret = desk.secret) => await read(`/publish/api/usage${query}`, secret)

      const { status, body, text } = await use()
      const day = site.stamp().slice(0, 10)
      expect(status).toBe(200)
      const csv = { rows: 5, bytes: Buffer.byteLength(file.text) }
      const ndjson = { rows: 5, bytes: Buffer.byteLength(download.text) }
      const byKey = { day, dataset: 'asked', via: 'key', key_id: portal.key_id, label: 'portal' }
      const byPages = { day, dataset: 'asked', via: 'pages', key_id: null, label: null }
      expect(body.data).toEqual([
        { ...byKey, format: 'json', calls: 3, rows: 9, bytes: expect.any(Number) },
        { ...byPages, format: 'json', calls: 1, rows: 3, bytes: expect.any(Number) },
        { ...byPages, format: 'ndjson', calls: 1, ...ndjson },
        { ...byKey, format: 'csv', calls: 1, ...csv },
      ])
      expect(body).toMatchObject({ days: 30, from: '2025-02-03', to: day, total: { calls: 6, rows: 22 } })
      expect(text).not.toMatch(/127\.0\.0\.1|198\.51/)
      expect((await use('?by=dataset')).body.data).toMatchObject([{ dataset: 'asked', calls: 6 }])
      expect((await use('?by=day,format&limit=1')).body).toMatchObject({
        ...{ data: [{ day, format: 'json', calls: 4 }], pagination: { total: 3, next_offset: 1 } },
      })
      expect(codeOf(await use('?dataset=other'))).toBe('403 scope_missing')
      expect(codeOf(await use('?by=person'))).toBe('422 invalid_value')
      expect(codeOf(await use('?days=367'))).toBe('422 invalid_value')
      expect(codeOf(await use('', portal.secret))).toBe('403 scope_missing')
      const everywhere = await mintLabelled('all', ['publish'])
      expect((await use('?by=dataset', everywhere.secret)).body.data).toMatchObject([
        ...[
          { dataset: 'asked', calls: 6 },
          { dataset: 'other', calls: 1 },
        ],
      ])

      // A deleted key loses its label; its calls remain.
      await app.usage.forget(portal.key_id)
      expect((await use('?by=key')).body.data).toEqual([
        { via: 'deleted_key', key_id: null, label: null, calls: 4, rows: 14, bytes: expect.any(Number) },
        { via: 'pages', key_id: null, label: null, calls: 2, rows: 8, bytes: expect.any(Number) },
      ])
      expect((await use('?days=1&by=day')).body).toMatchObject({ from: day, total: { calls: 6 } })
      site.pass(86_400)
      expect((await use('?days=1&by=day')).body).toMatchObject({
        data: [],
        total: { calls: 0, rows: 0, bytes: 0 },
      })
    } finally {
      await site.stop()
    }
  })
})

test('a schedule set on the desk fetches the file and publishes changes', async () => {
  const site = await startAccountApp({ publish_private_addresses: 'true' })
  const source = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(towns(7)) })
  try {
    const { app } = site.app
    const request = { label: 'job', plan: 'free', scopes: ['publish'] }
    const { secret } = await mintKey(app.accounts, OPERATOR, request, site.now())
    await site.app.ingestCsv(towns(2), { id: 'fetched', domain: 'economy' })
    const body = { source_url: `${source.url.origin}/towns.csv`, refresh: '0 6 * * *' }
    const set = await site.app.get('/publish/api/datasets/fetched/schedule', {
      ...{ method: 'PUT', key: secret, headers: { 'content-type': 'application/json' } },
      body: JSON.stringify(body),
    })
    expect(set.status).toBe(200)
    expect(await app.catalog.sources.due(site.now())).toEqual([])
    site.pass(86_400)
    expect(await app.catalog.sources.due(site.now())).toEqual(['fetched'])
    const found = app.catalog.sources.find('fetched')!
    const settings = { ...app.config, publish_private_addresses: false }
    const refused = await refreshDataset(app, found, { force: false, settings })
    expect(refused).toMatchObject({ outcome: 'failed', error: expect.stringContaining('private network') })
    const done = await refreshDataset(app, found, { force: false, settings: app.config })
    expect(done).toMatchObject({ outcome: 'updated', version: 2, rows: 7 })
    expect(app.catalog.sources.find('fetched')).toMatchObject({
      ...{ address: body.source_url, schedule: '0 6 * * *', byPublisher: true, failures: 0 },
    })
  } finally {
    source.stop(true)
    await site.stop()
  }
})

test('a removed dataset is gone with its files, and its removal is logged', async () => {
  await publish('gone', towns(2))
  const { dataDir } = accounts.app.app
  expect((await send('DELETE', '/datasets/gone')).status).toBe(204)
  expect(codeOf(await send('GET', '/datasets/gone'))).toBe('404 dataset_not_found')
  expect(codeOf(await accounts.app.get('/v1/economy/gone'))).toBe('404 dataset_not_found')
  expect(existsSync(dataDir.versionFile('gone', 1))).toBe(false)
  expect((await events())[0]).toBe('account 1 - dataset_removed economy/gone')
})
