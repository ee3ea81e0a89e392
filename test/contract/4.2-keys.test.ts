import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AccountApp, type Browser, startAccountApp } from '../support/browser.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

let accounts: AccountApp
beforeAll(async () => {
  accounts = await startAccountApp()
  await accounts.app.publish(TOWNS)
})
afterAll(() => accounts.stop())

let named = 0
const newcomer = () => accounts.signUp(`keys${++named}@example.org`)
const mint = async (browser: Browser, label = 'portal') => (await browser.post('/keys', { label })).body
const use = async (key: string) => {
  const { status, body } = await accounts.app.get(`${TOWNS_PATH}?limit=1`, { key })
  return body.error?.code ?? status
}

describe('4.2 POST /account/api/keys', () => {
  test('mints a key on the plan of the account: 201, with the secret, shown only once', async () => {
    const browser = await newcomer()
    const { status, body } = await browser.post('/keys', { label: ' Mobility portal ' })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...{ key_id: expect.any(Number), label: 'Mobility portal', state: 'active', plan: 'free' },
      ...{ hint: expect.any(String), created_at: accounts.stamp() },
      ...{ last_used_at: null, rotated_at: null, revoked_at: null },
      ...{ expires_at: null, scopes: ['read'], monthly_quota: null },
      secret: expect.stringMatching(/^rok_[0-9A-Za-z]{38}$/),
    })
    expect(await use(body.secret)).toBe(200)
    const list = await browser.get('/keys')
    const { secret, ...shown } = body
    expect([list.status, list.body]).toEqual([200, [{ ...shown, last_used_at: accounts.stamp() }]])
    expect(list.text).not.toContain(secret)
    expect(list.text).not.toContain('hash')
  })

  test('the sixth active key is 409 key_limit_reached; a revoked one makes room', async () => {
    const browser = await newcomer()
    const keys = []
    for (let number = 0; number < 5; number++) keys.push(await mint(browser))
    const refused = await browser.post('/keys', { label: 'sixth' })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'key_limit_reached'])
    expect((await browser.get('/keys')).body.length).toBe(5)
    await browser.post(`/keys/${keys[0].key_id}/revoke`)
    expect((await browser.post('/keys', { label: 'sixth' })).status).toBe(201)
    expect((await browser.post('/keys', { label: 'seventh' })).status).toBe(409)
  })

  test.each([[''], ['   '], ['x'.repeat(101)], [5], [null]])(
    'a label of %j is 422 invalid_body',
    async (label) => {
      const browser = await newcomer()
      const { status, body } = await browser.post('/keys', { label })
      expect([status, body.error.code, body.error.detail[0].location]).toEqual([
        422,
        'invalid_body',
        'body.label',
      ])
      expect((await browser.get('/keys')).body).toEqual([])
    },
  )

  test('any 100 characters are a valid label', async () => {
    const label = 'ș🗝'.repeat(50)
    expect((await mint(await newcomer(), label)).label).toBe(label)
  })
})

describe('4.2 PATCH /account/api/keys/{key_id}', () => {
  test('changes only the label, in every state', async () => {
    const browser = await newcomer()
    const { secret, ...key } = await mint(browser)
    const renamed = await browser.patch(`/keys/${key.key_id}`, { label: 'Staging' })
    expect([renamed.status, renamed.body]).toEqual([200, { ...key, label: 'Staging' }])
    expect(await use(secret)).toBe(200)
    await browser.post(`/keys/${key.key_id}/revoke`)
    const { body } = await browser.patch(`/keys/${key.key_id}`, { label: 'Old' })
    expect([body.label, body.state]).toEqual(['Old', 'revoked'])
    expect(await use(secret)).toBe('api_key_revoked')
  })
})

describe('4.2 rotation', () => {
  test('replaces the secret, which is shown once; the old one stops working with the answer', async () => {
    const browser = await newcomer()
    const key = await mint(browser)
    expect(await use(key.secret)).toBe(200)
    accounts.pass(60)
    const { status, body } = await browser.post(`/keys/${key.key_id}/rotate`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ key_id: key.key_id, label: key.label, created_at: key.created_at })
    expect(body.rotated_at).toBe(accounts.stamp())
    expect(body.secret).not.toBe(key.secret)
    expect(body.last_used_at).toBeString()
    expect(await use(key.secret)).toBe('api_key_invalid')
    expect(await use(body.secret)).toBe(200)
  })

  test('a revoked key is 409 key_not_active', async () => {
    const browser = await newcomer()
    const key = await mint(browser)
    await browser.post(`/keys/${key.key_id}/revoke`)
    const { status, body } = await browser.post(`/keys/${key.key_id}/rotate`)
    expect([status, body.error.code]).toEqual([409, 'key_not_active'])
  })

  test('rotate-all replaces every active secret of the account and nothing else', async () => {
    const browser = await newcomer()
    const [first, second, third] = [await mint(browser), await mint(browser), await mint(browser)]
    const other = await mint(await newcomer())
    await browser.post(`/keys/${second.key_id}/revoke`)
    const { status, body } = await browser.post('/keys/rotate-all')
    expect(status).toBe(200)
    expect(body.map((key: { key_id: number }) => key.key_id)).toEqual([first.key_id, third.key_id])
    for (const { secret } of [first, third]) expect(await use(secret)).toBe('api_key_invalid')
    for (const { secret } of body) expect(await use(secret)).toBe(200)
    expect(await use(second.secret)).toBe('api_key_revoked')
    expect(await use(other.secret)).toBe(200)
    expect((await (await newcomer()).post('/keys/rotate-all')).body).toEqual([])
  })

  test('routes without a body accept an empty object, and name an unknown field', async () => {
    const browser = await newcomer()
    expect((await browser.post('/keys/rotate-all', {})).status).toBe(200)
    const { status, body } = await browser.post('/keys/rotate-all', { confirm: true })
    expect([status, body.error.code]).toEqual([422, 'invalid_body'])
    expect(body.error.detail).toEqual([
      { location: 'body.confirm', message: 'confirm is not a field of this request.' },
    ])
  })
})

describe('4.2 revocation and deletion', () => {
  test('a revoked key is refused from the next request on; revoking is 204 each time, and the row stays', async () => {
    const browser = await newcomer()
    const { secret, key_id } = await mint(browser)
    expect(await use(secret)).toBe(200)
    for (const _ of [1, 2]) {
      const { status, text } = await browser.post(`/keys/${key_id}/revoke`)
      expect([status, text]).toEqual([204, ''])
      expect(await use(secret)).toBe('api_key_revoked')
    }
    expect((await browser.get('/keys')).body).toMatchObject([{ key_id, state: 'revoked' }])
    expect((await browser.get('/keys')).body[0].revoked_at).toBeString()
  })

  test('deleting an active key is 409 key_not_revoked; a revoked one goes with its usage, not the calls of the account', async () => {
    const browser = await newcomer()
    const { secret, key_id } = await mint(browser)
    const kept = await mint(browser)
    for (const _ of [1, 2, 3]) await use(secret)
    await use(kept.secret)
    const active = await browser.delete(`/keys/${key_id}`)
    expect([active.status, active.body.error.code]).toEqual([409, 'key_not_revoked'])
    await browser.post(`/keys/${key_id}/revoke`)
    const deleted = await browser.delete(`/keys/${key_id}`)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect(await use(secret)).toBe('api_key_invalid')
    expect((await browser.get('/keys')).body.map((key: { key_id: number }) => key.key_id)).toEqual([
      kept.key_id,
    ])
    const summary = (await browser.get('/usage/summary')).body
    expect(summary.keys).toMatchObject([{ key_id: kept.key_id, month: 1 }])
    expect(summary.total).toMatchObject({ month: 4, day: 4 })
    const daily = (await browser.get('/usage/daily?days=2')).body
    const requestsOf = (days: { requests: number }[]) => days.map(({ requests }) => requests)
    expect(requestsOf(daily.total)).toEqual([0, 4])
    expect(requestsOf(daily.keys[0].daily)).toEqual([0, 1])
    expect((await browser.get('/logs')).body.data.map((log: { key_id: number }) => log.key_id)).toEqual([
      kept.key_id,
    ])
    const again = await browser.delete(`/keys/${key_id}`)
    expect([again.status, again.body.error.code]).toEqual([404, 'key_not_found'])
  })
})

describe('11 the terms of a key', () => {
  const TERMS = {
    expires_at: '2025-12-31T00:00:00Z',
    scopes: ['read:geospatial', 'publish:economy'],
    monthly_quota: 100,
  }

  test('are shown wherever the key is, also after a rotation', async () => {
    const browser = await newcomer()
    const minted = await browser.post('/keys', { label: 'job', ...TERMS })
    expect([minted.status, minted.body]).toEqual([201, expect.objectContaining(TERMS)])
    const { key_id } = minted.body
    expect((await browser.get('/keys')).body).toMatchObject([TERMS])
    expect((await browser.get('/export')).body.keys).toMatchObject([TERMS])
    expect((await browser.post(`/keys/${key_id}/rotate`)).body).toMatchObject(TERMS)
    expect((await browser.post('/keys/rotate-all')).body).toMatchObject([TERMS])
  })

  test('change one by one; fields left out stay as they are, the label included', async () => {
    const browser = await newcomer()
    const { key_id, secret: _, ...key } = (await browser.post('/keys', { label: 'job', ...TERMS })).body
    let expected = { key_id, ...key }
    for (const change of [
      { scopes: ['read'] },
      { expires_at: '2026-01-01T00:00:00+02:00' },
      { monthly_quota: 7 },
      { label: 'nightly job' },
      { expires_at: null, monthly_quota: null },
    ]) {
      const { status, body } = await browser.patch(`/keys/${key_id}`, change)
      const utc = 'expires_at' in change && change.expires_at ? { expires_at: '2025-12-31T22:00:00Z' } : {}
      expected = { ...expected, ...change, ...utc }
      expect([status, body]).toEqual([200, expected])
    }
  })

  test('a scope for a dataset that does not exist is 422 and suggests the nearest, when minting and when changing', async () => {
    const browser = await newcomer()
    const { key_id } = await mint(browser)
    for (const [scope, meant] of [
      ['read:geospatail', 'read:geospatial'],
      ['publish:geospatail', 'publish:geospatial'],
      ['read:geospatial/town', 'read:geospatial/towns'],
    ] as const) {
      for (const { status, body } of [
        await browser.post('/keys', { label: 'job', scopes: ['read:geospatial', scope] }),
        await browser.patch(`/keys/${key_id}`, { scopes: [scope] }),
      ]) {
        expect([status, body.error.code]).toEqual([422, 'invalid_body'])
        expect(body.error.detail).toEqual([
          { location: 'body.scopes', message: expect.stringContaining(scope), suggestions: [meant] },
        ])
      }
    }
    expect((await browser.get('/keys')).body).toMatchObject([{ key_id, scopes: ['read'] }])
  })

  test.each([
    ['expires_at', '2025-03-04T05:06:07Z'],
    ['expires_at', '2020-01-01'],
    ['expires_at', 'tomorrow'],
    ['expires_at', 5],
    ['scopes', []],
    ['scopes', null],
    ['scopes', 'read'],
    ['scopes', ['read', 5]],
    ['scopes', ['write']],
    ['scopes', ['read:Economy']],
    ['scopes', ['publish:economy/trade']],
    ['monthly_quota', 0],
    ['monthly_quota', -5],
    ['monthly_quota', 1.5],
    ['monthly_quota', '100'],
    ['monthly_quota', 10_001],
  ])(
    '%s %j is 422 invalid_body, when minting and when changing, and changes nothing',
    async (name, value) => {
      const browser = await newcomer()
      const { key_id } = await mint(browser)
      const before = (await browser.get('/keys')).body
      for (const answer of [
        await browser.post('/keys', { label: 'job', [name]: value }),
        await browser.patch(`/keys/${key_id}`, { label: 'job', [name]: value }),
      ]) {
        const { status, body } = answer
        expect([status, body.error.code, body.error.detail[0].location]).toEqual([
          ...[422, 'invalid_body', `body.${name}`],
        ])
      }
      expect((await browser.get('/keys')).body).toEqual(before)
    },
  )

  test('a change without fields is 422 invalid_body', async () => {
    const browser = await newcomer()
    const { key_id } = await mint(browser)
    const { status, body } = await browser.patch(`/keys/${key_id}`, {})
    expect([status, body.error.code]).toEqual([422, 'invalid_body'])
  })

  test('an expired key is 401 api_key_expired, stays active, counts towards the limit, and can be renewed', async () => {
    const browser = await newcomer()
    const end = new Date(accounts.now().getTime() + 60_000).toISOString()
    const { secret, key_id } = (await browser.post('/keys', { label: 'job', expires_at: end })).body
    for (const _ of [1, 2, 3, 4]) await mint(browser)
    expect(await use(secret)).toBe(200)
    accounts.pass(60)
    const refused = await accounts.app.get(TOWNS_PATH, { key: secret })
    expect([refused.status, refused.body.error.code]).toEqual([401, 'api_key_expired'])
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect((await browser.get('/keys')).body[0]).toMatchObject({ key_id, state: 'active' })
    expect((await browser.post('/keys', { label: 'sixth' })).body.error.code).toBe('key_limit_reached')
    const rotated = (await browser.post(`/keys/${key_id}/rotate`)).body
    expect(await use(rotated.secret)).toBe('api_key_expired')
    const later = new Date(accounts.now().getTime() + 60_000).toISOString()
    expect((await browser.patch(`/keys/${key_id}`, { expires_at: later })).status).toBe(200)
    expect(await use(rotated.secret)).toBe(200)
    await browser.post(`/keys/${key_id}/revoke`)
    accounts.pass(60)
    expect(await use(rotated.secret)).toBe('api_key_revoked')
  })

  test('an expiry within ten days is announced by mail at once', async () => {
    const email = 'ana@example.org'
    const quiet = await startAccountApp()
    const browser = await quiet.signUp(email)
    const expires_at = new Date(quiet.now().getTime() + 10 * 86_400_000).toISOString()
    await browser.post('/keys', { label: 'nightly', expires_at })
    const subjects = (await quiet.mailsTo(email)).map(({ subject }) => subject)
    await quiet.stop()
    expect(subjects).toContain('An API key is about to expire')
  })
})

describe('ownership', () => {
  test("another account's key and the operator's are 404 for every method, and stay as they are", async () => {
    const ana = await newcomer()
    const ion = await newcomer()
    const key = await mint(ana)
    const operators = await accounts.app.mintKey()
    const before = (await ana.get('/keys')).body
    for (const id of [key.key_id, operators.key_id, 0, -1, 999_999, '9'.repeat(30)]) {
      for (const [method, tail, body] of [
        ['PATCH', '', { label: 'mine' }],
        ['DELETE', ''],
        ['POST', '/rotate'],
        ['POST', '/revoke'],
      ] as const) {
        const answer = await ion.send(method, `/keys/${id}${tail}`, { body })
        expect([id, method, answer.status, answer.body.error.code]).toEqual([
          id,
          method,
          404,
          'key_not_found',
        ])
        expect(answer.text).not.toContain(key.label)
      }
    }
    expect((await ion.get('/keys')).body).toEqual([])
    expect((await ana.get('/keys')).body).toEqual(before)
    expect(await use(key.secret)).toBe(200)
    expect(await use(operators.secret)).toBe(200)
  })
})
