import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { formatTimestamp } from '../../src/base/text/timestamp.ts'
import { type AccountApp, Browser, startAccountApp } from '../support/browser.ts'
import { OTHER_PASSWORD, PASSWORD } from '../support/passwords.ts'

let accounts: AccountApp
let visitor: Browser
beforeAll(async () => {
  accounts = await startAccountApp()
  visitor = new Browser(accounts.app)
})
afterAll(() => accounts.stop())

describe('4.2 POST /account/api/signup', () => {
  test('creates an account and signs in: 201, with the session and its cookie', async () => {
    const browser = new Browser(accounts.app)
    const { status, body, headers } = await browser.post('/signup', {
      ...{ email: ' Ana@Example.org ', password: PASSWORD },
      ...{ full_name: ' Ana Pop ', organization: '', language: 'ro' },
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      user: {
        ...{ id: expect.any(Number), email: 'Ana@Example.org', email_verified: false },
        ...{ full_name: 'Ana Pop', organization: null, language: 'ro', plan: 'free' },
        ...{ role: 'reader', publisher_domains: [], second_factor: false },
        created_at: accounts.stamp(),
      },
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: formatTimestamp(new Date(accounts.now().getTime() + 30 * 86_400_000)),
    })
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^izvor_session=[0-9A-Za-z]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ])
    expect((await browser.get('/me')).body).toEqual(body)
  })

  test('an address with an account is 409 email_taken, whatever its case or surrounding spaces', async () => {
    await accounts.signUp('taken@example.org')
    for (const email of ['taken@example.org', 'TAKEN@example.ORG', ' taken@example.org ']) {
      const answer = await new Browser(accounts.app).post('/signup', { email, password: OTHER_PASSWORD })
      expect([email, answer.status, answer.body.error.code]).toEqual([email, 409, 'email_taken'])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  test.each([
    ['nine characters', 'abcd fgh!'],
    ['257 characters', 'ă'.repeat(257)],
    ['a common one', 'password123'],
    ['one that leaked', 'Usuckballz1'],
    ['a sequence', '1234567890'],
    ['the address in it', 'x weak@example.org y'],
  ])('a weak password (%s) is 422 weak_password', async (_, password) => {
    const answer = await new Browser(accounts.app).post('/signup', { email: 'weak@example.org', password })
    expect([answer.status, answer.body.error.code]).toEqual([422, 'weak_password'])
    expect(answer.body.error.detail[0].location).toBe('body.password')
    expect(answer.text).not.toContain(password)
  })

  test('a password matches whatever Unicode composition its letters have', async () => {
    await accounts.signUp('composed@example.org', 'țestoase albăstrii'.normalize('NFD'))
    await accounts.signIn('composed@example.org', 'țestoase albăstrii'.normalize('NFC'))
    await accounts.signIn('composed@example.org', 'țestoase albăstrii'.normalize('NFD'))
  })

  test('256 characters of any kind are a password', async () => {
    const password = `${'Îmi plac merele 🍎 '.repeat(20)}`.slice(0, 250)
    await accounts.signUp('long@example.org', password)
    await accounts.signIn('long@example.org', password)
  })

  test.each([
    ['no e-mail', { password: PASSWORD }, 'body.email'],
    ['no password', { email: 'b@example.org' }, 'body.password'],
    ['no address', { email: 'b.example.org', password: PASSWORD }, 'body.email'],
    ['a number', { email: 'b@example.org', password: 1234567890 }, 'body.password'],
    [
      'a long name',
      { email: 'b@example.org', password: PASSWORD, full_name: 'x'.repeat(201) },
      'body.full_name',
    ],
    ['another language', { email: 'b@example.org', password: PASSWORD, language: 'fr' }, 'body.language'],
    ['a plan', { email: 'b@example.org', password: PASSWORD, plan: 'unlimited' }, 'body.plan'],
    [
      'a verdict',
      { email: 'b@example.org', password: PASSWORD, email_verified: true },
      'body.email_verified',
    ],
  ])('a body with %s is 422 invalid_body that names it', async (_, body, location) => {
    const answer = await visitor.post('/signup', body)
    expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_body'])
    expect(answer.body.error.detail.map((problem: { location: string }) => problem.location)).toEqual([
      location,
    ])
  })

  test('all mistakes in a body are reported at once, with suggestions', async () => {
    const { body } = await visitor.post('/signup', { emial: 'a', password: null, full_name: 5 })
    const found = body.error.detail.map((problem: { location: string }) => problem.location)
    expect(found.sort()).toEqual(['body.email', 'body.emial', 'body.full_name', 'body.password'])
    const misspelt = body.error.detail.find(({ location }: { location: string }) => location === 'body.emial')
    expect(misspelt.suggestions).toEqual(['email'])
  })

  test('the sixth within an hour from one address is 429 with Retry-After; other addresses are not affected', async () => {
    const home = '203.0.113.9'
    const from = (ip: string, name: string) =>
      new Browser(accounts.app, ip).post('/signup', { email: `${name}@limit.example`, password: PASSWORD })
    for (let number = 0; number < 5; number++) expect((await from(home, `n${number}`)).status).toBe(201)
    accounts.pass(600)
    const refused = await from(home, 'n5')
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
    expect(refused.headers.get('retry-after')).toBe('3000')
    expect((await from('203.0.113.10', 'n5')).status).toBe(201)
    accounts.pass(2999)
    expect((await from(home, 'n6')).status).toBe(429)
    accounts.pass(1)
    expect((await from(home, 'n6')).status).toBe(201)
  })

  test.each([
    ['ro-RO,ro;q=0.9,en;q=0.5', 'ro'],
    ['en-GB,en;q=0.9', 'en'],
    ['de', 'en'],
  ])('the language follows Accept-Language: %s', async (accepted, language) => {
    const email = `${accepted.slice(0, 2)}@language.example`
    const { body } = await new Browser(accounts.app).post(
      '/signup',
      { email, password: PASSWORD },
      { headers: { 'accept-language': accepted } },
    )
    expect(body.user.language).toBe(language)
  })
})

describe('4.2 POST /account/api/login', () => {
  test('mints a fresh session token each time', async () => {
    const first = await accounts.signUp('login@example.org')
    const second = await accounts.signIn('login@example.org')
    const third = await accounts.signIn(' LOGIN@example.org')
    expect(new Set([first.cookie, second.cookie, third.cookie]).size).toBe(3)
    expect(new Set([first.csrf, second.csrf, third.csrf]).size).toBe(3)
    for (const browser of [first, second, third]) expect((await browser.get('/me')).status).toBe(200)
  })

  test('a cookie planted beforehand never becomes a session', async () => {
    await accounts.signUp('planted@example.org')
    const planted = `izvor_session=${'a'.repeat(43)}`
    const browser = new Browser(accounts.app)
    browser.cookie = planted
    await browser.post('/login', { email: 'planted@example.org', password: PASSWORD })
    expect(browser.cookie).not.toBe(planted)
    const thief = new Browser(accounts.app)
    thief.cookie = planted
    expect((await thief.get('/me')).status).toBe(401)
  })

  test('an unknown address and a wrong password get the same 401', async () => {
    await accounts.signUp('known@example.org')
    const answers = []
    for (const email of ['known@example.org', 'unknown@example.org']) {
      const { status, text, headers } = await new Browser(accounts.app).post(
        '/login',
        { email, password: OTHER_PASSWORD },
        { headers: { 'x-request-id': 'same' } },
      )
      answers.push({ status, text, headers: [...headers].filter(([name]) => name !== 'date') })
    }
    expect(answers[0]!.status).toBe(401)
    expect(JSON.parse(answers[0]!.text).error.code).toBe('invalid_credentials')
    expect(answers[0]).toEqual(answers[1]!)
  })

  test('the eleventh within a minute from one address is 429, for any account', async () => {
    const browser = new Browser(accounts.app)
    const attempt = (number: number) =>
      browser.post('/login', { email: `nobody${number}@example.org`, password: PASSWORD })
    for (let number = 0; number < 10; number++) expect((await attempt(number)).status).toBe(401)
    const refused = await attempt(10)
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
    expect(refused.headers.get('retry-after')).toBe('60')
    accounts.pass(60)
    expect((await attempt(11)).status).toBe(401)
  })

  test('30 failures for one account block unknown networks for an hour, but not those that have signed in before', async () => {
    const owner = await accounts.signUp('attacked@example.org')
    const wrong = { email: 'attacked@example.org', password: OTHER_PASSWORD }
    for (let number = 0; number < 30; number++) {
      expect((await new Browser(accounts.app).post('/login', wrong)).status).toBe(401)
    }
    const right = { email: 'attacked@example.org', password: PASSWORD }
    const stranger = await new Browser(accounts.app).post('/login', right)
    expect([stranger.status, stranger.body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(stranger.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect((await new Browser(accounts.app, owner.ip).post('/login', right)).status).toBe(200)
  })
})

describe('4.2 POST /account/api/logout', () => {
  test('ends only this session, and removes the cookie', async () => {
    const here = await accounts.signUp('logout@example.org')
    const there = await accounts.signIn('logout@example.org')
    const cookie = here.cookie
    const { status, text, headers } = await here.post('/logout')
    expect([status, text]).toEqual([204, ''])
    expect(headers.getSetCookie()).toEqual(['izvor_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
    here.cookie = cookie
    expect((await here.get('/me')).body.error.code).toBe('unauthenticated')
    expect((await there.get('/me')).status).toBe(200)
  })
})
