import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { mintKey, renameKey } from '../../src/accounts/keys/keys.ts'
import { setPlan } from '../../src/accounts/keys/plans.ts'
import { createAccount, setAccountPlan } from '../../src/accounts/people/operator.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

type Answer = Awaited<ReturnType<TestApp['get']>>

/** A month of 31 days. The clock of the instance, which tests move. */
let now = new Date('2025-03-31T23:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'izvor-limits-'))
const started: TestApp[] = []

/** An instance on the data folder that all tests of this file share. */
async function start(): Promise<TestApp> {
  const app = await startTestApp({ flags: { data: join(folder, 'data') }, now: () => now })
  started.push(app)
  return app
}

let app: TestApp

beforeAll(async () => {
  app = await start()
  await app.ingestCsv('town,people\nCluj,10\nIași,20\n', { id: 'towns', domain: 'geo' })
})

afterAll(async () => {
  for (const instance of started) await instance.stop()
  rmSync(folder, { recursive: true, force: true })
})

const LIST = '/v1/geo/towns'
let plans = 0

/** A key on a plan made for it. */
async function keyWith(limits: { quota: number | null; perMinute: number | null }) {
  const name = `plan-${++plans}`
  const plan = { monthly_quota: limits.quota, max_active_keys: 5, per_minute: limits.perMinute }
  await setPlan(app.app.accounts, name, plan, now)
  const { key_id, secret } = await app.mintKey(name)
  const change = (changed: Partial<typeof plan>) => setPlan(app.app.accounts, name, changed, now)
  return { key_id, secret, change, owner: `key:${key_id}` }
}

/** A key with a quota below that of its account's plan. */
async function keyWithin(quota: number | null, own: number) {
  const { accounts } = app.app
  const name = `plan-${++plans}`
  await setPlan(accounts, name, { monthly_quota: quota, max_active_keys: 5, per_minute: null }, now)
  const email = `${name}@example.org`
  const { user } = await createAccount(accounts, { email, language: 'en', mail: false }, now)
  await setAccountPlan(accounts, email, name, now)
  const mint = (monthly_quota: number | null) =>
    mintKey(accounts, user.id, { label: 'job', monthly_quota }, now)
  return { own: await mint(own), other: await mint(null), email }
}

/** The number of answers with each status. */
function statuses(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

function errorOf({ body }: Answer): string {
  return body.error.code
}

const LIMIT_HEADERS = [
  'ratelimit-policy',
  'ratelimit',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]

function limitHeaders({ headers }: { headers: Headers }): (string | null)[] {
  return LIMIT_HEADERS.map((name) => headers.get(name))
}

describe('the monthly quota', () => {
  test('of N serves exactly N under 16 connections', async () => {
    const key = await keyWith({ quota: 100, perMinute: null })
    const connection = async () => {
      const answers: Answer[] = []
      for (let call = 0; call < 10; call++) answers.push(await app.get(LIST, { key: key.secret }))
      return answers
    }
    const answers = (await Promise.all(Array.from({ length: 16 }, connection))).flat()
    expect(statuses(answers)).toEqual({ 200: 100, 429: 60 })
    const refused = answers.find(({ status }) => status === 429)!
    expect(errorOf(refused)).toBe('quota_exceeded')
    expect(refused.headers.get('retry-after')).toBe('3600')
    expect(refused.headers.get('ratelimit')).toBe('"month";r=0;t=3600')
    expect(await app.app.usage.monthOf(key.owner, now)).toBe(100)
  })

  test('is not used by 304s, refusals over the limit or failures of the service, but by all other answers', async () => {
    const key = await keyWith({ quota: 5, perMinute: null })
    const used = async () => app.app.usage.monthOf(key.owner, now)
    const first = await app.get(LIST, { key: key.secret })
    const etag = first.headers.get('etag')!
    expect(await used()).toBe(1)
    const unchanged = await app.get(LIST, { key: key.secret, headers: { 'if-none-match': etag } })
    expect(unchanged.status).toBe(304)
    expect(unchanged.headers.get('ratelimit')).toContain('"month";r=4;')
    expect(await used()).toBe(1)
    const { find } = app.app.catalog
    Object.defineProperty(app.app.catalog, 'find', {
      configurable: true,
      value: () => {
        throw new Error('broken')
      },
    })
    expect((await app.get('/v1/geo/broken', { key: key.secret })).status).toBe(500)
    Object.defineProperty(app.app.catalog, 'find', { configurable: true, value: find })
    expect(await used()).toBe(1)
    for (const [path, status] of [
      ['/v1/geo/none', 404],
      [`${LIST}?x=1`, 422],
      ['/v1/nothing/at/all', 404],
    ] as const) {
      expect((await app.get(path, { key: key.secret })).status).toBe(status)
    }
    expect((await app.get(`${LIST}/export`, { key: key.secret, method: 'HEAD' })).status).toBe(200)
    expect(await used()).toBe(5)
    for (let call = 0; call < 3; call++) {
      expect(errorOf(await app.get(LIST, { key: key.secret }))).toBe('quota_exceeded')
    }
    const late = await app.get(LIST, { key: key.secret, headers: { 'if-none-match': etag } })
    expect(late.status).toBe(429)
    expect(await used()).toBe(5)
    await key.change({ monthly_quota: 6 })
    expect((await app.get(`${LIST}/export`, { key: key.secret })).status).toBe(200)
    expect((await app.get(LIST, { key: key.secret })).status).toBe(429)
  })

  test('is checked after the key and before the path', async () => {
    const key = await keyWith({ quota: 0, perMinute: null })
    for (const path of [LIST, '/v1/geo/none', `${LIST}?x=1`, '/v1/nowhere']) {
      expect((await app.get(path, { key: key.secret })).status).toBe(429)
    }
    expect((await app.get(LIST, { key: key.secret, method: 'POST', body: '{}' })).status).toBe(429)
    expect((await app.get(LIST, { key: null })).status).toBe(401)
  })

  test('restarts with the month, in UTC; if the clock steps back, the old count applies', async () => {
    const key = await keyWith({ quota: 2, perMinute: null })
    const before = now
    const call = async () => (await app.get(LIST, { key: key.secret })).status
    try {
      expect([await call(), await call(), await call()]).toEqual([200, 200, 429])
      now = new Date('2025-03-31T23:59:59.999Z')
      const last = await app.get(LIST, { key: key.secret })
      expect(last.status).toBe(429)
      expect(last.headers.get('retry-after')).toBe('1')
      now = new Date('2025-04-01T00:00:00Z')
      const next = await app.get(LIST, { key: key.secret })
      expect(next.headers.get('ratelimit-policy')).toBe('"month";q=2;w=2592000')
      expect(next.headers.get('ratelimit')).toBe('"month";r=1;t=2592000')
      now = new Date('2025-03-31T23:59:59Z')
      expect(await call()).toBe(429)
      now = new Date('2025-04-01T00:00:01Z')
      expect([await call(), await call()]).toEqual([200, 429])
    } finally {
      now = before
    }
  })

  test('survives a restart, and is shared exactly by two servers on one folder', async () => {
    const key = await keyWith({ quota: 20, perMinute: null })
    const second = await start()
    const [one, two] = [app, second]
    const counts = { served: 0, refused: 0 }
    for (let round = 0; round < 15; round++) {
      for (const instance of [one, two]) {
        const { status } = await instance.get(LIST, { key: key.secret })
        counts[status === 200 ? 'served' : 'refused']++
        await instance.app.usage.flush()
      }
    }
    expect(counts).toEqual({ served: 20, refused: 10 })
    await second.stop()
    started.splice(started.indexOf(second), 1)
    const third = await start()
    expect((await third.get(LIST, { key: key.secret })).status).toBe(429)
    await key.change({ monthly_quota: 21 })
    expect((await third.get(LIST, { key: key.secret })).status).toBe(200)
  })
})

describe('the monthly quota of a key', () => {
  const ask = (key: { secret: string }) => app.get(LIST, { key: key.secret })

  test('of N serves exactly N under 16 connections, and leaves the rest to other keys of the account', async () => {
    const { own, other } = await keyWithin(100, 20)
    const answers = await Promise.all(Array.from({ length: 64 }, () => ask(own)))
    expect(statuses(answers)).toEqual({ 200: 20, 429: 44 })
    const refused = await ask(own)
    expect(errorOf(refused)).toBe('quota_exceeded')
    expect(refused.body.error.message).toContain('The 20 calls a month of this key are used up')
    const next = await ask(other)
    expect([next.status, next.headers.get('ratelimit')]).toEqual([
      200,
      expect.stringMatching(/^"month";r=79;t=\d+$/),
    ])
  })

  test('does not exceed that of the account; the headers show the lower one', async () => {
    const { own, other } = await keyWithin(5, 3)
    const first = await ask(own)
    expect(first.headers.get('ratelimit-policy')).toStartWith('"month";q=3;')
    expect(first.headers.get('ratelimit')).toStartWith('"month";r=2;')
    for (let call = 0; call < 3; call++) await ask(other)
    const last = await ask(own)
    expect([last.status, last.headers.get('ratelimit')]).toEqual([
      200,
      expect.stringMatching(/^"month";r=0;/),
    ])
    const refused = await ask(own)
    expect(refused.body.error.message).toContain('The 5 calls of this month are used up')
  })

  test('applies on a plan without one, counts earlier calls of the month, and restarts with the month', async () => {
    const { own, other } = await keyWithin(null, 2)
    expect((await ask(other)).headers.get('ratelimit')).toBeNull()
    const { accounts } = app.app
    await renameKey(accounts, OPERATOR, other.key_id, { monthly_quota: 2 }, () => null, now)
    for (const key of [own, other])
      expect([(await ask(key)).status, (await ask(key)).status]).toEqual([200, key === own ? 200 : 429])
    const before = now
    now = new Date('2025-04-01T00:00:00Z')
    expect((await ask(own)).status).toBe(200)
    now = before
    expect((await ask(own)).status).toBe(429)
  })

  test('is not used by a 304', async () => {
    const { own } = await keyWithin(100, 2)
    const etag = (await ask(own)).headers.get('etag')!
    for (let call = 0; call < 3; call++) {
      const unchanged = await app.get(LIST, { key: own.secret, headers: { 'if-none-match': etag } })
      expect(unchanged.status).toBe(304)
    }
    expect([(await ask(own)).status, (await ask(own)).status]).toEqual([200, 429])
  })
})

describe('requests per minute', () => {
  test('are limited by the plan for each key, and available again after a minute', async () => {
    const key = await keyWith({ quota: null, perMinute: 3 })
    const before = now
    const call = () => app.get(LIST, { key: key.secret })
    try {
      for (const left of ['2', '1', '0']) {
        const answer = await call()
        expect(answer.status).toBe(200)
        expect(limitHeaders(answer)).toEqual([
          '"minute";q=3;w=60',
          `"minute";r=${left};t=60`,
          '3',
          left,
          '60',
        ])
        now = new Date(now.getTime() + (left === '0' ? 20_000 : 0))
      }
      const refused = await call()
      expect([refused.status, errorOf(refused)]).toEqual([429, 'rate_limited'])
      expect(refused.headers.get('retry-after')).toBe('40')
      expect(limitHeaders(refused)).toEqual(['"minute";q=3;w=60', '"minute";r=0;t=40', '3', '0', '40'])
      now = new Date(now.getTime() + 40_000)
      expect((await call()).status).toBe(200)
    } finally {
      now = before
    }
  })

  test('are used by 304s too, while refused calls use neither rate nor quota', async () => {
    const key = await keyWith({ quota: 10, perMinute: 3 })
    const first = await app.get(LIST, { key: key.secret })
    const headers = { 'if-none-match': first.headers.get('etag')! }
    const rest = []
    for (let call = 0; call < 5; call++) rest.push(await app.get(LIST, { key: key.secret, headers }))
    expect(rest.map(({ status }) => status)).toEqual([304, 304, 429, 429, 429])
    expect(await app.app.usage.monthOf(key.owner, now)).toBe(1)
    expect(rest[4]!.headers.get('ratelimit')).toBe('"minute";r=0;t=60, "month";r=9;t=3600')
  })

  test('are exact under 16 connections', async () => {
    const key = await keyWith({ quota: null, perMinute: 50 })
    const connection = async () => {
      const answers: Answer[] = []
      for (let call = 0; call < 5; call++) answers.push(await app.get(LIST, { key: key.secret }))
      return answers
    }
    const answers = (await Promise.all(Array.from({ length: 16 }, connection))).flat()
    expect(statuses(answers)).toEqual({ 200: 50, 429: 30 })
  })

  test('follow a changed plan at once', async () => {
    const key = await keyWith({ quota: null, perMinute: 1 })
    expect((await app.get(LIST, { key: key.secret })).status).toBe(200)
    expect((await app.get(LIST, { key: key.secret })).status).toBe(429)
    await key.change({ per_minute: 5 })
    const answer = await app.get(LIST, { key: key.secret })
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([200, '3'])
  })
})

describe('the headers', () => {
  test('are on every authenticated answer to a limited key', async () => {
    const key = await keyWith({ quota: 1000, perMinute: 100 })
    const policy = '"minute";q=100;w=60, "month";q=1000;w=2678400'
    const paths = [
      LIST,
      LIST,
      LIST,
      `${LIST}?x=1`,
      '/v1/geo/none',
      `${LIST}/export`,
      '/v1/datasets',
      '/v1/x/y/z/w',
    ]
    for (const [index, path] of paths.entries()) {
      const answer = await app.get(path, { key: key.secret })
      const left = 99 - index
      expect(limitHeaders(answer)).toEqual([
        policy,
        `"minute";r=${left};t=60, "month";r=${900 + left};t=3600`,
        ...['100', String(left), '60'],
      ])
    }
    const posted = await app.get(LIST, { key: key.secret, method: 'POST', body: '{}' })
    expect([posted.status, posted.headers.get('ratelimit-policy')]).toEqual([405, policy])
  })

  test('are not on answers to an unlimited key, no key, or a refused key', async () => {
    const nothing = [null, null, null, null, null]
    expect(limitHeaders(await app.get(LIST))).toEqual(nothing)
    expect(limitHeaders(await app.get(LIST, { key: null }))).toEqual(nothing)
    expect(limitHeaders(await app.get(LIST, { key: 'rok_nonsense' }))).toEqual(nothing)
    expect(limitHeaders(await app.get('/health/live', { key: null }))).toEqual(nothing)
    expect(limitHeaders(await app.get(LIST, { key: null, method: 'OPTIONS' }))).toEqual(nothing)
  })

  test('can be read by pages of other sites', async () => {
    const key = await keyWith({ quota: 1, perMinute: 1 })
    for (let call = 0; call < 2; call++) {
      const { headers } = await app.get(LIST, { key: key.secret })
      const exposed = headers.get('access-control-expose-headers')!.toLowerCase().split(', ')
      for (const name of [...LIMIT_HEADERS, 'retry-after']) expect(exposed).toContain(name)
    }
  })
})
