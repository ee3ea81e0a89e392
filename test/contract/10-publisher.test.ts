/** Who may call `/publish/api`, by session and by key; `GET me` represents every route with the same access. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { pino } from 'pino'
import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { mintKey } from '../../src/accounts/keys/keys.ts'
import { setAccountRole } from '../../src/accounts/people/operator.ts'
import type { CallRecord } from '../../src/server/call-record.ts'
import { accessLog } from '../../src/server/metrics/access-log.ts'
import { ROUTES } from '../../src/server/routes.ts'
import { RouteMap } from '../../src/server/routing.ts'
import { placeOf, runSql } from '../support/accounts-place.ts'
import { type AccountApp, type Browser, startAccountApp } from '../support/browser.ts'

let accounts: AccountApp
let publisher: Browser
let reader: Browser
beforeAll(async () => {
  accounts = await startAccountApp()
  publisher = await accounts.signUp('ana@example.org')
  reader = await accounts.signUp('ion@example.org')
  await makePublisher('ana@example.org', ['economy'])
})
afterAll(() => accounts.stop())

function makePublisher(email: string, publisher_domains: string[] | null) {
  const role = { role: 'publisher', publisher_domains } as const
  return setAccountRole(accounts.app.app.accounts, email, role, accounts.now())
}

async function mint(scopes: readonly string[], userId?: number): Promise<{ key_id: number; secret: string }> {
  const request = { label: 'job', plan: 'free', scopes, userId }
  return mintKey(accounts.app.app.accounts, OPERATOR, request, accounts.now())
}

async function me(headers: Record<string, string>) {
  const { status, body } = await accounts.app.get('/publish/api/me', { key: null, headers })
  return status === 200 ? body : `${status} ${body.error.code}`
}
const withCookie = (browser: Browser) => me({ cookie: browser.cookie! })
const withKey = (secret: string, more = {}) => me({ authorization: `Bearer ${secret}`, ...more })

describe('a session', () => {
  test('of a publisher says what it may publish', async () => {
    expect(await withCookie(publisher)).toEqual({
      ...{ role: 'publisher', publisher_domains: ['economy'], by: 'account:1' },
    })
    expect((await publisher.get('/me')).body.user).toMatchObject({
      ...{ role: 'publisher', publisher_domains: ['economy'] },
    })
  })

  test('of a reader is 403 role_missing, and none is 401 unauthenticated', async () => {
    expect(await withCookie(reader)).toBe('403 role_missing')
    expect(await me({})).toBe('401 unauthenticated')
    expect(await me({ authorization: 'Basic YTpi' })).toBe('401 unauthenticated')
  })

  test('follows a changed role at once', async () => {
    await makePublisher('ana@example.org', null)
    expect(await withCookie(publisher)).toMatchObject({ publisher_domains: null })
    const none = { role: 'reader', publisher_domains: [] } as const
    await setAccountRole(accounts.app.app.accounts, 'ana@example.org', none, accounts.now())
    expect(await withCookie(publisher)).toBe('403 role_missing')
    await makePublisher('ana@example.org', ['economy'])
    expect(await withCookie(publisher)).toMatchObject({ publisher_domains: ['economy'] })
  })
})

describe('a key', () => {
  test('of the operator needs only the scope', async () => {
    const { key_id, secret } = await mint(['read', 'publish:health'])
    expect(await withKey(secret)).toEqual({
      ...{ role: 'publisher', publisher_domains: ['health'], by: `key:${key_id}` },
    })
    expect(await withKey((await mint(['publish'])).secret)).toMatchObject({ publisher_domains: null })
    expect(await withKey((await mint(['read'])).secret)).toBe('403 scope_missing')
  })

  test('of an account also needs the role of the account', async () => {
    expect(await withKey((await mint(['publish'], 1)).secret)).toMatchObject({
      publisher_domains: ['economy'],
    })
    expect(await withKey((await mint(['publish'], 2)).secret)).toBe('403 role_missing')
  })

  test('follows a changed role of its account at once', async () => {
    const { secret } = await mint(['publish'], 1)
    expect(await withKey(secret)).toMatchObject({ publisher_domains: ['economy'] })
    const none = { role: 'reader', publisher_domains: [] } as const
    await setAccountRole(accounts.app.app.accounts, 'ana@example.org', none, accounts.now())
    expect(await withKey(secret)).toBe('403 role_missing')
    await makePublisher('ana@example.org', ['economy'])
    expect(await withKey(secret)).toMatchObject({ publisher_domains: ['economy'] })
  })

  test('that is wrong is refused, whatever the session', async () => {
    const cookie = publisher.cookie!
    expect(await withKey('rok_x', { cookie })).toBe('401 api_key_malformed')
    const { key_id, secret } = await mint(['publish'])
    await runSql(placeOf(accounts.app.app), `UPDATE api_keys SET state = 'revoked' WHERE key_id = ${key_id}`)
    expect(await withKey(secret, { cookie })).toBe('401 api_key_revoked')
  })

  test('uses nothing of the quota, and its calls are in the request log', async () => {
    const { key_id, secret } = await mint(['publish'])
    await withKey(secret)
    const { usage } = accounts.app.app
    await usage.logs.settle()
    expect(await usage.lastUsed(key_id)).not.toBeNull()
    expect(await usage.monthOf(`key:${key_id}`, accounts.now())).toBe(0)
  })
})

test('other sites cannot read it, and unknown addresses are refused in the envelope', async () => {
  const headers = { origin: 'https://evil.example', accept: 'text/html' }
  for (const path of ['/publish/api/me', '/publish/api/nothing']) {
    const answer = await accounts.app.get(path, { key: null, headers })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(answer.body.error.code).toBe(path.endsWith('me') ? 'unauthenticated' : 'not_found')
  }
  const wrong = await accounts.app.get('/publish/api/me', { key: null, method: 'DELETE' })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

test('the log says who published', () => {
  const lines: string[] = []
  const write = (text: string) => void lines.push(text)
  const listener = accessLog(pino({ level: 'info' }, { write() {} }), new RouteMap(ROUTES), write)
  const request = new Request('http://localhost/publish/api/me')
  const call = {
    ...{ request, requestId: 'a', startedAt: new Date(0), startMark: 0, path: '/publish/api/me' },
    publisher: { by: 'account:3' },
  } as unknown as CallRecord
  listener([{ call, status: 200, bytes: 1, milliseconds: 1 }])
  expect(JSON.parse(lines[0]!)).toMatchObject({ route: '/publish/api/me', by: 'account:3' })
})

describe('every route of the desk', () => {
  const DESK = ROUTES.filter(({ access }) => access === 'publisher').map(
    ({ method, path }) => [method, path.replaceAll(/:\w+/g, 'a'.repeat(24))] as const,
  )
  const CHANGING = DESK.filter(([method]) => method !== 'GET')

  async function call([method, path]: (typeof DESK)[number], headers: Record<string, string>) {
    const { status, body } = await accounts.app.get(path, { method, key: null, headers })
    return status < 400 ? status : `${status} ${body.error.code}`
  }
  const proven = (browser: Browser) => ({ cookie: browser.cookie!, 'x-csrf-token': browser.csrf! })

  test.each(DESK)('%s %s is for publishers', async (method, path) => {
    const route = [method, path] as const
    expect(await call(route, {})).toBe('401 unauthenticated')
    expect(await call(route, proven(reader))).toBe('403 role_missing')
    const { secret } = await mint(['read'])
    expect(await call(route, { authorization: `Bearer ${secret}` })).toBe('403 scope_missing')
  })

  test.each(CHANGING)(
    '%s %s can be called only by pages of the service or with a key',
    async (method, path) => {
      const route = [method, path] as const
      const { cookie, 'x-csrf-token': token } = proven(publisher)
      expect(await call(route, { cookie })).toBe('403 csrf_failed')
      expect(await call(route, { cookie, 'x-csrf-token': `${token}x` })).toBe('403 csrf_failed')
      const foreign = { ...proven(publisher), origin: 'https://evil.example' }
      expect(await call(route, foreign)).toBe('403 csrf_failed')
      expect(await call(route, { origin: 'https://evil.example' })).toBe('403 csrf_failed')
      const { secret } = await mint(['publish'])
      const withKey = await call(route, { authorization: `Bearer ${secret}` })
      expect(String(withKey)).not.toMatch(/csrf|unauth|missing/)
    },
  )
})

test('every route of the desk needs a publisher, except taking down a version, which needs a session', () => {
  const others = ROUTES.filter(
    ({ path, access }) => path.startsWith('/publish/api') && access !== 'publisher',
  )
  expect(others.map(({ method, path, access }) => `${method} ${path} ${access}`)).toEqual([
    'DELETE /publish/api/datasets/:dataset/versions/:version change',
  ])
})
