/** Floods of sign-ins and sign-ups from many networks, over HTTP. */

import { afterEach, expect, test } from 'bun:test'
import { type AccountApp, Browser, startAccountApp } from '../support/browser.ts'
import { PASSWORD } from '../support/passwords.ts'

let accounts: AccountApp | undefined
afterEach(() => accounts?.stop())

/** How many of 40 sign-ins, each from a different /64 of this /56, stayed below the limit. */
async function admittedFrom({ app }: AccountApp, network: string): Promise<number> {
  const statuses: number[] = []
  for (let n = 0; n < 40; n++) {
    const browser = new Browser(app, `${network}${n.toString(16).padStart(2, '0')}::7`)
    const body = { email: `x${n}@example.org`, password: PASSWORD }
    statuses.push((await browser.post('/login', body)).status)
  }
  expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([])
  return statuses.filter((status) => status === 401).length
}

test('the /64s of a /56 share three times the sign-ins of one /64, those of a /48 ten times', async () => {
  accounts = await startAccountApp()
  expect(await admittedFrom(accounts, '2001:db8:1:1')).toBe(30)
  expect(await admittedFrom(accounts, '2001:db8:1:2')).toBe(30)
  expect(await admittedFrom(accounts, '2001:db8:1:3')).toBe(30)
  expect(await admittedFrom(accounts, '2001:db8:1:4')).toBe(10)
  expect(await admittedFrom(accounts, '2001:db8:2:1')).toBe(30)
  const known = await accounts.signUp('ana@example.org')
  expect(known.cookie).toBeDefined()
})

/** Long enough to have its strength estimated, and easy to guess. */
const WEAK = 'passwordpassword1'
const SIGN_UPS = 30

test('the service answers others while it estimates the strength of passwords', async () => {
  accounts = await startAccountApp()
  const { app } = accounts
  let left = SIGN_UPS
  const flood = Array.from({ length: SIGN_UPS }, async (_, n) => {
    const body = { email: `weak${n}@example.org`, password: WEAK, language: 'en' }
    const { status } = await new Browser(app).post('/signup', body)
    left--
    return status
  })
  let answered = 0
  while (left > 0) {
    expect((await app.get('/health/live', { key: null })).status).toBe(200)
    answered++
  }
  expect(await Promise.all(flood)).toEqual(Array.from({ length: SIGN_UPS }, () => 422))
  // On the main thread, at most one other answer would fit between two estimates. A busy machine leaves less than usual.
  expect(answered).toBeGreaterThan(1.5 * SIGN_UPS)
}, 30_000)
