/** Rules for all 27 account endpoints: who may call them, from where, and what answers never contain. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HTTPS_HEADERS } from '../../src/http/headers.ts'
import { makeCertificate } from '../journeys/certificate.ts'
import { startTestApp } from '../support/app.ts'
import { type AccountApp, Browser, startAccountApp } from '../support/browser.ts'
import { OTHER_PASSWORD, PASSWORD } from '../support/passwords.ts'
import { rawRequest } from '../support/raw-request.ts'
import { tempDir } from '../support/temp-dir.ts'

const HSTS = HTTPS_HEADERS['Strict-Transport-Security']

let accounts: AccountApp
let ana: Browser
beforeAll(async () => {
  accounts = await startAccountApp()
  ana = await accounts.signUp('ana@example.org')
})
afterAll(() => accounts.stop())

type Endpoint = readonly [method: string, path: string, body: object | undefined]

/** Specification 4.2, in its order. */
const OPEN: readonly Endpoint[] = [
  ['POST', '/signup', { email: 'nobody@example.org', password: PASSWORD }],
  ['POST', '/login', { email: 'nobody@example.org', password: PASSWORD }],
  ['POST', '/email/verify', { token: 'x' }],
  ['POST', '/password/forgot', { email: 'nobody@example.org' }],
  ['POST', '/password/reset', { token: 'x', new_password: OTHER_PASSWORD }],
]
const CHANGING: readonly Endpoint[] = [
  ['POST', '/logout', undefined],
  ['PATCH', '/me', { full_name: 'Ana' }],
  ['DELETE', '/me', { password: PASSWORD }],
  ['DELETE', '/sessions/x', undefined],
  ['POST', '/sessions/revoke-others', undefined],
  ['POST', '/email/resend-verification', undefined],
  ['POST', '/password/change', { current_password: PASSWORD, new_password: OTHER_PASSWORD }],
  ['POST', '/keys', { label: 'a' }],
  ['POST', '/keys/rotate-all', undefined],
  ['PATCH', '/keys/1', { label: 'b' }],
  ['DELETE', '/keys/1', undefined],
  ['POST', '/keys/1/rotate', undefined],
  ['POST', '/keys/1/revoke', undefined],
]
const READING: readonly Endpoint[] = [
  ['GET', '/me', undefined],
  ['GET', '/sessions', undefined],
  ['GET', '/security/logins', undefined],
  ['GET', '/keys', undefined],
  ['GET', '/usage/summary', undefined],
  ['GET', '/usage/daily', undefined],
  ['GET', '/logs', undefined],
  ['GET', '/logs/stats', undefined],
  ['GET', '/export', undefined],
]
const ALL = [...OPEN, ...CHANGING, ...READING]

const codeOf = (answer: { status: number; body: { error?: { code: string } } }) =>
  `${answer.status} ${answer.body?.error?.code}`

test('the endpoints are the 27 of the specification', () => {
  expect(ALL.length).toBe(27)
})

describe('a session', () => {
  test.each([...CHANGING, ...READING])(
    'is required: %s %s without one is 401 unauthenticated',
    async (method, path, body) => {
      const answer = await new Browser(accounts.app).send(method, path, { body })
      expect(codeOf(answer)).toBe('401 unauthenticated')
      expect(answer.headers.get('www-authenticate')).toBeNull()
      expect(answer.headers.getSetCookie()).toEqual([])
    },
  )

  test('an API key is not a session, and a session is not an API key', async () => {
    const { secret } = (await ana.post('/keys', { label: 'not a session' })).body
    const withKey = await accounts.app.get('/account/api/me', { key: secret })
    expect(codeOf(withKey)).toBe('401 unauthenticated')
    const withCookie = await accounts.app.get('/v1/datasets', { key: null, headers: { cookie: ana.cookie! } })
    expect(codeOf(withCookie)).toBe('401 api_key_missing')
  })
})

describe('the CSRF token', () => {
  test.each(CHANGING)('is required: %s %s without it is 403 csrf_failed', async (method, path, body) => {
    const other = await accounts.signIn('ana@example.org')
    accounts.pass(10)
    for (const token of [undefined, '', 'x', other.csrf, `${ana.csrf}x`, ana.csrf!.slice(0, -1)]) {
      const answer = await ana.send(method, path, { body, headers: { 'x-csrf-token': token } })
      expect([token, codeOf(answer)]).toEqual([token, '403 csrf_failed'])
    }
    expect((await ana.get('/me')).status).toBe(200)
  })

  test('a call is checked in one order: site, session, token, address, body', async () => {
    const call = (headers: Record<string, string | undefined>, query = '?x=1') =>
      ana.send('PATCH', `/me${query}`, { body: '{', headers })
    const foreign = { origin: 'https://evil.example' }
    expect(codeOf(await call({ ...foreign, cookie: undefined }))).toBe('403 csrf_failed')
    expect(codeOf(await call({ cookie: undefined, 'x-csrf-token': undefined }))).toBe('401 unauthenticated')
    expect(codeOf(await call({ 'x-csrf-token': undefined }))).toBe('403 csrf_failed')
    expect(codeOf(await call({}))).toBe('422 unknown_parameter')
    expect(codeOf(await call({}, ''))).toBe('422 invalid_body')
  })
})

describe('pages of other sites', () => {
  test.each([...OPEN, ...CHANGING])('may not call %s %s: 403 csrf_failed', async (method, path, body) => {
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${accounts.app.url}.evil.example` },
      { origin: accounts.app.url.replace('http:', 'https:') },
      { origin: 'http://127.0.0.1:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: accounts.app.url },
    ]
    for (const headers of foreign) {
      const answer = await ana.send(method, path, { body, headers })
      expect([headers, codeOf(answer)]).toEqual([headers, '403 csrf_failed'])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect((await ana.get('/me')).body.user.email).toBe('ana@example.org')
  })

  test.each([
    [{ origin: 'own' }],
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'own', 'sec-fetch-site': 'same-origin' }],
  ])('are told from our own, which may call: %j', async (headers: Record<string, string>) => {
    const own = headers.origin === undefined ? headers : { ...headers, origin: accounts.app.url }
    const answer = await ana.send('PATCH', '/me', { body: { full_name: 'Ana' }, headers: own })
    expect(answer.status).toBe(200)
  })
})

describe('behind https', () => {
  test('with its own certificate and no base_url, the cookie is __Host- and Secure too', async () => {
    const { cert, key } = makeCertificate(tempDir(), 'localhost', 10)
    const own = await startTestApp({ flags: { tls_cert: cert, tls_key: key } })
    try {
      const ask = (path: string, options: RequestInit = {}) =>
        fetch(own.url + path, { ...options, tls: { rejectUnauthorized: false } })
      const body = JSON.stringify({ email: 'ana@example.org', password: PASSWORD })
      const headers = { 'content-type': 'application/json' }
      const opened = await ask('/account/api/signup', { method: 'POST', headers, body })
      expect(opened.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^__Host-izvor_session=.*; Secure; SameSite=Lax$/),
      ])
      const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!
      expect((await ask('/account/api/me', { headers: { cookie } })).status).toBe(200)
      for (const path of ['/', '/nothing', '/v1/datasets', '/health/live', '/account/login', '/openapi.json'])
        expect([path, (await ask(path)).headers.get('strict-transport-security')]).toEqual([path, HSTS])
    } finally {
      await own.stop()
    }
    const plain = await accounts.app.get('/health/live', { key: null })
    expect(plain.headers.get('strict-transport-security')).toBeNull()
  })

  test('the cookie is __Host- and Secure, and calls must come from the site of base_url', async () => {
    const https = await startAccountApp({ base_url: 'https://date.example.org' })
    try {
      const browser = new Browser(https.app)
      const body = { email: 'ana@example.org', password: PASSWORD }
      const own = { origin: 'https://date.example.org' }
      const opened = await browser.post('/signup', body, { headers: own })
      expect(opened.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^__Host-izvor_session=\w{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
        ),
      ])
      expect((await browser.get('/me')).status).toBe(200)
      for (const origin of [https.app.url, 'http://date.example.org', 'https://date.example.org:8443']) {
        const answer = await browser.send('POST', '/logout', { headers: { origin } })
        expect([origin, codeOf(answer)]).toEqual([origin, '403 csrf_failed'])
      }
      browser.cookie = browser.cookie!.replace('__Host-', '')
      expect(codeOf(await browser.get('/me'))).toBe('401 unauthenticated')
    } finally {
      await https.stop()
    }
  })

  test('a browser on this machine may also use the loopback address; other ports and names remain other sites', async () => {
    const https = await startAccountApp({ base_url: 'https://date.example.org' })
    try {
      const { url } = https.app
      const { host } = new URL(url)
      const body = JSON.stringify({ email: 'ana@example.org', password: PASSWORD })
      const signUp = (headers: Record<string, string>) =>
        fetch(`${url}/account/api/signup`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
        })
      for (const foreign of [
        { origin: 'http://127.0.0.1:1' },
        { origin: 'http://evil.example.org' },
        { origin: 'null' },
        { origin: `http://evil.example.org:${new URL(url).port}`, host: 'evil.example.org' },
        { origin: 'http://evil.example.org', host: 'evil.example.org' },
        { origin: url, 'sec-fetch-site': 'cross-site' },
        { origin: url, 'x-forwarded-for': '203.0.113.7' },
      ])
        expect([foreign, (await signUp({ host, ...foreign })).status]).toEqual([foreign, 403])
      expect((await signUp({ host, origin: url })).status).toBe(201)
    } finally {
      await https.stop()
    }
  })
})

describe('answers', () => {
  test.each(ALL)(
    'of %s %s are never cached, and other sites cannot read them',
    async (method, path, body) => {
      // A separate browser: some of these calls sign it in to another account.
      const browser = await accounts.signIn('ana@example.org')
      const answers = [
        await browser.send(method, path, { body, headers: { 'x-csrf-token': undefined, origin: undefined } }),
        await new Browser(accounts.app).send(method, path, { body }),
        await browser.send('OPTIONS', path, { headers: { origin: 'https://evil.example' } }),
        await browser.send('PUT', path, { body: '{}' }),
      ]
      expect(answers.slice(2).map(({ status }) => status)).toEqual([204, 405])
      for (const { headers } of answers) {
        expect(headers.get('cache-control')).toBe('no-store')
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        expect(headers.get('x-request-id')).toBeString()
        expect(headers.get('etag')).toBeNull()
      }
      expect(answers[3]!.headers.get('allow')).toContain(method)
      expect(answers[2]!.headers.get('allow')).toContain(method)
    },
  )

  test.each(READING)('%s %s answers HEAD without a body', async (_, path) => {
    const head = await ana.send('HEAD', path)
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('cache-control')).toBe('no-store')
  })

  test.each(['/account/api', '/account/api/nothing', '/account/api/me/', '/account/api/keys/1/rename'])(
    '%s is 404 in the envelope, without CORS',
    async (path) => {
      const answer = await accounts.app.get(path, { key: null })
      expect(codeOf(answer)).toBe('404 not_found')
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      expect(answer.headers.get('cache-control')).toBe('no-store')
    },
  )

  test('verification is never a GET', async () => {
    const answer = await ana.get('/email/verify?token=x')
    expect([codeOf(answer), answer.headers.get('allow')]).toEqual(['405 method_not_allowed', 'POST, OPTIONS'])
  })
})

describe('addresses', () => {
  test.each(ALL)('%s %s with an unknown parameter is 422 unknown_parameter', async (method, path, body) => {
    for (const query of ['?page=1', '?token=x', '?=1']) {
      const answer = await ana.send(method, `${path}${query}`, { body })
      expect([query, codeOf(answer)]).toEqual([query, '422 unknown_parameter'])
    }
    const odd = await ana.send(method, `${path}?a=%ZZ`, { body })
    expect(codeOf(odd)).toBe('422 invalid_value')
  })

  test.each(['abc', '1.5', '1e3', '0x1', '%20', '1%20', '+1'])(
    'a key_id of %s is 422 invalid_value',
    async (id) => {
      for (const [method, tail, body] of [
        ['PATCH', '', { label: 'x' }],
        ['DELETE', ''],
        ['POST', '/rotate'],
        ['POST', '/revoke'],
      ] as const) {
        const answer = await ana.send(method, `/keys/${id}${tail}`, { body })
        expect([method, codeOf(answer)]).toEqual([method, '422 invalid_value'])
        expect(answer.body.error.detail[0].location).toBe('path.key_id')
      }
    },
  )
})

describe('bodies', () => {
  test('a session that ends while the body is being sent changes nothing', async () => {
    const email = 'slow@example.org'
    const [slow, other] = [await accounts.signUp(email), await accounts.signIn(email)]
    const rest = Promise.withResolvers<void>()
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('{"label":'))
        await rest.promise
        controller.enqueue(new TextEncoder().encode('"late"}'))
        controller.close()
      },
    })
    const headers = {
      ...{ cookie: slow.cookie!, 'x-csrf-token': slow.csrf!, 'content-type': 'application/json' },
    }
    const minted = accounts.app.get('/account/api/keys', { method: 'POST', key: null, headers, body })
    for (let turn = 0; turn < 5; turn++) await other.get('/me')
    await other.post('/sessions/revoke-others')
    rest.resolve()
    expect(codeOf(await minted)).toBe('401 unauthenticated')
    expect((await other.get('/keys')).body).toEqual([])
  })

  const WITH_BODY = [...OPEN, ...CHANGING].filter(([, , body]) => body !== undefined)

  test.each(WITH_BODY)('%s %s takes one JSON object with known fields', async (method, path, body) => {
    const json = JSON.stringify(body)
    const cases: [string | undefined, string][] = [
      ['application/json', ''],
      ['application/json', '{'],
      ['application/json', '[]'],
      ['application/json', 'null'],
      ['application/json', `${json}${json}`],
      ['application/json', '{"__proto__":{"email":"x"}}'],
      ['application/json', JSON.stringify({ ...body, extra: 1 })],
      ['application/json; charset=iso-8859-2', json],
      ['application/x-www-form-urlencoded', json],
      ['multipart/form-data; boundary=x', json],
      ['text/plain', json],
      ['application/jsonp', json],
    ]
    for (const [type, text] of cases) {
      const answer = await ana.send(method, path, { body: text, headers: { 'content-type': type } })
      expect([type, text, codeOf(answer)]).toEqual([type, text, '422 invalid_body'])
    }
  })

  test.each([...OPEN, ...CHANGING])('%s %s with more than 16 KB is 413', async (method, path) => {
    const large = JSON.stringify({ label: 'x'.repeat(16 * 1024) })
    const declared = await ana.send(method, path, { body: large })
    expect(codeOf(declared)).toBe('413 payload_too_large')
    expect(declared.body.error.message).toContain('16 KB (16,384 bytes)')
    const chunk = 'x'.repeat(10_000)
    const head = [
      `${method} /account/api${path} HTTP/1.1`,
      ...['Host: localhost', 'Connection: close', 'Content-Type: application/json'],
      ...[`Cookie: ${ana.cookie}`, `X-CSRF-Token: ${ana.csrf}`, 'Transfer-Encoding: chunked', '', ''],
    ].join('\r\n')
    const piece = `${chunk.length.toString(16)}\r\n${chunk}\r\n`
    const chunked = await rawRequest(accounts.app.url, { parts: [head, piece, piece] })
    expect(chunked).toContain('HTTP/1.1 413')
    expect((await ana.get('/me')).status).toBe(200)
  })

  test('a body of 16 KB is taken', async () => {
    const { status } = await ana.send('PATCH', '/me', { body: `{${' '.repeat(16 * 1024 - 2)}}` })
    expect(status).toBe(200)
  })

  test('a charset of UTF-8 is accepted, in any case', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      const answer = await ana.send('PATCH', '/me', { body: {}, headers: { 'content-type': type } })
      expect(answer.status).toBe(200)
    }
  })
})
