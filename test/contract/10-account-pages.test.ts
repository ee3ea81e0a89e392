import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AccountApp, startAccountApp } from '../support/browser.ts'

let accounts: AccountApp
beforeAll(async () => {
  accounts = await startAccountApp()
})
afterAll(() => accounts.stop())

const HTML = { accept: 'text/html', 'accept-language': 'ro' }
const CONSOLE = ['/account', '/account/usage', '/account/logs', '/account/security', '/account/profile']
const ENTRIES = ['/login', '/signup', '/forgot', '/reset', '/verify'].map((name) => `/account${name}`)

async function open(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const init = { method, headers: { ...HTML, ...headers }, redirect: 'manual' } as const
  const answer = await fetch(accounts.app.url + path, init)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

describe('account pages', () => {
  test('redirect to the sign-in, and from there back to the requested page', async () => {
    for (const path of CONSOLE) {
      const { status, headers, text } = await open(path)
      expect([path, status, text]).toEqual([path, 302, ''])
      const next = path === '/account' ? '' : `?next=${encodeURIComponent(path)}`
      expect(decodeURIComponent(headers.get('location')!)).toBe(decodeURIComponent(`/account/login${next}`))
      expect(headers.getSetCookie()).toEqual([])
    }
    expect((await open('/account/login?next=%2Faccount%2Flogs')).text).toContain('"next":"/account/logs"')
  })

  test('never redirect to another site, for any value of next', async () => {
    for (const next of [
      'https://example.org',
      '//example.org',
      '/account/api/export',
      '/\\x',
      'javascript:1',
    ]) {
      const { text } = await open(`/account/login?next=${encodeURIComponent(next)}`)
      expect(text).toContain('"next":"/account"')
    }
  })

  test('are private, never cached, have a strict policy, and answer HEAD alike', async () => {
    const ana = await accounts.signUp('ana@example.org')
    const cookie = { cookie: ana.cookie! }
    for (const path of [...CONSOLE, ...ENTRIES]) {
      const given: Record<string, string> = CONSOLE.includes(path) ? cookie : {}
      const { status, headers, text } = await open(path, given)
      expect([path, status]).toEqual([path, 200])
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(text).toContain('<meta name="robots" content="noindex"/>')
      expect(text).not.toMatch(/\son\w+=|style=|csrf/)
      const head = await open(path, given, 'HEAD')
      expect([head.status, head.text]).toEqual([200, ''])
    }
  })

  test('use the language of the account, unless another is chosen', async () => {
    const eve = await accounts.signUp('eve@example.org')
    const cookie = { cookie: eve.cookie! }
    expect((await open('/account', cookie)).text).toContain('<html lang="en">')
    expect((await open('/account?lang=ro', cookie)).text).toContain('<html lang="ro">')
    expect((await open('/account/login?lang=en')).text).toContain('<html lang="en">')
  })

  test('renew the session that opens them, and notice when it has ended', async () => {
    const bob = await accounts.signUp('bob@example.org')
    accounts.pass(120)
    const { headers } = await open('/account', { cookie: bob.cookie! })
    expect(headers.getSetCookie()[0]).toContain('Max-Age=2592000')
    for (const path of ['/account/login?next=%2Faccount%2Fusage', '/account/signup']) {
      const { status } = await open(path, { cookie: bob.cookie! })
      expect([path, status]).toEqual([path, 302])
    }
    await bob.post('/logout')
    expect((await open('/account', { cookie: 'izvor_session=abc' })).status).toBe(302)
  })

  test('other paths below /account are not found, and the API stays the API', async () => {
    const page = await open('/account/nothing')
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const api = await open('/account/api/me')
    expect([api.status, api.headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8'])
    const post = await open('/account/login', {}, 'POST')
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})

test('without a mail server pages and answers do not claim that a mail was sent', async () => {
  const silent = await startAccountApp({ smtp_url: undefined })
  const forgot = await (await fetch(`${silent.app.url}/account/forgot`, { headers: HTML })).text()
  expect(forgot).toContain('Acest serviciu nu trimite mesaje.')
  expect(forgot).not.toContain('Vă trimitem')
  expect((await open('/account/forgot')).text).toContain('Vă trimitem')
  for (const [site, said] of [
    [silent, 'in the log of the service, which sends no mail: ask its operator.'],
    [accounts, 'a mail with a link is on its way.'],
  ] as const) {
    const dan = await site.signUp('dan@example.org')
    const asked = await dan.post('/password/forgot', { email: 'dan@example.org' })
    const again = await dan.post('/email/resend-verification')
    for (const answer of [asked, again])
      expect([answer.status, answer.body.message]).toEqual([202, expect.stringContaining(said)])
  }
  await silent.stop()
})
