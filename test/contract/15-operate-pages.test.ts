/** The pages of `/operate`: who sees them, what their forms do without scripts, and what they never reveal. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireOwner, setAccountRole } from '../../src/accounts/people/operator.ts'
import { openSession } from '../../src/accounts/people/sign-in/sessions.ts'
import { requireUser } from '../../src/accounts/people/user.ts'
import { inTransaction } from '../../src/db/accounts.ts'
import { OPERATE_PATHS } from '../../src/pages/operate/operate-places.ts'
import { ACCOUNTS_TEXTS, OPERATE_TEXTS } from '../../src/pages/operate/texts/operate-texts.ts'
import { EVENT_TEXTS } from '../../src/pages/operate/texts/record-texts.ts'
import { ROUTES } from '../../src/server/routes.ts'
import type { Finding } from '../../src/upkeep/desk-work.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type AccountApp, Browser, startAccountApp } from '../support/browser.ts'
import { PASSWORD } from '../support/passwords.ts'
import { TOWNS } from '../support/towns.ts'

let accounts: AccountApp
let app: TestApp
let operator: Browser
let reader: Browser
let publisher: Browser
const backups = mkdtempSync(join(tmpdir(), 'izvor-backups-'))
beforeAll(async () => {
  accounts = await startAccountApp({ backup_dir: backups })
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

/** From this machine unless the headers say otherwise. */
function headersOf(who: Browser | null, headers: Record<string, string> = {}) {
  const sent = { accept: 'text/html', 'accept-language': 'en', 'x-forwarded-for': '127.0.0.1', ...headers }
  return who?.cookie === undefined ? sent : { ...sent, cookie: who.cookie }
}

function visit(who: Browser | null, path: string, headers?: Record<string, string>) {
  return app.get(path, { key: null, headers: headersOf(who, headers) })
}

/** Sends the fields as the form of a page does. */
function send(who: Browser | null, path: string, fields: Record<string, string>, headers = {}) {
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers }
  const body = new URLSearchParams({ csrf_token: who?.csrf ?? '', ...fields }).toString()
  return app.get(path, { method: 'POST', key: null, headers: headersOf(who, form), body })
}

async function idOf(who: Browser): Promise<number> {
  return (await who.get('/me')).body.user.id
}

async function lastEvent() {
  return (await app.get('/operate/api/audit?limit=1', { key: null, headers: headersOf(operator) })).body
    .data[0]
}

const PAGES = Object.values(OPERATE_PATHS).map((path) => path.replace(':account', '1'))
const FORMS = ROUTES.filter(({ path, access }) => path.startsWith('/operate/api') && access === 'operation')

describe('15 who sees the pages of operators', () => {
  test('an operator, in both languages', async () => {
    for (const path of PAGES) {
      for (const language of ['ro', 'en']) {
        const { status, text, headers } = await visit(operator, `${path}?lang=${language}`)
        expect([path, status]).toEqual([path, 200])
        expect(text).toContain(`<html lang="${language}">`)
        expect(headers.get('cache-control')).toContain('no-store')
        expect(text).not.toContain('undefined')
      }
    }
  })

  test('not readers or publishers; visitors are redirected to the sign-in, and back', async () => {
    for (const path of PAGES) {
      for (const who of [reader, publisher]) expect((await visit(who, path)).status).toBe(403)
      const { status, headers } = await visit(null, path)
      const next = encodeURIComponent(path)
      expect([status, headers.get('location')]).toEqual([303, `/account/login?next=${next}`])
    }
  })

  test('their forms do nothing for others, from other sites, or without the token of the session', async () => {
    const fields = { operation: 'setPlan', plan: 'free', monthly_quota: '1' }
    for (const { described } of FORMS) {
      const operation = described?.id ?? ''
      for (const who of [reader, publisher])
        expect((await send(who, '/operate/plans', { ...fields, operation })).status).toBe(403)
      const stolen = await send(operator, '/operate/plans', { ...fields, operation, csrf_token: 'x' })
      expect(stolen.status).toBe(403)
    }
    const foreign = { 'sec-fetch-site': 'cross-site' }
    expect((await send(operator, '/operate/plans', fields, foreign)).status).toBe(403)
    expect((await send(null, '/operate/plans', fields)).status).toBe(303)
    expect((await send(operator, '/operate/plans', { operation: 'listPlans' })).status).toBe(404)
    expect((await visit(operator, '/operate/plans')).text).not.toContain('value="1"')
  })

  test('nobody on another machine, unless the setting says so', async () => {
    const outside = { 'x-forwarded-for': '203.0.113.9' }
    for (const path of PAGES) expect((await visit(operator, path, outside)).status).toBe(404)
    const fields = { operation: 'setPlan', plan: 'free' }
    expect((await send(operator, '/operate/plans', fields, outside)).status).toBe(404)
    expect((await visit(operator, '/', outside)).text).not.toContain('href="/operate"')
    expect((await visit(operator, '/')).text).toContain('href="/operate"')
    expect((await visit(publisher, '/')).text).not.toContain('href="/operate"')
    const off = await startTestApp({ flags: { operate: 'off' } })
    try {
      expect((await off.get('/operate', { key: null })).status).toBe(404)
    } finally {
      await off.stop()
    }
  })

  test('an operator on another machine only with a second factor', async () => {
    const on = await startTestApp({ flags: { operate: 'on', trusted_proxies: '127.0.0.1' } })
    try {
      const far = new Browser(on, '203.0.113.9')
      await far.post('/signup', { email: 'far@example.org', password: PASSWORD })
      const role = { role: 'operator', publisher_domains: null } as const
      await setAccountRole(on.app.accounts, 'far@example.org', role, new Date())
      const headers = { cookie: far.cookie!, accept: 'text/html', 'x-forwarded-for': far.ip }
      const { status, headers: sent } = await on.get('/operate', { key: null, headers })
      expect([status, sent.get('location')]).toEqual([303, '/account/security'])
    } finally {
      await on.stop()
    }
  })
})

describe('15 the forms', () => {
  test('change the role and plan of an account, and delete it', async () => {
    const id = await idOf(await accounts.signUp('school@example.org'))
    const path = `/operate/accounts/${id}`
    const wrong = await send(operator, path, { operation: 'setRole', role: 'publisher', password: 'wrong' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('This is not your current password.')
    expect(wrong.text).toMatch(/<option value="publisher" selected/)
    const role = {
      operation: 'setRole',
      role: 'publisher',
      publisher_domains: 'economy, health',
      password: PASSWORD,
    }
    const done = await send(operator, path, role)
    expect([done.status, done.headers.get('location')]).toEqual([303, `${path}?done=setRole`])
    expect(await lastEvent()).toMatchObject({ user_id: id, detail: 'publisher of economy, health' })
    expect((await visit(operator, `${path}?done=setRole`)).text).toContain('The role is changed.')
    await send(operator, path, { operation: 'setAccountPlan', plan: 'unlimited' })
    expect(await lastEvent()).toMatchObject({ event: 'account_plan_changed', detail: 'unlimited' })
    const gone = await send(operator, path, { operation: 'removeAccount', password: PASSWORD })
    expect(gone.headers.get('location')).toBe('/operate/accounts?done=removeAccount')
    expect((await visit(operator, path)).status).toBe(404)
  })

  test('do not remove the last operator, and say why', async () => {
    const path = `/operate/accounts/${await idOf(operator)}`
    const fields = { operation: 'setRole', role: 'reader', password: PASSWORD }
    const { status, text } = await send(operator, path, fields)
    expect(status).toBe(409)
    expect(text).toContain('role="alert"')
  })

  test('show a password link once, which makes an account usable', async () => {
    const made = await send(operator, '/operate/accounts', {
      operation: 'createAccount',
      email: 'new@example.org',
    })
    expect(made.headers.get('location')).toBe('/operate/accounts?done=createAccount')
    const listed = await visit(operator, '/operate/accounts?q=new@')
    const [, id] = /href="\/operate\/accounts\/(\d+)"/.exec(listed.text)!
    expect(listed.text).toContain(ACCOUNTS_TEXTS.en.number)
    expect(listed.text).toMatch(new RegExp(`<td[^>]*>${id}</td>`))
    const shown = await send(operator, `/operate/accounts/${id}`, { operation: 'inviteAccount' })
    expect(shown.status).toBe(200)
    const [, token] = /#token=([\w-]+)/.exec(shown.text)!
    const set = await new Browser(app).post('/password/reset', { token, new_password: PASSWORD })
    expect(set.status).toBe(200)
    expect((await visit(operator, `/operate/accounts/${id}`)).text).not.toContain(token!)
  })

  test('lead the owner of a desktop, who has no password, to a link that sets one', async () => {
    const db = app.app.accounts
    const { id } = await requireOwner(db, 'en', accounts.now())
    const user = await requireUser(db, id)
    const client = { ip: '127.0.0.1', userAgent: null, isLocal: true }
    const { token, body } = await inTransaction(db, (tx) =>
      openSession(app.app.accountService, tx, user, client, accounts.now()),
    )
    const owner = new Browser(app, '127.0.0.1')
    owner.cookie = `izvor_session=${token}`
    owner.csrf = body.csrf_token
    const path = `/operate/accounts/${id}`
    const { text } = await visit(owner, path)
    expect(text).toContain(ACCOUNTS_TEXTS.en.noPassword)
    expect(text).not.toContain('id="setRole"')
    const shown = await send(owner, path, { operation: 'inviteAccount' })
    expect(shown.text).toContain(OPERATE_TEXTS.en.openLink)
    expect((await visit(operator, path)).text).toContain('id="setRole"')
  })

  test('mint a key, whose secret is shown once, change its label, and revoke it', async () => {
    const fields = {
      operation: 'mintOperatorKey',
      label: 'Portal',
      plan: 'free',
      scopes: '',
      monthly_quota: '',
    }
    const { text } = await send(operator, '/operate/keys', { ...fields, expires_at: '', user_id: '' })
    for (const [scopes, said] of [
      ['read:geospatal', OPERATE_TEXTS.en.scopeUnknown('read:geospatal', 'read:geospatial')],
      ['citire', OPERATE_TEXTS.en.scopesWrong],
    ] as const)
      expect((await send(operator, '/operate/keys', { ...fields, scopes })).text).toContain(said)
    const [secret] = /rok_[0-9A-Za-z]{38}/.exec(text)!
    expect((await app.get('/v1/datasets', { key: secret })).status).toBe(200)
    const { key_id } = await lastEvent()
    const change = {
      key_id: String(key_id),
      label: 'City portal',
      scopes: 'read:geospatial',
      monthly_quota: '5',
    }
    await send(operator, '/operate/keys', { operation: 'changeAnyKey', ...change })
    const listed = await visit(operator, '/operate/keys')
    expect(listed.text).toContain('City portal')
    expect(listed.text).toContain('read:geospatial')
    expect(listed.text).not.toContain(secret)
    await send(operator, '/operate/keys', { operation: 'revokeAnyKey', key_id: String(key_id) })
    expect((await app.get('/v1/datasets', { key: secret })).status).toBe(401)
  })

  test('change and add plans, where an empty field means no limit', async () => {
    const limits = { monthly_quota: '', per_minute: '30', max_active_keys: '4' }
    await send(operator, '/operate/plans', { operation: 'setPlan', plan: 'schools', ...limits })
    const { body } = await app.get('/operate/api/plans', { key: null, headers: headersOf(operator) })
    const plan = { name: 'schools', monthly_quota: null, per_minute: 30, max_active_keys: 4 }
    expect(body).toContainEqual(plan)
    const wrong = { ...limits, monthly_quota: 'many' }
    const refused = await send(operator, '/operate/plans', {
      operation: 'setPlan',
      plan: 'schools',
      ...wrong,
    })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('value="many"')
    expect(refused.text).toContain(OPERATE_TEXTS.en.limitWrong)
    const other = await send(operator, '/operate/plans', { operation: 'setPlan', plan: 'Școli', ...limits })
    expect(other.status).toBe(422)
  })

  test('make a backup, which is then in the list', async () => {
    const { status, headers } = await send(operator, '/operate/backups', { operation: 'makeBackup' })
    expect([status, headers.get('location')]).toEqual([303, '/operate/backups?done=makeBackup'])
    let page = await visit(operator, '/operate/backups')
    while (page.text.includes('A backup is being made.')) page = await visit(operator, '/operate/backups')
    expect(page.text).toMatch(/<code>izvor-[^<]+<\/code>/)
  })
})

describe('15 what the pages show', () => {
  test('first what needs attention: findings with remedies, and datasets whose file was refused', async () => {
    await app.app.catalog.refusals.record(
      { dataset: 'towns', domain: 'geospatial', reason: 'No row is left.', reasons: null },
      accounts.now(),
    )
    const { text } = await visit(operator, '/operate')
    expect(text).toContain('No row is left.')
    expect(text.indexOf('id="attention"')).toBeLessThan(text.indexOf('id="figures"'))
    const { body } = await app.get('/operate/api/findings', { key: null, headers: headersOf(operator) })
    for (const { remedy } of body.findings) if (remedy !== null) expect(text).toContain('Remedy:')
    const asks = body.findings.some((one: Finding) => one.check === 'backups' && one.remedy !== null)
    expect(text.includes('href="/operate/setup#backup"')).toBe(asks)
  })

  test('a reason that looks like a script as text', async () => {
    await app.app.catalog.refusals.record(
      { dataset: 'towns', domain: 'geospatial', reason: '<script>alert(1)</script>', reasons: null },
      accounts.now(),
    )
    expect((await visit(operator, '/operate')).text).not.toContain('<script>alert')
  })

  test('the audit log, with each reading of the request log, and a sentence for every event', async () => {
    await app.get('/v1/datasets')
    expect((await visit(operator, '/operate/logs?q=&key_id=&since=2025-01-01T00:00')).text).toContain(
      '/v1/datasets',
    )
    expect(await lastEvent()).toMatchObject({ event: 'request_log_read' })
    expect((await visit(operator, '/operate/logs?key_id=x')).status).toBe(422)
    const audit = await visit(operator, '/operate/audit?event=request_log_read')
    expect(audit.text).toContain(EVENT_TEXTS.en.request_log_read)
  })

  test('settings with their origin, without secrets', async () => {
    const { text } = await visit(operator, '/operate/settings')
    expect(text).toContain('backup_dir')
    expect(text).toContain('***')
    expect(text).not.toContain(accounts.mail.url)
  })
})
