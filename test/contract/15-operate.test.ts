/** `/operate/api`: who reaches it, what each change writes to the audit log, and what it never shows. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { mintKey } from '../../src/accounts/keys/keys.ts'
import { requireOwner, setAccountRole } from '../../src/accounts/people/operator.ts'
import { openSession } from '../../src/accounts/people/sign-in/sessions.ts'
import { requireUser } from '../../src/accounts/people/user.ts'
import { inTransaction } from '../../src/db/accounts.ts'
import { ROUTES } from '../../src/server/routes.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { appCode } from '../support/authenticator.ts'
import { type AccountApp, Browser, startAccountApp } from '../support/browser.ts'
import { PASSWORD } from '../support/passwords.ts'
import { TOWNS } from '../support/towns.ts'

const SMTP_PASSWORD = 'parola-serverului'
let accounts: AccountApp
let app: TestApp
let operator: Browser
let reader: Browser
let publisher: Browser
const backups = mkdtempSync(join(tmpdir(), 'izvor-backups-'))
beforeAll(async () => {
  accounts = await startAccountApp({ backup_dir: backups, backup_schedule: '30 2 * * *' })
  app = accounts.app
  await app.publish(TOWNS)
  operator = await accounts.signUpAs('operator', 'maria@example.org')
  reader = await accounts.signUpAs('reader', 'ion@example.org')
  publisher = await accounts.signUpAs('publisher', 'ana@example.org')
})
afterAll(async () => {
  await accounts.stop()
  rmSync(backups, { recursive: true, force: true })
})

const LOCAL = { 'x-forwarded-for': '127.0.0.1' }
type Headers = Record<string, string>

/** Calls an operation of `/operate/api`, from this machine unless the headers say otherwise. */
async function call(
  who: Browser | null,
  method: string,
  path: string,
  body?: object,
  headers: Headers = LOCAL,
) {
  return app.get(`/operate/api${path}`, {
    ...{ method, key: null },
    headers: {
      ...(who?.cookie && { cookie: who.cookie }),
      ...(who?.csrf && { 'x-csrf-token': who.csrf }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

const said = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  status < 400 ? String(status) : `${status} ${body.error?.code}`

/** Every operation below `/operate` in the description, with its path filled in. */
const OPERATIONS = ROUTES.filter(({ path, described }) => path.startsWith('/operate/api') && described).map(
  ({ method, path, described }) => ({
    method,
    path: path.replace('/operate/api', '').replaceAll(/:\w+/g, '1'),
    body: described?.bodyExample ?? (method === 'GET' ? undefined : {}),
  }),
)

async function events(): Promise<Record<string, unknown>[]> {
  return (await call(operator, 'GET', '/audit?limit=1000')).body.data
}

describe('15 who reaches /operate/api', () => {
  test('every route needs an operator', () => {
    expect(OPERATIONS.length).toBeGreaterThan(20)
    const others = ROUTES.filter(({ path }) => path.startsWith('/operate')).filter(
      ({ access }) => access !== 'operator' && access !== 'operation',
    )
    expect(others).toEqual([])
  })

  test('readers and publishers are 403 role_missing at every address, and strangers 401', async () => {
    for (const { method, path, body } of OPERATIONS) {
      for (const who of [reader, publisher])
        expect([method, path, said(await call(who, method, path, body))]).toEqual([
          ...[method, path],
          '403 role_missing',
        ])
      expect([method, path, said(await call(null, method, path, body))]).toEqual([
        ...[method, path],
        '401 unauthenticated',
      ])
    }
  })

  test('no key opens it, whatever its scopes', async () => {
    const request = { label: 'job', plan: 'free', scopes: ['read', 'publish'] }
    const { secret } = await mintKey(app.app.accounts, OPERATOR, request, accounts.now())
    const headers = { ...LOCAL, authorization: `Bearer ${secret}` }
    for (const { method, path, body } of OPERATIONS)
      expect(said(await call(null, method, path, body, headers))).toBe('401 unauthenticated')
  })

  test('a change needs the CSRF token of the session', async () => {
    const bare = new Browser(app)
    bare.cookie = operator.cookie
    for (const { method, path, body } of OPERATIONS.filter((one) => one.method !== 'GET'))
      expect(said(await call(bare, method, path, body))).toBe('403 csrf_failed')
  })

  test('for another machine every address is 404, whatever address it claims', async () => {
    const outside = [
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
      { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=127.0.0.1' },
    ]
    for (const headers of outside) {
      for (const { method, path, body } of OPERATIONS)
        expect(said(await call(operator, method, path, body, headers))).toBe('404 not_found')
      for (const method of ['DELETE', 'OPTIONS', 'PUT'])
        expect(said(await call(operator, method, '/plans', undefined, headers))).toBe('404 not_found')
    }
    expect(said(await call(operator, 'GET', '/plans'))).toBe('200')
    expect(said(await call(operator, 'PUT', '/plans'))).toBe('405 method_not_allowed')
  })

  test.each([
    ['on', '200 401'],
    ['off', '404 404'],
  ] as const)('with operate = %s from here and elsewhere: %s', async (operate, expected) => {
    const other = await startTestApp({ flags: { operate, trusted_proxies: '127.0.0.1' } })
    try {
      const statuses: number[] = []
      const browser = new Browser(other, '127.0.0.1')
      const email = 'maria@example.org'
      await browser.post('/signup', { email, password: PASSWORD })
      const role = { role: 'operator', publisher_domains: null } as const
      await setAccountRole(other.app.accounts, email, role, new Date())
      const cookie = browser.cookie!
      const answers = [
        await other.get('/operate/api/plans', { key: null, headers: { cookie } }),
        await other.get('/operate/api/plans', { key: null, headers: { 'x-forwarded-for': '203.0.113.9' } }),
      ]
      statuses.push(...answers.map(({ status }) => status))
      expect(statuses.join(' ')).toBe(expected)
    } finally {
      await other.stop()
    }
  })
})

describe('15 changes of operators are in the audit log, with the operator', () => {
  /** Makes a call. @returns its answer and the entries it adds to the audit log */
  async function entriesOf(method: string, path: string, body?: object) {
    const before = (await events()).length
    const answer = await call(operator, method, path, body)
    const all = await events()
    const added = all.slice(0, all.length - before)
    const me = (await operator.get('/me', { headers: LOCAL })).body.user.id
    for (const { actor, operator_id } of added) expect([actor, operator_id]).toEqual(['operator', me])
    return { answer, added: added.map(({ event, detail }) => `${event} ${detail}`).toReversed() }
  }

  test('accounts', async () => {
    const email = 'new@example.org'
    const made = await entriesOf('POST', '/accounts', { email })
    expect([said(made.answer), made.added]).toEqual(['201', ['account_created null']])
    expect(made.answer.body).toMatchObject({ email, role: 'reader', password_link: null })
    const { id } = made.answer.body
    const at = `/accounts/${id}`
    const changes: [string, string, object | undefined, string[]][] = [
      ['POST', `${at}/invitation`, {}, ['account_invited null']],
      ['POST', `${at}/verify`, undefined, ['email_verified null']],
      ['PUT', `${at}/plan`, { plan: 'institution' }, ['account_plan_changed institution']],
      ['POST', `${at}/sign-out`, undefined, ['sessions_revoked null']],
      [
        ...(['PUT', `${at}/role`] as const),
        { role: 'publisher', publisher_domains: ['economy'], password: PASSWORD },
        ['account_role_changed publisher of economy'],
      ],
      ['DELETE', at, { password: PASSWORD }, ['account_deleted null']],
    ]
    for (const [method, path, body, expected] of changes) {
      const { answer, added } = await entriesOf(method, path, body)
      expect([path, answer.status < 300, added]).toEqual([path, true, expected])
    }
    expect(said(await call(operator, 'GET', at))).toBe('404 not_found')
  })

  test('resetting a lost second factor', async () => {
    const lost = await accounts.signUp('lost@example.org')
    const { id } = (await lost.get('/me')).body.user
    const reset = () => entriesOf('POST', `/accounts/${id}/reset-second-factor`, { password: PASSWORD })
    const refused = (await reset()).answer
    expect(said(refused)).toBe('422 invalid_body')
    expect(refused.body.error.message).toContain('has no second factor')
    const { secret } = (await lost.post('/second-factor', { password: PASSWORD })).body
    await lost.post('/second-factor/confirm', { code: appCode(secret, accounts.now()) })
    const { answer, added } = await reset()
    expect([answer.body.second_factor, added]).toEqual([false, ['second_factor_off null']])
    expect(said(await lost.get('/me'))).toBe('401 unauthenticated')
  })

  test('the owner of a desktop has no password until one is set by a link', async () => {
    const db = app.app.accounts
    const { id } = await requireOwner(db, 'en', accounts.now())
    const user = await requireUser(db, id)
    const client = { ip: '127.0.0.1', userAgent: null, isLocal: true }
    const opened = await inTransaction(db, (tx) =>
      openSession(app.app.accountService, tx, user, client, accounts.now()),
    )
    const owner = new Browser(app, '127.0.0.1')
    owner.cookie = `izvor_session=${opened.token}`
    owner.csrf = opened.body.csrf_token
    const role = { role: 'reader', password: PASSWORD }
    expect(said(await call(owner, 'PUT', `/accounts/${id}/role`, role))).toBe('422 invalid_credentials')
    const other = (await call(operator, 'POST', '/accounts', { email: 'other@example.org' })).body.id
    const asOperator = { role: 'operator', password: PASSWORD }
    await call(operator, 'PUT', `/accounts/${other}/role`, asOperator)
    const invite = async (who: Browser, body: object) =>
      said(await call(who, 'POST', `/accounts/${other}/invitation`, body))
    for (const body of [{}, { password: PASSWORD }])
      expect(await invite(owner, body)).toBe('422 invalid_credentials')
    expect(await invite(operator, {})).toBe('422 invalid_credentials')
    expect(await invite(operator, { password: PASSWORD })).toBe('201')
    await call(operator, 'DELETE', `/accounts/${other}`, { password: PASSWORD })
    const invited = await call(owner, 'POST', `/accounts/${id}/invitation`, {})
    const token = new URL(invited.body.password_link).hash.slice('#token='.length)
    expect((await owner.post('/password/reset', { token, new_password: PASSWORD })).status).toBe(200)
    const again = new Browser(app, '127.0.0.1')
    expect(said(await again.post('/login', { email: 'owner@localhost', password: PASSWORD }))).toBe('200')
    expect(said(await call(again, 'POST', `/accounts/${id}/invitation`, {}))).toBe('422 invalid_body')
    expect(said(await call(again, 'PUT', `/accounts/${id}/role`, role))).toBe('200')
  })

  test('plans', async () => {
    const limits = { monthly_quota: 7, max_active_keys: null, per_minute: 3 }
    const made = await entriesOf('PUT', '/plans/schools', limits)
    expect([made.answer.body, made.added]).toEqual([{ name: 'schools', ...limits }, ['plan_changed schools']])
    const { answer } = await entriesOf('PUT', '/plans/schools', { monthly_quota: null })
    expect(answer.body).toEqual({ name: 'schools', ...limits, monthly_quota: null })
    for (const [path, body] of [
      ['/plans/other', { monthly_quota: 1 }],
      ['/plans/Other', limits],
      ['/plans/schools', {}],
    ] as const)
      expect(said((await entriesOf('PUT', path, body)).answer)).toBe('422 invalid_body')
  })

  test('keys, whose secret is shown only when minted', async () => {
    const { id } = (await reader.get('/me')).body.user
    const made = await entriesOf('POST', '/keys', { label: 'portal', plan: 'free', user_id: id })
    expect([said(made.answer), made.added]).toEqual(['201', ['key_minted free']])
    const { key_id, secret } = made.answer.body
    expect((await app.get('/v1/datasets', { key: secret })).status).toBe(200)
    const renamed = await entriesOf('PATCH', `/keys/${key_id}`, { label: 'city', monthly_quota: 5 })
    expect(renamed.added).toEqual(['key_changed label, monthly_quota 5'])
    expect(renamed.answer.body).toMatchObject({ label: 'city', user_id: id, email: 'ion@example.org' })
    const revoked = await entriesOf('POST', `/keys/${key_id}/revoke`)
    expect([revoked.added, revoked.answer.body.state]).toEqual([['key_revoked null'], 'revoked'])
    expect((await app.get('/v1/datasets', { key: secret })).status).toBe(401)
    const all = await call(operator, 'GET', '/keys?limit=200')
    expect(all.body.data.at(-1)).toMatchObject({ key_id, email: 'ion@example.org' })
    expect(all.text + renamed.answer.text + revoked.answer.text).not.toContain(secret)
    expect(said(await call(operator, 'POST', '/keys', { label: 'nobody' }))).toBe('422 invalid_body')
    expect(said(await call(operator, 'POST', '/keys', { label: 'x', plan: 'none' }))).toBe('422 invalid_body')
    expect(said(await call(operator, 'POST', '/keys', { label: 'x', user_id: 9999 }))).toBe('404 not_found')
    expect(said(await call(operator, 'POST', '/keys/9999/revoke'))).toBe('404 key_not_found')
  })

  test('backups, which stay on the machine', async () => {
    const { answer, added } = await entriesOf('POST', '/backups')
    expect([answer.status < 300, added]).toEqual([true, ['backup_started null']])
    let listed = answer.body
    while (listed.running) listed = (await call(operator, 'GET', '/backups')).body
    expect(listed).toMatchObject({ folder: backups, keep: 14, failed: null })
    expect(listed.data).toHaveLength(1)
    expect(readdirSync(backups)).toContain(listed.data[0].name)
    expect(listed.data[0].bytes).toBeGreaterThan(1000)
    expect(existsSync(listed.last.target)).toBe(true)
  })

  test('reading the request log, all of it or of one key', async () => {
    const { key_id, secret } = await app.mintKey()
    await app.get('/v1/datasets', { key: secret })
    const { answer, added } = await entriesOf('GET', `/logs?key_id=${key_id}`)
    expect(answer.body.data).toMatchObject([{ key_id, path: '/v1/datasets', status: 200 }])
    expect(added).toEqual(['request_log_read null'])
    expect((await events())[0]).toMatchObject({ event: 'request_log_read', key_id })
    expect((await entriesOf('GET', '/logs')).answer.body.pagination.total).toBeGreaterThan(1)
    expect(said(await call(operator, 'GET', '/logs?key_id=9999'))).toBe('404 key_not_found')
  })
})

describe('15 roles', () => {
  test('change only with the password', async () => {
    const { id } = (await reader.get('/me')).body.user
    const before = (await events()).length
    for (const [method, path, body] of [
      ['PUT', `/accounts/${id}/role`, { role: 'operator', password: 'wrong' }],
      ['DELETE', `/accounts/${id}`, { password: 'wrong' }],
      ['POST', `/accounts/${id}/reset-second-factor`, { password: 'wrong' }],
    ] as const)
      expect(said(await call(operator, method, path, body))).toBe('422 invalid_credentials')
    expect(said(await call(operator, 'PUT', `/accounts/${id}/role`, { role: 'operator' }))).toBe(
      '422 invalid_body',
    )
    expect((await events()).length).toBe(before)
  })

  test('the last operator cannot give up the role or the account', async () => {
    const { id } = (await operator.get('/me', { headers: LOCAL })).body.user
    const asReader = { role: 'reader', password: PASSWORD }
    expect(said(await call(operator, 'PUT', `/accounts/${id}/role`, asReader))).toBe('409 last_operator')
    expect(said(await call(operator, 'DELETE', `/accounts/${id}`, { password: PASSWORD }))).toBe(
      '409 last_operator',
    )
    expect(said(await operator.delete('/me', { password: PASSWORD }))).toBe('409 last_operator')
    const asOperator = { role: 'operator', password: PASSWORD }
    // An operator without a password does not count, as it cannot sign in.
    const invited = (await call(operator, 'POST', '/accounts', { email: 'invited@example.org' })).body.id
    expect(said(await call(operator, 'PUT', `/accounts/${invited}/role`, asOperator))).toBe('200')
    expect(said(await call(operator, 'PUT', `/accounts/${id}/role`, asReader))).toBe('409 last_operator')
    expect(said(await call(operator, 'DELETE', `/accounts/${invited}`, { password: PASSWORD }))).toBe('204')
    const other = (await reader.get('/me')).body.user.id
    expect(said(await call(operator, 'PUT', `/accounts/${other}/role`, asOperator))).toBe('200')
    expect(said(await call(reader, 'PUT', `/accounts/${id}/role`, asReader))).toBe('200')
    expect(said(await call(operator, 'GET', '/plans'))).toBe('403 role_missing')
    expect(said(await call(reader, 'PUT', `/accounts/${id}/role`, asOperator))).toBe('200')
    expect(said(await call(operator, 'PUT', `/accounts/${other}/role`, asReader))).toBe('200')
  })
})

describe('15 what operators see', () => {
  test('accounts by part of their address, in pages', async () => {
    const { body } = await call(operator, 'GET', '/accounts?q=ANA@&limit=1')
    expect(body.data).toMatchObject([{ email: 'ana@example.org', role: 'publisher' }])
    expect(body.pagination).toMatchObject({ total: 1, has_next: false })
    const { id } = body.data[0]
    const shown = await call(operator, 'GET', `/accounts/${id}`)
    expect(shown.body).toMatchObject({ sessions: 1, active_keys: 0 })
    expect(said(await call(operator, 'GET', '/accounts/x'))).toBe('422 invalid_value')
  })

  test('datasets and their use', async () => {
    const { body } = await call(operator, 'GET', '/datasets')
    expect(body.data).toMatchObject([{ id: 'towns', version: 1, last_failure: null }])
    await app.get('/v1/geospatial/towns?limit=1')
    const use = await call(operator, 'GET', '/usage?by=dataset')
    expect(use.body.data).toMatchObject([{ dataset: 'towns', calls: 1 }])
  })

  test('settings with their origin, without secrets', async () => {
    const other = await startTestApp({
      flags: { smtp_url: `smtp://izvor:${SMTP_PASSWORD}@127.0.0.1:1` },
    })
    try {
      const browser = new Browser(other, '127.0.0.1')
      const email = 'maria@example.org'
      const local = { headers: { 'x-forwarded-for': undefined } }
      await browser.post('/signup', { email, password: PASSWORD }, local)
      const role = { role: 'operator', publisher_domains: null } as const
      await setAccountRole(other.app.accounts, email, role, new Date())
      const headers = { cookie: browser.cookie! }
      const { body, text } = await other.get('/operate/api/settings', { key: null, headers })
      const byName = new Map(body.map((setting: { name: string }) => [setting.name, setting]))
      expect(byName.get('smtp_url')).toMatchObject({ value: '***', written: '***' })
      expect(byName.get('operate')).toMatchObject({ value: 'loopback', env: 'IZVOR_OPERATE' })
      expect(text).not.toContain(SMTP_PASSWORD)
    } finally {
      await other.stop()
    }
  })

  test('findings of the doctor, with remedies', async () => {
    const { status, body } = await call(operator, 'GET', '/findings')
    expect(status).toBe(200)
    const checks = body.findings.map(({ check }: { check: string }) => check)
    expect(checks).toContain('disk')
    for (const { state, why, remedy } of body.findings) {
      if (state === 'ok') continue
      expect([typeof why, typeof remedy]).toEqual(['string', 'string'])
    }
    expect((await call(operator, 'GET', '/findings')).body.at).toBe(body.at)
  })
})
