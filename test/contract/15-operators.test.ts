/** The operator role: where it may publish, and what its sessions need away from this machine. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { mintKey } from '../../src/accounts/keys/keys.ts'
import { listAccounts, requireOwner } from '../../src/accounts/people/operator.ts'
import { appCode } from '../support/authenticator.ts'
import { type AccountApp, Browser, startAccountApp } from '../support/browser.ts'
import { PASSWORD } from '../support/passwords.ts'

let accounts: AccountApp
beforeAll(async () => {
  accounts = await startAccountApp()
})
afterAll(() => accounts.stop())

const HOUR = 3600

/** The same session, on this machine. */
function here({ cookie, csrf }: Browser): Browser {
  const local = new Browser(accounts.app, '127.0.0.1')
  local.cookie = cookie
  local.csrf = csrf
  return local
}

const codeOf = ({ status, body }: Awaited<ReturnType<Browser['get']>>) =>
  status < 400 ? status : `${status} ${body.error.code}`

async function publisherOf(headers: Record<string, string>) {
  const { status, body } = await accounts.app.get('/publish/api/me', { key: null, headers })
  return status === 200 ? body.publisher_domains : `${status} ${body.error.code}`
}

describe('an operator', () => {
  test('publishes in all domains, by session and by key', async () => {
    const browser = await accounts.signUpAs('operator', 'all@example.org')
    const { id, role, publisher_domains } = (await browser.get('/me')).body.user
    expect([role, publisher_domains]).toEqual(['operator', null])
    expect(await publisherOf({ cookie: browser.cookie! })).toBeNull()
    const request = { label: 'job', plan: 'free', scopes: ['publish'], userId: id }
    const { secret } = await mintKey(accounts.app.app.accounts, OPERATOR, request, accounts.now())
    expect(await publisherOf({ authorization: `Bearer ${secret}` })).toBeNull()
  })

  test('needs a second factor from another machine, but not on this one', async () => {
    const browser = await accounts.signUpAs('operator', 'far@example.org')
    expect(codeOf(await browser.get('/keys'))).toBe('403 second_factor_required')
    expect(codeOf(await here(browser).get('/keys'))).toBe(200)
    const forwarded = { cookie: browser.cookie!, 'x-forwarded-for': browser.ip }
    expect(await publisherOf(forwarded)).toBe('403 second_factor_required')
    const { secret } = (await browser.post('/second-factor', { password: PASSWORD })).body
    const code = appCode(secret, accounts.now())
    expect((await browser.post('/second-factor/confirm', { code })).status).toBe(200)
    expect(codeOf(await browser.get('/keys'))).toBe(200)
    expect(await publisherOf(forwarded)).toBeNull()
  })

  test('is signed out after twelve hours without use, but not on this machine', async () => {
    const browser = await accounts.signUpAs('operator', 'idle@example.org')
    const reader = await accounts.signUp('reader@example.org')
    for (let hours = 0; hours < 24; hours += 11) {
      accounts.pass(11 * HOUR)
      expect(codeOf(await browser.get('/me'))).toBe(200)
    }
    accounts.pass(12 * HOUR)
    expect(codeOf(await browser.get('/me'))).toBe('401 unauthenticated')
    expect(codeOf(await reader.get('/me'))).toBe(200)
    const local = new Browser(accounts.app, '127.0.0.1')
    expect((await local.post('/login', { email: 'idle@example.org', password: PASSWORD })).status).toBe(200)
    accounts.pass(48 * HOUR)
    expect(codeOf(await local.get('/me'))).toBe(200)
  })
})

describe('the owner of a desktop', () => {
  test('is an operator without a password, whose address nobody else can take', async () => {
    const email = 'owner@localhost'
    const taken = await new Browser(accounts.app).post('/signup', { email, password: PASSWORD })
    expect(codeOf(taken)).toBe('409 email_taken')
    const owner = await requireOwner(accounts.app.app.accounts, 'ro', accounts.now())
    expect(owner).toMatchObject({ email, role: 'operator', passwordHash: null })
    expect((await requireOwner(accounts.app.app.accounts, 'ro', accounts.now())).id).toBe(owner.id)
    const found = (await listAccounts(accounts.app.app.accounts)).filter((user) => user.email === email)
    expect(found).toHaveLength(1)
    const guess = await new Browser(accounts.app).post('/login', { email, password: PASSWORD })
    expect(codeOf(guess)).toBe('401 invalid_credentials')
  })
})
