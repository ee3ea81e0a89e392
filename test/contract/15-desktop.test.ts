/** A service on a desktop: who may enter with a token, which hosts it answers to, and who may stop it. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { requireOwner } from '../../src/accounts/people/operator.ts'
import { issueEntry } from '../../src/accounts/people/owner.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { Browser } from '../support/browser.ts'
import { rawRequest } from '../support/raw-request.ts'

let time = new Date('2026-03-04T05:06:07Z')
let ended = 0
const desktop = {
  end: () => {
    ended += 1
  },
  addSamples: async () => {},
}
let own: TestApp
let shared: TestApp
beforeAll(async () => {
  const flags = { trusted_proxies: '127.0.0.1' }
  own = await startTestApp({ now: () => time, desktop })
  shared = await startTestApp({ now: () => time, flags })
})
afterAll(() => Promise.all([own?.stop(), shared?.stop()]))

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function tokenOf({ app }: TestApp): Promise<string> {
  const owner = await requireOwner(app.accounts, 'en', time)
  return (await issueEntry(app.accounts, owner, time)).token
}

/** As the opened file sends it: a navigation without an origin. */
function post(
  app: TestApp,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const sent = { ...FORM, accept: 'text/html', 'accept-language': 'en', ...headers }
  return app.get(path, {
    method: 'POST',
    key: null,
    headers: sent,
    body: new URLSearchParams(fields).toString(),
  })
}

const FROM_FILE = { origin: 'null', 'sec-fetch-site': 'cross-site' }

async function enter(app: TestApp, next = '/open') {
  const answer = await post(app, '/open', { token: await tokenOf(app), next }, FROM_FILE)
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const me = await app.get('/account/api/me', { key: null, headers: { cookie } })
  return { answer, cookie, csrf: me.body.csrf_token as string, user: me.body.user }
}

describe('an entry token', () => {
  test('signs the owner in once, as an operator, and redirects to the requested page', async () => {
    const next = `/publish/drafts/${'a'.repeat(24)}`
    const token = await tokenOf(own)
    const first = await post(own, '/open', { token, next }, FROM_FILE)
    expect([first.status, first.headers.get('location')]).toEqual([303, next])
    expect(first.headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=Lax|SameSite=Lax; HttpOnly|HttpOnly/)
    const again = await post(own, '/open', { token, next }, FROM_FILE)
    expect([again.status, again.headers.getSetCookie()]).toEqual([422, []])
    expect(again.text).toContain('older than a minute')
    const { user } = await enter(own)
    expect([user.email, user.role, user.email_verified]).toEqual(['owner@localhost', 'operator', true])
  })

  test.each(['//evil.example', 'https://evil.example/', '/\\evil.example', '/account', ''])(
    'never redirects elsewhere: %s',
    async (next) => {
      expect((await enter(own, next)).answer.headers.get('location')).toBe('/open')
    },
  )

  test('is refused after a minute', async () => {
    const token = await tokenOf(own)
    time = new Date(time.getTime() + 59_000)
    const late = await tokenOf(own)
    time = new Date(time.getTime() + 2000)
    expect((await post(own, '/open', { token }, FROM_FILE)).status).toBe(422)
    expect((await post(own, '/open', { token: late }, FROM_FILE)).status).toBe(303)
  })

  test.each([
    ['behind a trusted proxy', { 'x-forwarded-for': '198.51.100.7' }],
    ['behind it, with an invented chain', { 'x-forwarded-for': '127.0.0.1, 198.51.100.7' }],
    ['by a public name', { host: 'data.example.ro' }],
  ])('is refused from another machine %s, and remains valid on this one', async (_, headers) => {
    const token = await tokenOf(shared)
    expect((await post(shared, '/open', { token }, { ...FROM_FILE, ...headers })).status).toBe(422)
    expect((await post(shared, '/open', { token }, FROM_FILE)).status).toBe(303)
  })

  test.each([{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }, { via: '1.1 proxy' }])(
    'is refused through a proxy that the settings do not list: %p',
    async (headers) => {
      const token = await tokenOf(own)
      expect((await post(own, '/open', { token }, { ...FROM_FILE, ...headers })).status).toBe(422)
    },
  )

  test('cannot be guessed', async () => {
    for (const token of ['', 'x', 'A'.repeat(43)])
      expect((await post(own, '/open', { token }, FROM_FILE)).status).toBe(422)
  })
})

test('the owner has no password, so whatever needs one is refused', async () => {
  const { cookie, csrf } = await enter(own)
  const headers = { cookie, 'x-csrf-token': csrf, 'content-type': 'application/json' }
  const asked = [
    [
      'POST',
      '/account/api/password/change',
      { current_password: '', new_password: 'norii trec peste Ceahlau' },
    ],
    ['DELETE', '/account/api/me', { password: 'x' }],
  ] as const
  for (const [method, path, body] of asked) {
    const answer = await own.get(path, { method, key: null, headers, body: JSON.stringify(body) })
    expect([path, answer.status, answer.body.error.code]).toEqual([path, 422, 'invalid_credentials'])
  }
  const stranger = new Browser(own)
  const signUp = { email: 'Owner@localhost', password: 'patru furnici pe un balcon' }
  expect((await stranger.post('/signup', signUp)).body.error.code).toBe('email_taken')
  expect((await stranger.post('/login', signUp)).body.error.code).toBe('invalid_credentials')
})

describe('a service on a desktop answers only to its machine', () => {
  const ask = async (app: TestApp, host: string, path = '/health/live') => {
    const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    return (await rawRequest(app.url, { parts: [request] })).split(' ')[1]
  }

  test.each(['127.0.0.1', '127.0.0.1:80', '[::1]:3000', 'localhost', 'LOCALHOST:8080'])(
    '%s',
    async (host) => {
      expect(await ask(own, host)).toBe('200')
    },
  )

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:80',
    '192.168.1.5',
    '127.0.0.2',
    '',
  ])('not to "%s", on any path', async (host) => {
    for (const path of ['/health/live', '/', '/v1/datasets', '/open', '/nothing'])
      expect(await ask(own, host, path)).toBe('421')
    expect(await ask(shared, host)).toBe('200')
  })
})

describe('the button that stops it', () => {
  const press = (app: TestApp, cookie: string, csrf: string, headers: Record<string, string> = {}) =>
    post(
      app,
      '/open/end',
      { csrf_token: csrf },
      { cookie, origin: app.url, 'sec-fetch-site': 'same-origin', ...headers },
    )

  test('works for the owner', async () => {
    const { cookie, csrf } = await enter(own)
    const before = ended
    const page = await own.get('/open', { key: null, headers: { cookie, accept: 'text/html' } })
    expect(page.text).toContain(`value="${csrf}"`)
    const answer = await press(own, cookie, csrf)
    expect([answer.status, ended]).toEqual([200, before + 1])
    expect(answer.text).toContain('Izvor is closed')
  })

  test('does nothing without a session or its token, from another site, or for a reader', async () => {
    const before = ended
    const { cookie, csrf } = await enter(own)
    expect((await press(own, '', csrf)).status).toBe(401)
    expect((await press(own, cookie, csrf, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await press(own, cookie, csrf, FROM_FILE)).status).toBe(403)
    expect((await press(own, cookie, 'x')).status).toBe(403)
    const reader = new Browser(own)
    await reader.post('/signup', { email: 'ana@example.org', password: 'patru furnici pe un balcon' })
    expect((await press(own, reader.cookie!, reader.csrf!)).status).toBe(403)
    expect(ended).toBe(before)
  })

  test('is not on a shared service, which has no first page either', async () => {
    const { cookie, csrf } = await enter(shared)
    expect((await press(shared, cookie, csrf)).status).toBe(404)
    expect((await shared.get('/open', { key: null, headers: { cookie } })).status).toBe(404)
    const desk = await shared.get('/publish', { key: null, headers: { cookie, accept: 'text/html' } })
    expect(desk.text).not.toContain('/open/end')
  })
})

test('without a session the first page and the sign-in say how to get one', async () => {
  const answer = await own.get('/open', {
    key: null,
    headers: { accept: 'text/html', 'accept-language': 'ro' },
  })
  expect(answer.status).toBe(200)
  expect(answer.text).toContain('Porniți Izvor de pe acest calculator')
  const login = await own.get('/account/login', { key: null, headers: { 'accept-language': 'ro' } })
  expect(login.text).toContain('nu aveți nevoie de parolă')
})
