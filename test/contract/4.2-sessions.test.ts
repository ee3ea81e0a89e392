import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AccountApp, Browser, startAccountApp } from '../support/browser.ts'
import { OTHER_PASSWORD, PASSWORD } from '../support/passwords.ts'

let accounts: AccountApp
beforeAll(async () => {
  accounts = await startAccountApp()
})
afterAll(() => accounts.stop())

const DAY = 86_400
let patched = 0

describe('4.2 GET and PATCH /account/api/me', () => {
  test('a session lasts 30 days from its last use, and its cookie moves on with it', async () => {
    const browser = await accounts.signUp('sliding@example.org')
    accounts.pass(59)
    expect((await browser.get('/me')).headers.getSetCookie()).toEqual([])
    accounts.pass(29 * DAY)
    const cookie = browser.cookie
    const renewed = await browser.get('/me')
    expect(renewed.headers.getSetCookie()).toEqual([
      `${cookie}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`,
    ])
    expect(renewed.body.expires_at).toBe(
      `${new Date(accounts.now().getTime() + 30 * DAY * 1000).toISOString().slice(0, 19)}Z`,
    )
    accounts.pass(29 * DAY)
    expect((await browser.get('/keys')).status).toBe(200)
    accounts.pass(30 * DAY)
    expect((await browser.get('/me')).body.error.code).toBe('unauthenticated')
  })

  test('a session ends 90 days after the sign-in, however often it is used', async () => {
    const browser = await accounts.signUp('absolute@example.org')
    for (let days = 10; days <= 80; days += 10) {
      accounts.pass(10 * DAY)
      expect((await browser.get('/me')).status).toBe(200)
    }
    accounts.pass(10 * DAY - 1)
    const last = await browser.get('/me')
    expect(last.body.expires_at).toBe(
      `${new Date(accounts.now().getTime() + 1000).toISOString().slice(0, 19)}Z`,
    )
    accounts.pass(1)
    expect((await browser.get('/me')).body.error.code).toBe('unauthenticated')
  })

  test.each([
    ['no cookie', undefined],
    ['an empty one', 'izvor_session='],
    ['a made-up token', `izvor_session=${'x'.repeat(43)}`],
    ['another shape', 'izvor_session=%27%20OR%201=1'],
    ['the name the https service uses', `__Host-izvor_session=${'x'.repeat(43)}`],
  ])('%s is 401 unauthenticated', async (_, cookie) => {
    const browser = new Browser(accounts.app)
    browser.cookie = cookie
    const { status, body } = await browser.get('/me')
    expect([status, body.error.code]).toEqual([401, 'unauthenticated'])
  })

  test('the cookie is found among others', async () => {
    const browser = await accounts.signUp('others@example.org')
    const cookie = `a=b; xizvor_session=1; ${browser.cookie}; z="q;r"`
    expect((await browser.get('/me', { headers: { cookie } })).status).toBe(200)
  })

  test('PATCH changes the given fields, clears them with null, and returns the user', async () => {
    const browser = await accounts.signUp('profile@example.org')
    const first = await browser.patch('/me', { full_name: ' Ion ', organization: 'INS', language: 'ro' })
    expect([first.status, first.body]).toEqual([
      200,
      {
        ...{ id: expect.any(Number), email: 'profile@example.org', email_verified: false, full_name: 'Ion' },
        ...{ role: 'reader', publisher_domains: [], second_factor: false },
        ...{ organization: 'INS', language: 'ro', plan: 'free', created_at: expect.any(String) },
      },
    ])
    const second = await browser.patch('/me', { organization: null })
    expect(second.body).toEqual({ ...first.body, organization: null })
    expect((await browser.patch('/me', {})).body).toEqual(second.body)
    expect((await browser.get('/me')).body.user).toEqual(second.body)
  })

  test.each([
    [{ email: 'new@example.org' }],
    [{ password: OTHER_PASSWORD }],
    [{ plan: 'unlimited' }],
    [{ id: 1 }],
    [{ language: null }],
    [{ full_name: ['x'] }],
    [[]],
    [null],
    ['"text"'],
  ])('PATCH with %j is 422 invalid_body and changes nothing', async (body) => {
    const browser = await accounts.signUp(`patch${++patched}@example.org`)
    const before = (await browser.get('/me')).body
    const answer = await browser.patch('/me', body)
    expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_body'])
    expect((await browser.get('/me')).body).toEqual(before)
  })
})

describe('4.2 /account/api/sessions', () => {
  test('lists the open sessions, newest first, with browser and address, but no token', async () => {
    const first = await accounts.signUp('list@example.org')
    accounts.pass(5)
    const second = await accounts.signIn('list@example.org')
    const { status, body, text } = await first.get('/sessions')
    expect(status).toBe(200)
    const record = {
      ...{ session_id: expect.stringMatching(/^[0-9A-Za-z]{22}$/), created_at: expect.any(String) },
      last_seen_at: expect.any(String),
    }
    expect(body).toEqual([
      { ...record, current: false, ip: second.ip, user_agent: `Browser at ${second.ip}` },
      { ...record, current: true, ip: first.ip, user_agent: `Browser at ${first.ip}` },
    ])
    for (const { cookie, csrf } of [first, second]) {
      expect(text).not.toContain(cookie!.split('=')[1]!)
      expect(text).not.toContain(csrf!)
    }
  })

  test('DELETE signs out another browser; with its own id it is a logout', async () => {
    const here = await accounts.signUp('revoke@example.org')
    const there = await accounts.signIn('revoke@example.org')
    const [own, other] = (await here.get('/sessions')).body.toSorted(
      (a: { current: boolean }, b: { current: boolean }) => Number(b.current) - Number(a.current),
    )
    const revoked = await here.delete(`/sessions/${other.session_id}`)
    expect([revoked.status, revoked.text, revoked.headers.getSetCookie()]).toEqual([204, '', []])
    expect((await there.get('/me')).status).toBe(401)
    const again = await here.delete(`/sessions/${other.session_id}`)
    expect([again.status, again.body.error.code]).toEqual([404, 'session_not_found'])

    const self = await here.delete(`/sessions/${own.session_id}`)
    expect([self.status, self.headers.getSetCookie()[0]]).toEqual([204, expect.stringContaining('Max-Age=0')])
    expect((await here.get('/me')).status).toBe(401)
  })

  test("another account's session is 404 and stays open", async () => {
    const ana = await accounts.signUp('ana-sessions@example.org')
    const ion = await accounts.signUp('ion-sessions@example.org')
    const [session] = (await ana.get('/sessions')).body
    for (const id of [session.session_id, 'nothing', '%27']) {
      const { status, body } = await ion.delete(`/sessions/${encodeURIComponent(id)}`)
      expect([id, status, body.error.code]).toEqual([id, 404, 'session_not_found'])
    }
    expect((await ana.get('/me')).status).toBe(200)
    expect((await ion.get('/sessions')).text).not.toContain(session.session_id)
  })

  test('revoke-others ends all other sessions of the account, and none of other accounts', async () => {
    const here = await accounts.signUp('many@example.org')
    const others = [await accounts.signIn('many@example.org'), await accounts.signIn('many@example.org')]
    const stranger = await accounts.signUp('stranger@example.org')
    const { status, body } = await here.post('/sessions/revoke-others')
    expect([status, body]).toEqual([200, { status: 'ok', message: expect.stringContaining('2') }])
    for (const other of others) expect((await other.get('/me')).status).toBe(401)
    for (const kept of [here, stranger]) expect((await kept.get('/me')).status).toBe(200)
  })
})

describe('4.2 GET /account/api/security/logins', () => {
  test('attempts are listed newest first, with reasons, and no other account sees them', async () => {
    const ana = await accounts.signUp('history@example.org')
    const ion = await accounts.signUp('elsewhere@example.org')
    const stranger = new Browser(accounts.app)
    await stranger.post('/login', { email: 'history@example.org', password: OTHER_PASSWORD })
    accounts.pass(1)
    const second = await accounts.signIn('history@example.org')
    const { status, body, text } = await ana.get('/security/logins')
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        ...{ attempted_at: expect.any(String), success: true, reason: null },
        ...{ ip: second.ip, user_agent: `Browser at ${second.ip}` },
      },
      {
        ...{ attempted_at: expect.any(String), success: false, reason: 'wrong_password' },
        ...{ ip: stranger.ip, user_agent: `Browser at ${stranger.ip}` },
      },
    ])
    expect(text).not.toContain(OTHER_PASSWORD)
    expect((await ion.get('/security/logins')).body).toEqual([])
  })

  test('limit is 1 to 100, 25 by default', async () => {
    const browser = await accounts.signUp('limits@example.org')
    for (let number = 0; number < 27; number++) {
      accounts.pass(7)
      await browser.post('/login', { email: 'limits@example.org', password: PASSWORD })
    }
    expect((await browser.get('/security/logins')).body.length).toBe(25)
    expect((await browser.get('/security/logins?limit=100')).body.length).toBe(27)
    expect((await browser.get('/security/logins?limit=1')).body.length).toBe(1)
    for (const limit of ['0', '101', '-1', '1.5', 'x', '', '1e1', ' 5']) {
      const { status, body } = await browser.get(`/security/logins?limit=${encodeURIComponent(limit)}`)
      expect([limit, status, body.error.code]).toEqual([limit, 422, 'invalid_limit'])
    }
    const twice = await browser.get('/security/logins?limit=5&limit=5')
    expect([twice.status, twice.body.error.code]).toEqual([422, 'duplicate_parameter'])
  })
})
