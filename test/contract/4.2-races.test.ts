/** Guarantees under concurrent requests. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { setPlan } from '../../src/accounts/keys/plans.ts'
import { type AccountApp, Browser, startAccountApp } from '../support/browser.ts'
import { OTHER_PASSWORD, PASSWORD } from '../support/passwords.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

let accounts: AccountApp
beforeAll(async () => {
  accounts = await startAccountApp()
  await accounts.app.publish(TOWNS)
})
afterAll(() => accounts.stop())

const LIST = `${TOWNS_PATH}?limit=1`

function atOnce<T>(times: number, work: (number: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, number) => work(number)))
}

/** How often each value occurs. */
function tally(values: readonly (string | number)[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(values, String)].map(([value, group]) => [value, group.length]))
}

test('100 sign-ups with one address give one account', async () => {
  const statuses = await atOnce(100, async (number) => {
    const email = number % 2 === 0 ? 'race@example.org' : ' RACE@Example.org'
    return (await new Browser(accounts.app).post('/signup', { email, password: PASSWORD })).status
  })
  expect(tally(statuses)).toEqual({ 201: 1, 409: 99 })
  // The address keeps the spelling of the first request.
  await accounts.mailsTo('race@example.org')
  const mailed = accounts.mail.mails.filter(({ to }) => to.toLowerCase() === 'race@example.org')
  expect(mailed).toHaveLength(1)
})

test('no request that begins after the 204 of a revocation succeeds', async () => {
  const browser = await accounts.signUp('revoking@example.org')
  const { key_id, secret } = (await browser.post('/keys', { label: 'x' })).body
  const revoked = { done: false }
  const seen: { begunAfter: boolean; status: number }[] = []
  const requests = atOnce(200, async (number) => {
    // Ten at a time, so that some begin before, some during and some after.
    for (let turn = 0; turn < Math.floor(number / 10); turn++) await accounts.app.get('/health/live')
    const begunAfter = revoked.done
    const { status } = await accounts.app.get(LIST, { key: secret })
    seen.push({ begunAfter, status })
  })
  while (seen.length < 60) await accounts.app.get('/health/live')
  expect((await browser.post(`/keys/${key_id}/revoke`)).status).toBe(204)
  revoked.done = true
  await requests
  await atOnce(30, async () => {
    seen.push({ begunAfter: true, status: (await accounts.app.get(LIST, { key: secret })).status })
  })
  const late = seen.filter(({ begunAfter }) => begunAfter).map(({ status }) => status)
  expect(seen.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(60)
  expect(late.length).toBeGreaterThan(20)
  expect(tally(late)).toEqual({ 401: late.length })
})

test('50 mints never give a sixth active key', async () => {
  const browser = await accounts.signUp('minting@example.org')
  const statuses = await atOnce(
    50,
    async (number) => (await browser.post('/keys', { label: `k${number}` })).status,
  )
  expect(tally(statuses)).toEqual({ 201: 5, 409: 45 })
  const keys = (await browser.get('/keys')).body
  expect(keys.map(({ state }: { state: string }) => state)).toEqual(Array(5).fill('active'))
})

test('after many concurrent rotations only the last secret works', async () => {
  const browser = await accounts.signUp('rotating@example.org')
  const { key_id, secret } = (await browser.post('/keys', { label: 'x' })).body
  const rotated = await atOnce(20, async () => (await browser.post(`/keys/${key_id}/rotate`)).body.secret)
  const all = [secret, ...rotated]
  expect(new Set(all).size).toBe(21)
  const statuses = await Promise.all(all.map(async (key) => (await accounts.app.get(LIST, { key })).status))
  expect(tally(statuses)).toEqual({ 200: 1, 401: 20 })
})

test('after a concurrent rotation and revocation the key is revoked and no secret works', async () => {
  const browser = await accounts.signUp('both@example.org')
  for (let round = 0; round < 5; round++) {
    const { key_id, secret } = (await browser.post('/keys', { label: `x${round}` })).body
    const rotating = atOnce(8, () => browser.post(`/keys/${key_id}/rotate`))
    const revoked = await browser.post(`/keys/${key_id}/revoke`)
    expect(revoked.status).toBe(204)
    const rotated = (await rotating).filter(({ status }) => status === 200)
    const secrets = [secret, ...rotated.map(({ body }) => body.secret)]
    for (const key of secrets) expect((await accounts.app.get(LIST, { key })).status).toBe(401)
    const keys: { key_id: number; state: string }[] = (await browser.get('/keys')).body
    expect(keys.find((key) => key.key_id === key_id)?.state).toBe('revoked')
  }
})

test('a mailed token works once, however many requests follow the link', async () => {
  const email = 'clicking@example.org'
  await accounts.signUp(email)
  await new Browser(accounts.app).post('/password/forgot', { email })
  const [verification, resetting] = await accounts.mailsTo(email)
  const verified = await atOnce(20, async () => {
    return (await new Browser(accounts.app).post('/email/verify', { token: verification!.token })).status
  })
  expect(tally(verified)).toEqual({ 200: 1, 422: 19 })
  const passwords = Array.from({ length: 8 }, (_, number) => `${OTHER_PASSWORD} ${number}`)
  const reset = await Promise.all(
    passwords.map(async (new_password) => {
      const body = { token: resetting!.token, new_password }
      return (await new Browser(accounts.app).post('/password/reset', body)).status
    }),
  )
  expect(tally(reset)).toEqual({ 200: 1, 422: 7 })
  await accounts.signIn(email, passwords[reset.indexOf(200)])
})

test('a quota of N, shared by two keys over 16 connections, serves exactly N', async () => {
  const quota = 60
  await setPlan(accounts.app.app.accounts, 'free', { monthly_quota: quota }, accounts.now())
  try {
    const browser = await accounts.signUp('quota@example.org')
    const keys = [await browser.post('/keys', { label: 'a' }), await browser.post('/keys', { label: 'b' })]
    const codes = await atOnce(16, async (number) => {
      const found: string[] = []
      for (let call = 0; call < 6; call++) {
        const { status, body } = await accounts.app.get(LIST, { key: keys[number % 2]!.body.secret })
        found.push(`${status} ${body.error?.code ?? ''}`)
      }
      return found
    })
    expect(tally(codes.flat())).toEqual({ '200 ': quota, '429 quota_exceeded': 16 * 6 - quota })
    const { total } = (await browser.get('/usage/summary')).body
    expect(total).toEqual({ month: quota, day: quota, remaining: 0 })
  } finally {
    await setPlan(accounts.app.app.accounts, 'free', { monthly_quota: 10_000 }, accounts.now())
  }
})

test('no concurrent call of the account undoes its deletion', async () => {
  const browser = await accounts.signUp('leaving@example.org')
  const others = await atOnce(2, () => accounts.signIn('leaving@example.org'))
  const minted = others.map((other) => other.post('/keys', { label: 'late' }))
  const deleted = browser.delete('/me', { password: PASSWORD })
  const more = others.map((other) => other.post('/keys', { label: 'later' }))
  expect((await deleted).status).toBe(204)
  for (const { status, body } of await Promise.all([...minted, ...more])) {
    expect([201, 401]).toContain(status)
    if (status !== 201) continue
    expect((await accounts.app.get(LIST, { key: body.secret })).body.error.code).toBe('api_key_invalid')
  }
  for (const other of others) expect((await other.get('/me')).status).toBe(401)
})
