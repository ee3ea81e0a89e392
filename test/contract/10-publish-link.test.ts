/** The link from public pages to the publishing desk. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { setAccountRole } from '../../src/accounts/people/operator.ts'
import { type AccountApp, type Browser, startAccountApp } from '../support/browser.ts'

const EMAIL = 'ana@example.org'
const ENTRY = /<nav [^>]*aria-label="Main navigation">.*?<a href="\/publish\?lang=en"[^>]*>Publish<\/a>/
const SIGN_IN = '>Sign in to publish</a>'

let accounts: AccountApp
let publisher: Browser
let reader: Browser
beforeAll(async () => {
  accounts = await startAccountApp()
  await accounts.app.ingestCsv('county,people\nAlba,1\n', { id: 'places', domain: 'economy' })
  publisher = await accounts.signUp(EMAIL)
  reader = await accounts.signUp('ion@example.org')
  await setRole('publisher')
})
afterAll(() => accounts.stop())

function setRole(role: 'publisher' | 'reader') {
  const asked = { role, publisher_domains: role === 'publisher' ? null : [] } as const
  return setAccountRole(accounts.app.app.accounts, EMAIL, asked, accounts.now())
}

const look = (path: string, browser?: Browser, more = {}) =>
  accounts.app.get(`${path}${path.includes('?') ? '&' : '?'}lang=en`, {
    key: null,
    headers: { accept: 'text/html', ...(browser && { cookie: browser.cookie ?? '' }), ...more },
  })

const PAGES = ['/', '/datasets/places', '/docs/guides', '/docs/guides/limits']

test.each(PAGES)('%s links publishers to the desk, and everybody else to the sign-in', async (path) => {
  const own = await look(path, publisher)
  expect(own.text).toMatch(ENTRY)
  expect(own.text).not.toContain(SIGN_IN)
  for (const browser of [reader, undefined]) {
    const { text } = await look(path, browser)
    expect(text).not.toMatch(ENTRY)
    expect(text).toContain(SIGN_IN)
  }
})

test.each(PAGES)(
  '%s for somebody signed in is in no shared cache, and other sites cannot read it',
  async (path) => {
    const stranger = await look(path)
    expect(stranger.headers.get('cache-control')).toBe('no-cache')
    const own = await look(path, publisher)
    expect(own.headers.get('cache-control')).toBe('private, no-cache')
    expect(own.headers.get('vary')).toContain('Cookie')
    expect(own.headers.get('access-control-allow-origin')).toBeNull()
    const etag = own.headers.get('etag') ?? ''
    expect(etag).not.toBe(stranger.headers.get('etag') ?? '')
    expect((await look(path, publisher, { 'if-none-match': etag })).status).toBe(304)
    expect((await look(path, undefined, { 'if-none-match': etag })).status).toBe(200)
  },
)

test('a stranger is redirected to the sign-in, which explains the right to publish and leads back', async () => {
  const sent = await look('/publish')
  expect(sent.status).toBe(302)
  const login = sent.headers.get('location') ?? ''
  expect(login).toBe('/account/login?next=%2Fpublish&lang=en')
  expect((await look(login.replace('&lang=en', ''))).text).toContain('has given the right to publish')
  expect((await look('/account/login')).text).not.toContain('has given the right to publish')
})

test('the link depends on the role', async () => {
  await setRole('reader')
  expect((await look('/', publisher)).text).not.toMatch(ENTRY)
  await setRole('publisher')
  expect((await look('/', publisher)).text).toMatch(ENTRY)
})
