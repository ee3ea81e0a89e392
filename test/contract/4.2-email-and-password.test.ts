import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AccountApp, Browser, startAccountApp } from '../support/browser.ts'
import { OTHER_PASSWORD, PASSWORD } from '../support/passwords.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

let accounts: AccountApp
beforeAll(async () => {
  accounts = await startAccountApp()
  await accounts.app.publish(TOWNS)
})
afterAll(() => accounts.stop())

const OK = { status: 'ok', message: expect.any(String) }
const visitor = () => new Browser(accounts.app)
const verify = (token: string) => visitor().post('/email/verify', { token })
const forgot = (email: string) => visitor().post('/password/forgot', { email })
const reset = (token: string, new_password: string) =>
  visitor().post('/password/reset', { token, new_password })
const login = (email: string, password: string) => visitor().post('/login', { email, password })
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? 'ok'}`

/** The token of the latest mail to an address. */
const latestToken = async (email: string) => (await accounts.mailsTo(email)).at(-1)!.token

describe('4.2 e-mail verification', () => {
  test('sign-up sends a mail whose link verifies, once, without any session', async () => {
    const browser = await accounts.signUp('verify@example.org')
    const [mail, ...more] = await accounts.mailsTo('verify@example.org')
    expect(more).toEqual([])
    expect(mail!.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/account\/verify#token=[\w-]{43}$/)
    expect(mail!.link).toStartWith(accounts.app.url)
    expect((await browser.get('/me')).body.user.email_verified).toBe(false)

    const answer = await verify(mail!.token)
    expect([answer.status, answer.body]).toEqual([200, OK])
    expect(answer.headers.getSetCookie()).toEqual([])
    expect((await browser.get('/me')).body.user.email_verified).toBe(true)
    expect(codeOf(await verify(mail!.token))).toBe('422 token_invalid')
  })

  test('the link works for 24 hours and no longer', async () => {
    const [early, late] = [
      await accounts.signUp('early@example.org'),
      await accounts.signUp('late@example.org'),
    ]
    const tokens = [await latestToken('early@example.org'), await latestToken('late@example.org')]
    accounts.pass(86_399)
    expect(codeOf(await verify(tokens[0]!))).toBe('200 ok')
    accounts.pass(1)
    expect(codeOf(await verify(tokens[1]!))).toBe('422 token_invalid')
    expect((await early.get('/me')).body.user.email_verified).toBe(true)
    expect((await late.get('/me')).body.user.email_verified).toBe(false)
  })

  test.each(['', 'x', 'a'.repeat(43), '../../etc/passwd', "' OR 1=1 --"])(
    'a token of %j is 422 token_invalid',
    async (token) => {
      expect(codeOf(await verify(token))).toBe('422 token_invalid')
    },
  )

  test('an unverified address limits nothing', async () => {
    const browser = await accounts.signUp('unverified@example.org')
    const { secret } = (await browser.post('/keys', { label: 'x' })).body
    expect((await accounts.app.get(TOWNS_PATH, { key: secret })).status).toBe(200)
  })

  test('resend answers 202 whether or not a mail is needed, and sends at most 5 an hour', async () => {
    const browser = await accounts.signUp('resend@example.org')
    const first = await browser.post('/email/resend-verification')
    expect([first.status, first.body]).toEqual([202, OK])
    expect((await accounts.mailsTo('resend@example.org')).length).toBe(2)
    await verify(await latestToken('resend@example.org'))
    const second = await browser.post('/email/resend-verification')
    expect([second.status, second.text]).toEqual([202, first.text])
    expect((await accounts.mailsTo('resend@example.org')).length).toBe(2)

    for (let number = 0; number < 3; number++) await browser.post('/email/resend-verification')
    const refused = await browser.post('/email/resend-verification')
    expect([codeOf(refused), refused.headers.get('retry-after')]).toEqual(['429 rate_limited', '3600'])
  })

  test('a mail links to this service even if the request names another host', async () => {
    const email = 'host@example.org'
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    expect((await visitor().post('/signup', { email, password: PASSWORD }, { headers })).status).toBe(201)
    await visitor().post('/password/forgot', { email }, { headers })
    for (const mail of await accounts.mailsTo(email)) {
      expect(mail.link).toStartWith(accounts.app.url)
      expect(mail.raw).not.toContain('evil')
    }
  })
})

describe('4.2 POST /account/api/password/forgot', () => {
  test('always answers 202 with the same body; only an account gets a mail', async () => {
    await accounts.signUp('forgot@example.org')
    const answers = [await forgot('forgot@example.org'), await forgot('nobody@example.org')]
    for (const { status, text, body } of answers) {
      expect([status, text, body]).toEqual([202, answers[0]!.text, OK])
    }
    const mails = await accounts.mailsTo('forgot@example.org')
    expect(mails.at(-1)!.link).toMatch(/\/account\/reset#token=[\w-]{43}$/)
    expect(mails.length).toBe(2)
    expect(await accounts.mailsTo('nobody@example.org')).toEqual([])
  })

  test('beyond 5 an hour the answer is the same and nothing is sent', async () => {
    await accounts.signUp('often@example.org')
    const texts = []
    for (let number = 0; number < 7; number++) {
      const { status, text } = await forgot('often@example.org')
      texts.push(`${status} ${text}`)
    }
    expect(new Set(texts).size).toBe(1)
    // One to verify and at most five resets: a newer reset replaces an older one that was not sent yet.
    expect((await accounts.mailsTo('often@example.org')).length).toBeLessThanOrEqual(6)
    const before = (await accounts.mailsTo('often@example.org')).length
    accounts.pass(3600)
    await forgot('often@example.org')
    expect((await accounts.mailsTo('often@example.org')).length).toBe(before + 1)
  })

  test('after 30 addresses from one network within an hour the answer is the same and nothing is sent', async () => {
    await accounts.signUp('flooded@example.org')
    const flooder = new Browser(accounts.app, '203.0.113.77')
    const ask = (email: string) => flooder.post('/password/forgot', { email })
    const { text } = await ask('made-up-0@example.org')
    for (let number = 1; number < 30; number++) await ask(`made-up-${number}@example.org`)
    const before = (await accounts.mailsTo('flooded@example.org')).length
    const beyond = await ask('flooded@example.org')
    expect([beyond.status, beyond.text]).toEqual([202, text])
    expect((await accounts.mailsTo('flooded@example.org')).length).toBe(before)
    await forgot('flooded@example.org')
    expect((await accounts.mailsTo('flooded@example.org')).length).toBe(before + 1)
  })
})

describe('4.2 POST /account/api/password/reset', () => {
  test('sets the password once, ends every session, keeps the API keys', async () => {
    const email = 'reset@example.org'
    const sessions = [await accounts.signUp(email), await accounts.signIn(email)]
    const { secret } = (await sessions[0]!.post('/keys', { label: 'kept' })).body
    await forgot(email)
    const token = await latestToken(email)
    const answer = await reset(token, OTHER_PASSWORD)
    expect([answer.status, answer.body]).toEqual([200, OK])
    expect(answer.headers.getSetCookie()).toEqual([])
    for (const session of sessions) expect((await session.get('/me')).status).toBe(401)
    expect(codeOf(await login(email, PASSWORD))).toBe('401 invalid_credentials')
    expect(codeOf(await login(email, OTHER_PASSWORD))).toBe('200 ok')
    expect((await accounts.app.get(TOWNS_PATH, { key: secret })).status).toBe(200)
    expect(codeOf(await reset(token, PASSWORD))).toBe('422 token_invalid')
    expect(codeOf(await login(email, OTHER_PASSWORD))).toBe('200 ok')
  })

  test('the link works for 30 minutes, or until a newer one is requested', async () => {
    const email = 'expire@example.org'
    await accounts.signUp(email)
    await forgot(email)
    const first = await latestToken(email)
    accounts.pass(1)
    await forgot(email)
    const second = await latestToken(email)
    expect(second).not.toBe(first)
    expect(codeOf(await reset(first, OTHER_PASSWORD))).toBe('422 token_invalid')
    accounts.pass(1800)
    expect(codeOf(await reset(second, OTHER_PASSWORD))).toBe('422 token_invalid')
    await forgot(email)
    const third = await latestToken(email)
    accounts.pass(1799)
    expect(codeOf(await reset(third, OTHER_PASSWORD))).toBe('200 ok')
  })

  test('a refused password does not use up the token', async () => {
    const email = 'careless@example.org'
    await accounts.signUp(email)
    await forgot(email)
    const token = await latestToken(email)
    for (const weak of ['short', 'password123', `${email}!!`]) {
      expect(codeOf(await reset(token, weak))).toBe('422 weak_password')
    }
    expect(codeOf(await reset(token, OTHER_PASSWORD))).toBe('200 ok')
  })

  test('the token of one kind of mail is not accepted for the other', async () => {
    const email = 'kinds@example.org'
    await accounts.signUp(email)
    const verification = await latestToken(email)
    await forgot(email)
    const resetting = await latestToken(email)
    expect(codeOf(await reset(verification, OTHER_PASSWORD))).toBe('422 token_invalid')
    expect(codeOf(await verify(resetting))).toBe('422 token_invalid')
    expect(codeOf(await verify(verification))).toBe('200 ok')
    expect(codeOf(await reset(resetting, OTHER_PASSWORD))).toBe('200 ok')
  })
})

describe('4.2 POST /account/api/password/change', () => {
  const change = (browser: Browser, current_password: string, new_password: string) =>
    browser.post('/password/change', { current_password, new_password })

  test('changes the password, keeps this session and ends all others; the owner gets a mail', async () => {
    const email = 'change@example.org'
    const here = await accounts.signUp(email)
    const there = await accounts.signIn(email)
    const answer = await change(here, PASSWORD, OTHER_PASSWORD)
    expect([answer.status, answer.body]).toEqual([200, OK])
    expect((await here.get('/me')).status).toBe(200)
    expect((await there.get('/me')).status).toBe(401)
    expect(codeOf(await login(email, PASSWORD))).toBe('401 invalid_credentials')
    expect(codeOf(await login(email, OTHER_PASSWORD))).toBe('200 ok')
    const notice = (await accounts.mailsTo(email)).at(-1)!
    expect(notice.subject).toBe('Your password was changed')
    expect(notice.raw).not.toContain(OTHER_PASSWORD)
  })

  test('a wrong current password is 422 invalid_credentials, and attempts are limited', async () => {
    const browser = await accounts.signUp('wrong@example.org')
    const answer = await change(browser, 'not the password', OTHER_PASSWORD)
    expect(codeOf(answer)).toBe('422 invalid_credentials')
    expect(answer.body.error.detail[0].location).toBe('body.current_password')
    for (let number = 0; number < 29; number++) await change(browser, 'not the password', OTHER_PASSWORD)
    const refused = await change(browser, PASSWORD, OTHER_PASSWORD)
    expect([codeOf(refused), refused.headers.get('retry-after')]).toEqual(['429 rate_limited', '3600'])
    expect((await browser.get('/me')).status).toBe(200)
  })

  test('a weak new password is 422 weak_password', async () => {
    const browser = await accounts.signUp('weak-change@example.org')
    const answer = await change(browser, PASSWORD, 'qwertyuiop')
    expect(codeOf(answer)).toBe('422 weak_password')
    expect(answer.body.error.detail[0].location).toBe('body.new_password')
    expect(codeOf(await login('weak-change@example.org', PASSWORD))).toBe('200 ok')
  })
})
