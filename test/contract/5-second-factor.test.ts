import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { listEvents } from '../../src/accounts/audit/audit.ts'
import { setAccountRole } from '../../src/accounts/people/operator.ts'
import { appCode } from '../support/authenticator.ts'
import { type AccountApp, Browser, startAccountApp } from '../support/browser.ts'
import { PASSWORD } from '../support/passwords.ts'

let accounts: AccountApp
beforeAll(async () => {
  accounts = await startAccountApp()
})
afterAll(() => accounts.stop())

const STEP = 30
const HOUR = 3600

interface Enrolled {
  readonly browser: Browser
  readonly secret: string
  readonly recovery: readonly string[]
}

/** The current code of the app, one time step later, so that no test gets a code that another one used. */
function nextCode(secret: string): string {
  accounts.pass(STEP)
  return appCode(secret, accounts.now())
}

async function enrol(email: string): Promise<Enrolled> {
  const browser = await accounts.signUp(email)
  const { secret } = (await browser.post('/second-factor', { password: PASSWORD })).body
  const { status, body } = await browser.post('/second-factor/confirm', { code: nextCode(secret) })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { browser, secret, recovery: body.recovery_codes }
}

const login = (email: string, code?: string, browser = new Browser(accounts.app)) =>
  browser.post('/login', { email, password: PASSWORD, ...(code !== undefined && { code }) })

const said = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body?.error?.code,
]

describe('5 /account/api/second-factor', () => {
  test('starts with the password, and shows the secret as text and as the address of a QR code', async () => {
    const browser = await accounts.signUp('begin@example.org')
    expect(said(await browser.post('/second-factor', { password: 'wrong' }))).toEqual([
      422,
      'invalid_credentials',
    ])
    const { status, body } = await browser.post('/second-factor', { password: PASSWORD })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['secret', 'uri'])
    const uri = new URL(body.uri)
    expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp'])
    expect(decodeURIComponent(uri.pathname)).toBe(`/${new URL(accounts.app.url).host}:begin@example.org`)
    expect(uri.searchParams.get('secret')).toBe(body.secret)
    expect((await browser.get('/me')).body.user.second_factor).toBe(false)
    expect((await login('begin@example.org')).status).toBe(200)
  })

  test('is on after a first code of the app, which returns ten recovery codes and ends other sessions', async () => {
    const other = await accounts.signUp('on@example.org')
    const browser = await accounts.signIn('on@example.org')
    const { secret } = (await browser.post('/second-factor', { password: PASSWORD })).body
    const wrong = await browser.post('/second-factor/confirm', { code: '000000' })
    expect(said(wrong)).toEqual([422, 'invalid_credentials'])
    expect(wrong.body.error.detail[0].location).toBe('body.code')
    const { status, body } = await browser.post('/second-factor/confirm', { code: nextCode(secret) })
    expect(status).toBe(200)
    expect(new Set(body.recovery_codes).size).toBe(10)
    for (const code of body.recovery_codes) expect(code).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){5}$/)
    expect((await browser.get('/me')).body.user.second_factor).toBe(true)
    expect((await other.get('/me')).status).toBe(401)
    expect(said(await browser.post('/second-factor', { password: PASSWORD }))).toEqual([
      403,
      'second_factor_required',
    ])
  })

  test('cannot be confirmed before it is started', async () => {
    const browser = await accounts.signUp('unbegun@example.org')
    const answer = await browser.post('/second-factor/confirm', { code: '123456' })
    expect(said(answer)).toEqual([422, 'invalid_credentials'])
  })

  test('signing in then needs a code: without one the right password, and only that, is 401 second_factor_required', async () => {
    const { secret } = await enrol('step@example.org')
    const without = await login('step@example.org')
    expect(said(without)).toEqual([401, 'second_factor_required'])
    expect(without.headers.getSetCookie()).toEqual([])
    const guessed = await new Browser(accounts.app).post('/login', {
      ...{ email: 'step@example.org', password: 'not the password', code: nextCode(secret) },
    })
    expect(said(guessed)).toEqual([401, 'invalid_credentials'])
    expect(said(await login('step@example.org', '12345x'))).toEqual([401, 'invalid_credentials'])
    expect((await login('step@example.org', nextCode(secret))).status).toBe(200)
  })

  test('a code works once, even if two sign-ins send it at the same time, and no earlier one works after it', async () => {
    const { secret } = await enrol('replay@example.org')
    const code = nextCode(secret)
    const both = await Promise.all([login('replay@example.org', code), login('replay@example.org', code)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(said(await login('replay@example.org', code))).toEqual([401, 'invalid_credentials'])
    const earlier = appCode(secret, new Date(accounts.now().getTime() - STEP * 1000))
    expect(said(await login('replay@example.org', earlier))).toEqual([401, 'invalid_credentials'])
  })

  test('codes of the steps before and after are accepted, others are not', async () => {
    const { secret } = await enrol('steps@example.org')
    const at = (steps: number) => appCode(secret, new Date(accounts.now().getTime() + steps * STEP * 1000))
    accounts.pass(10 * STEP)
    for (const [steps, status] of [
      [-2, 401],
      [2, 401],
      [-1, 200],
      [1, 200],
    ] as const)
      expect([steps, (await login('steps@example.org', at(steps))).status]).toEqual([steps, status])
  })

  test('a recovery code works once, in any case and without hyphens, and a mail says so', async () => {
    const { recovery } = await enrol('recovery@example.org')
    const typed = ` ${recovery[3]!.replaceAll('-', '').toUpperCase()} `
    expect((await login('recovery@example.org', typed)).status).toBe(200)
    expect(said(await login('recovery@example.org', recovery[3]))).toEqual([401, 'invalid_credentials'])
    expect((await login('recovery@example.org', recovery[4])).status).toBe(200)
  })

  test('after ten wrong codes an hour none is checked from any network; known networks have a separate limit', async () => {
    const { browser, secret } = await enrol('guessed@example.org')
    const home = () => login('guessed@example.org', nextCode(secret), new Browser(accounts.app, browser.ip))
    expect((await home()).status).toBe(200)
    for (let n = 0; n < 10; n++)
      expect(said(await login('guessed@example.org', `00000${n}`))).toEqual([401, 'invalid_credentials'])
    const refused = await login('guessed@example.org', nextCode(secret))
    expect(said(refused)).toEqual([429, 'rate_limited'])
    expect((await home()).status).toBe(200)
    accounts.pass(HOUR)
    expect((await login('guessed@example.org', nextCode(secret))).status).toBe(200)
  })

  test('the history shows a right password with a missing or wrong code, and a sign-in in two steps once', async () => {
    const { browser, secret } = await enrol('history@example.org')
    const thief = new Browser(accounts.app)
    await login('history@example.org', undefined, thief)
    await login('history@example.org', '000000', thief)
    const owner = new Browser(accounts.app)
    await login('history@example.org', undefined, owner)
    await login('history@example.org', nextCode(secret), owner)
    const { body } = await browser.get('/security/logins')
    expect(body.map(({ reason, ip }: { reason: string; ip: string }) => [reason, ip])).toEqual([
      [null, owner.ip],
      ['wrong_code', thief.ip],
      ['code_missing', thief.ip],
    ])
  })

  test('is removed with the password and a code', async () => {
    const { browser, secret, recovery } = await enrol('off@example.org')
    const remove = (password: string, code: string) => browser.delete('/second-factor', { password, code })
    expect(said(await remove('wrong', nextCode(secret)))).toEqual([422, 'invalid_credentials'])
    expect(said(await remove(PASSWORD, '000000'))).toEqual([422, 'invalid_credentials'])
    expect(said(await browser.delete('/second-factor', { password: PASSWORD }))).toEqual([
      422,
      'invalid_body',
    ])
    expect((await browser.get('/me')).body.user.second_factor).toBe(true)
    expect((await remove(PASSWORD, recovery[0]!)).status).toBe(204)
    expect((await browser.get('/me')).body.user.second_factor).toBe(false)
    expect((await login('off@example.org')).status).toBe(200)
  })

  test('each change is in a mail and in the audit log', async () => {
    const { browser, secret, recovery } = await enrol('told@example.org')
    await login('told@example.org', recovery[0])
    await browser.delete('/second-factor', { password: PASSWORD, code: nextCode(secret) })
    const subjects = (await accounts.mailsTo('told@example.org')).map(({ subject }) => subject)
    for (const subject of [
      'Signing in now takes a code',
      'A recovery code was used',
      'Signing in no longer takes a code',
    ])
      expect(subjects).toContain(subject)
    const { id } = (await browser.get('/me')).body.user
    const events = await listEvents(accounts.app.app.accounts, 100)
    const own = events.filter(({ user_id }) => user_id === id).map(({ event }) => event)
    for (const event of ['second_factor_on', 'recovery_code_used', 'second_factor_off'])
      expect(own).toContain(event)
  })
})

describe('5 require_second_factor', () => {
  let strict: AccountApp
  beforeAll(async () => {
    strict = await startAccountApp({ require_second_factor: 'publishers' })
  })
  afterAll(() => strict.stop())

  test('a publisher without a second factor can only set one up; a reader is not asked', async () => {
    const reader = await strict.signUp('reader@example.org')
    expect((await reader.get('/keys')).status).toBe(200)

    const browser = await strict.signUp('publisher@example.org')
    const role = { role: 'publisher', publisher_domains: null } as const
    await setAccountRole(strict.app.app.accounts, 'publisher@example.org', role, strict.now())
    const mint = { label: 'job', scopes: ['publish'] }
    for (const answer of [await browser.get('/keys'), await browser.post('/keys', mint)])
      expect(said(answer)).toEqual([403, 'second_factor_required'])
    const cookie = { cookie: browser.cookie! }
    const desk = await strict.app.get('/publish/api/me', { key: null, headers: cookie })
    expect(said(desk)).toEqual([403, 'second_factor_required'])
    for (const path of ['/publish', '/account']) {
      const { status, headers } = await strict.app.fetch(path, { key: null, headers: cookie })
      expect([path, status, headers.get('location')]).toEqual([path, 302, '/account/security'])
    }
    for (const path of ['/me', '/sessions', '/security/logins'])
      expect((await browser.get(path)).status).toBe(200)

    const { secret } = (await browser.post('/second-factor', { password: PASSWORD })).body
    await browser.post('/second-factor/confirm', { code: appCode(secret, strict.now()) })
    expect((await browser.post('/keys', mint)).status).toBe(201)
    expect((await strict.app.get('/publish/api/me', { key: null, headers: cookie })).status).toBe(200)
  })
})
