import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../src/db/schema/accounts-schema.ts'
import { type AccountApp, Browser, startAccountApp } from '../support/browser.ts'
import { bytesBelow } from '../support/folder-bytes.ts'
import { OTHER_PASSWORD, PASSWORD } from '../support/passwords.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'
import { until } from '../support/until.ts'

let accounts: AccountApp
beforeAll(async () => {
  accounts = await startAccountApp()
  await accounts.app.publish(TOWNS)
})
afterAll(() => accounts.stop())

const mint = async (browser: Browser) => (await browser.post('/keys', { label: 'portal' })).body
const use = async (key: string) => (await accounts.app.get(TOWNS_PATH, { key })).body.error?.code ?? 'served'

describe('4.2 GET /account/api/export', () => {
  test('is one download with everything held about the account, secrets excluded', async () => {
    const browser = await accounts.signUp('export@example.org')
    const second = await accounts.signIn('export@example.org')
    const key = await mint(browser)
    await use(key.secret)
    await accounts.app.app.usage.flush()
    const { status, headers, body, text } = await browser.get('/export')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="izvor-account.json"')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      generated_at: accounts.stamp(),
      account: (await browser.get('/me')).body.user,
      sessions: (await browser.get('/sessions')).body,
      sign_ins: (await browser.get('/security/logins')).body,
      keys: (await browser.get('/keys')).body,
      usage: { daily: [{ date: accounts.stamp().slice(0, 10), key_id: key.key_id, requests: 1 }] },
      logs: (await browser.get('/logs')).body.data,
    })
    expect(body.logs.length).toBe(1)
    for (const secret of [
      key.secret,
      browser.cookie!.split('=')[1]!,
      second.csrf!,
      browser.csrf!,
      PASSWORD,
    ]) {
      expect(text).not.toContain(secret)
    }
    expect(text).not.toMatch(/argon2|hash|token/i)
  })

  test('has nothing of other accounts, and all of a long log', async () => {
    const [ana, ion] = [
      await accounts.signUp('ana@export.example'),
      await accounts.signUp('ion@export.example'),
    ]
    const [key, other] = [await mint(ana), await mint(ion)]
    await use(other.secret)
    for (let number = 0; number < 450; number++) {
      await accounts.app.get(`${TOWNS_PATH}?offset=${number}&limit=1`, { key: key.secret })
    }
    const { body, text } = await ana.get('/export', { headers: { 'accept-encoding': 'gzip' } })
    expect(body.logs.map(({ query }: { query: string }) => query)).toEqual(
      Array.from({ length: 450 }, (_, number) => `offset=${number}&limit=1`),
    )
    expect(text).not.toContain('ion@export.example')
    expect(body.keys.map(({ key_id }: { key_id: number }) => key_id)).toEqual([key.key_id])
    for (const record of [...body.logs, ...body.usage.daily]) expect(record.key_id).toBe(key.key_id)
  })
})

describe('4.2 DELETE /account/api/me', () => {
  test('asks for the password; a wrong one changes nothing', async () => {
    const browser = await accounts.signUp('stays@example.org')
    const wrong = await browser.delete('/me', { password: OTHER_PASSWORD })
    expect([wrong.status, wrong.body.error.code]).toEqual([422, 'invalid_credentials'])
    expect((await browser.delete('/me')).body.error.code).toBe('invalid_body')
    expect((await browser.get('/me')).status).toBe(200)
  })

  test('ends all access at once and leaves nothing of the account in any file', async () => {
    const email = 'gone@deletion.example'
    const here = await accounts.signUp(email)
    const there = await accounts.signIn(email)
    await here.patch('/me', { full_name: 'Zaharia Necunoscutul', organization: 'Institutul Dispărut' })
    const [active, revoked] = [await mint(here), await mint(here)]
    await here.post(`/keys/${revoked.key_id}/revoke`)
    const neighbour = await accounts.signUp('neighbour@deletion.example')
    const kept = await mint(neighbour)
    const logged = { 'user-agent': 'Unmistakable/7', 'x-forwarded-for': '192.0.2.77' }
    await accounts.app.get(`${TOWNS_PATH}?people=286598`, { key: active.secret, headers: logged })
    await use(kept.secret)
    await accounts.mailsTo(email)
    const counted = (await accounts.app.get('/stats')).body.accounts

    const cookie = here.cookie
    const { status, text, headers } = await here.delete('/me', { password: PASSWORD })
    expect([status, text]).toEqual([204, ''])
    expect(headers.getSetCookie()[0]).toContain('Max-Age=0')
    here.cookie = cookie
    for (const browser of [here, there]) expect((await browser.get('/me')).status).toBe(401)
    for (const { secret } of [active, revoked]) expect(await use(secret)).toBe('api_key_invalid')
    const again = await new Browser(accounts.app).post('/login', { email, password: PASSWORD })
    expect(again.status).toBe(401)

    const notice = (await accounts.mailsTo(email)).at(-1)!
    expect(notice.subject).toBe('Your account was deleted')
    accounts.pass(10)
    expect((await accounts.app.get('/stats')).body.accounts).toBe(counted - 1)
    expect(await use(kept.secret)).toBe('served')
    expect((await neighbour.get('/usage/summary')).body.total.month).toBe(2)

    const { db } = accounts.app.app.accountService
    await db.emptyLog()
    await accounts.app.app.usage.flush()
    // The request log is cleared after the answer.
    const bytes = () => bytesBelow(accounts.app.app.dataDir.root)
    await until(() => !bytes().includes(logged['user-agent']))
    const found = bytes()
    expect(await db.select().from(users).where(eq(users.email, email))).toEqual([])
    for (const personal of ['Zaharia Necunoscutul', 'Institutul Dispărut', '192.0.2.77', 'people=286598']) {
      expect([personal, found.includes(personal)]).toEqual([personal, false])
    }
  })

  test('the address is free again, and a new account inherits nothing', async () => {
    const first = await accounts.signUp('again@example.org')
    await mint(first)
    const { id } = (await first.get('/me')).body.user
    await first.delete('/me', { password: PASSWORD })
    const second = await accounts.signUp('again@example.org')
    expect((await second.get('/me')).body.user.id).toBeGreaterThan(id)
    expect((await second.get('/keys')).body).toEqual([])
    expect((await second.get('/logs')).body.data).toEqual([])
    expect((await second.get('/security/logins')).body).toEqual([])
  })

  test('links mailed before the deletion no longer work', async () => {
    const email = 'links@deletion.example'
    const browser = await accounts.signUp(email)
    await new Browser(accounts.app).post('/password/forgot', { email })
    const [verification, resetting] = await accounts.mailsTo(email)
    await browser.delete('/me', { password: PASSWORD })
    const visitor = new Browser(accounts.app)
    const verified = await visitor.post('/email/verify', { token: verification!.token })
    const reset = await visitor.post('/password/reset', {
      ...{ token: resetting!.token, new_password: OTHER_PASSWORD },
    })
    for (const { status, body } of [verified, reset]) {
      expect([status, body.error.code]).toEqual([422, 'token_invalid'])
    }
  })
})
