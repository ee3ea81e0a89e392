import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTable, readLeakedPasswords } from '../../build/leaked-passwords.ts'
import { mintKey } from '../../src/accounts/keys/keys.ts'
import { deriveLinkToken } from '../../src/accounts/mail/compose.ts'
import type { Client } from '../../src/accounts/people/client.ts'
import { PLACES } from '../../src/accounts/people/passwords/password-hash.ts'
import { isLeaked, requireGoodPassword } from '../../src/accounts/people/passwords/password-policy.ts'
import {
  changePassword,
  forgotPassword,
  resetPassword,
} from '../../src/accounts/people/passwords/passwords.ts'
import { findSession } from '../../src/accounts/people/sign-in/sessions.ts'
import { resendVerification, verifyEmail } from '../../src/accounts/people/sign-in/verification.ts'
import { mailQueue, tokens, users } from '../../src/db/schema/accounts-schema.ts'
import { type AccountDesk, codeOf, ELSEWHERE, HOME, openAccountDesk } from '../support/account-desk.ts'
import { onPostgres } from '../support/accounts-engine.ts'
import { OTHER_PASSWORD, PASSWORD } from '../support/passwords.ts'

const TABLE_FILE = join(import.meta.dir, '../../src/accounts/people/passwords/leaked-passwords.bin')
const ADDRESS = { email: 'ana@example.org', key: 'ana@example.org' }

/** The newest token of a kind, taken from its mail. */
async function tokenOf(desk: AccountDesk, purpose: 'verify' | 'reset'): Promise<string> {
  const row = (await desk.db.select().from(tokens)).findLast((token) => token.purpose === purpose)
  return row ? deriveLinkToken(desk.service.linkSecret, row.tokenId) : ''
}

async function forget(desk: AccountDesk): Promise<string> {
  await forgotPassword(desk.service, { address: ADDRESS }, HOME, desk.now())
  await desk.service.later.settled()
  return tokenOf(desk, 'reset')
}

const queued = async (desk: AccountDesk) => (await desk.db.select().from(mailQueue)).map((mail) => mail.kind)

test('passwords: 10 to 256 characters, not easily guessed, without the address', async () => {
  const { passwords } = (await openAccountDesk()).service
  const judge = (password: string) =>
    codeOf(() => requireGoodPassword(passwords, password, 'ana@example.org', 'body.password'))
  for (const weak of [
    '',
    'Xk29!vlpq',
    'password123',
    '1234567890',
    'aaaaaaaaaaaa',
    'qwertyuiop',
    'ana@example.org',
  ]) {
    expect([weak, await judge(weak)]).toEqual([weak, 'weak_password'])
  }
  expect(await judge('prefix ANA@example.org suffix 93')).toBe('weak_password')
  expect(await judge(`${'tq8 '.repeat(64)}x`)).toBe('weak_password')
  for (const good of [
    'Xk29!vlpqw',
    PASSWORD,
    `${'ț'.repeat(5)}vqxkz`,
    '🦒🐢🌋🧭🎻🪁🦒🐢🌋🧭',
    'tq8w vz '.repeat(32),
  ]) {
    expect([good, await judge(good)]).toEqual([good, 'done'])
  }
})

test('judging dozens of weak passwords does not hold up other work for long', async () => {
  const desk = await openAccountDesk()
  const { passwords } = desk.service
  const weak = '4bcd3fgh1jk1mn0pqr5tuvwxyz'.repeat(4)
  await passwords.score(weak, [])
  let longest = 0
  let last = performance.now()
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  const started = performance.now()
  await Promise.all(Array.from({ length: 60 }, () => passwords.score(weak, ['ana', 'example', 'org'])))
  const all = performance.now() - started
  clearInterval(watch)
  expect(longest).toBeLessThan(all / 4)
})

test('with 256 passwords waiting, the next is refused at once instead of judged', async () => {
  const { passwords } = (await openAccountDesk()).service
  const scores = await Promise.allSettled(
    Array.from({ length: 270 }, () => passwords.score('parola1234', [])),
  )
  const refused = scores.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBe(270 - PLACES - 256)
})

test('changing a password ends all other sessions, keeps this one, and is announced by mail', async () => {
  const desk = await openAccountDesk()
  const { session, token } = await desk.signUp('ana@example.org')
  const other = await desk.signIn('ana@example.org', PASSWORD)
  const request = { current_password: PASSWORD, new_password: OTHER_PASSWORD }
  expect((await changePassword(desk.service, session, request, desk.now())).status).toBe('ok')
  expect(await findSession(desk.service, token, desk.now())).toBeDefined()
  expect(await findSession(desk.service, other.token, desk.now())).toBeUndefined()
  expect(await codeOf(() => desk.signIn('ana@example.org', PASSWORD))).toBe('invalid_credentials')
  expect(await codeOf(() => desk.signIn('ana@example.org', OTHER_PASSWORD))).toBe('done')
  expect(await queued(desk)).toContain('password_changed')
})

test('changing a password requires the current one, with 30 guesses an hour', async () => {
  const desk = await openAccountDesk()
  const { session } = await desk.signUp('ana@example.org')
  const change = (current_password: string, new_password: string) =>
    codeOf(() => changePassword(desk.service, session, { current_password, new_password }, desk.now()))
  expect(await change(PASSWORD, 'parola1234')).toBe('weak_password')
  for (let n = 0; n < 30; n++)
    expect(await change('not the password', OTHER_PASSWORD)).toBe('invalid_credentials')
  expect(await change(PASSWORD, OTHER_PASSWORD)).toBe('rate_limited')
  desk.pass(3600)
  expect(await change(PASSWORD, OTHER_PASSWORD)).toBe('done')
})

test('of two concurrent changes one wins, and no sign-in with the old password slips through', async () => {
  const desk = await openAccountDesk()
  const { session } = await desk.signUp('ana@example.org')
  const change = (new_password: string) =>
    codeOf(() =>
      changePassword(desk.service, session, { current_password: PASSWORD, new_password }, desk.now()),
    )
  const codes = await Promise.all([change(OTHER_PASSWORD), change('al treilea, tot lung 9')])
  expect(codes.sort()).toEqual(['done', 'invalid_credentials'])

  const token = await forget(desk)
  const request = { token, new_password: 'al patrulea, tot lung 9' }
  const [, signedIn] = await Promise.all([
    resetPassword(desk.service, request, desk.now()),
    desk.signIn('ana@example.org', OTHER_PASSWORD).catch(() => undefined),
  ])
  if (signedIn) expect(await findSession(desk.service, signedIn.token, desk.now())).toBeUndefined()
})

test('forgot gives every address the same answer and sends mail to accounts only', async () => {
  const desk = await openAccountDesk()
  await desk.signUp('ana@example.org')
  const known = await forgotPassword(desk.service, { address: ADDRESS }, HOME, desk.now())
  const address = { email: 'x@y.ro', key: 'x@y.ro' }
  expect(await forgotPassword(desk.service, { address }, HOME, desk.now())).toEqual(known)
  await desk.service.later.settled()
  expect(await queued(desk)).toEqual(['verify', 'reset'])
})

test('forgot sends five mails an hour and does not reveal the limit', async () => {
  const desk = await openAccountDesk()
  await desk.signUp('ana@example.org')
  const seen = new Set<string>()
  for (let n = 0; n < 7; n++) seen.add(await forget(desk))
  expect(seen.size).toBe(5)
  desk.pass(3600)
  seen.add(await forget(desk))
  expect(seen.size).toBe(6)
})

test('made-up addresses do not get an account more resets', async () => {
  const desk = await openAccountDesk()
  await desk.signUp('ana@example.org')
  const seen = new Set<string>()
  for (let n = 0; n < 5; n++) seen.add(await forget(desk))
  for (let n = 0; n < 20_001; n++) {
    const address = { email: `x${n}@y.ro`, key: `x${n}@y.ro` }
    await forgotPassword(desk.service, { address }, HOME, desk.now())
    if (n % 500 === 0) await desk.service.later.settled()
  }
  seen.add(await forget(desk))
  expect(seen.size).toBe(5)
})

test('one network flooding forgot does not use up the resets of others', async () => {
  const desk = await openAccountDesk()
  await desk.signUp('ana@example.org')
  const answers = new Set<string>()
  const ask = async (key: string, client: Client) =>
    answers.add(
      JSON.stringify(
        await forgotPassword(desk.service, { address: { email: key, key } }, client, desk.now()),
      ),
    )
  for (let n = 0; n < 20_000; n++) await ask(`x${n}@y.ro`, ELSEWHERE)
  await ask('ana@example.org', ELSEWHERE)
  await desk.service.later.settled()
  expect(await queued(desk)).toEqual(['verify'])
  for (let n = 0; n < 20_000; n++) await ask(`x${n}@y.ro`, ELSEWHERE)
  await ask('ana@example.org', HOME)
  await desk.service.later.settled()
  expect(await queued(desk)).toEqual(['verify', 'reset'])
  expect(answers.size).toBe(1)
  const before = await tokenOf(desk, 'reset')
  desk.pass(3600)
  await ask('ana@example.org', ELSEWHERE)
  await desk.service.later.settled()
  expect(await tokenOf(desk, 'reset')).not.toBe(before)
})

test('a forgotten password is handled some time after the answer, not at once', async () => {
  const desk = await openAccountDesk()
  await desk.signUp('ana@example.org')
  await forgotPassword(desk.service, { address: ADDRESS }, HOME, desk.now())
  for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve))
  expect(await queued(desk)).toEqual(['verify'])
  await desk.service.later.settled()
  expect(await queued(desk)).toEqual(['verify', 'reset'])
})

test('delayed work runs by itself, and its queue is bounded', async () => {
  const { service } = await openAccountDesk()
  await new Promise<void>((resolve) => service.later.add(resolve, 1))
  await service.later.settled()
  let done = 0
  for (let n = 0; n < 20_000; n++) service.later.add(() => void done++, 60_000)
  await service.later.settled()
  expect(done).toBe(10_000)
  service.later.add(() => void done++)
  await service.later.settled()
  expect(done).toBe(10_001)
})

test('the limit of a network bounds the resets that it can have waiting', async () => {
  const desk = await openAccountDesk()
  await desk.signUp('ana@example.org')
  for (let n = 0; n < 40; n++)
    await forgotPassword(desk.service, { address: { email: '', key: `x${n}@example.org` } }, HOME, desk.now())
  await forgotPassword(desk.service, { address: ADDRESS }, HOME, desk.now())
  await desk.service.later.settled()
  expect(await queued(desk)).toEqual(['verify'])
  await forgotPassword(desk.service, { address: ADDRESS }, { ...HOME, ip: '198.51.100.77' }, desk.now())
  await desk.service.later.settled()
  expect(await queued(desk)).toEqual(['verify', 'reset'])
})

test('a reset sets the password, ends every session, confirms the address, and keeps API keys', async () => {
  const desk = await openAccountDesk()
  const { token: cookie } = await desk.signUp('ana@example.org')
  const { secret } = await mintKey(desk.db, 1, { label: 'portal' }, desk.now())
  const token = await forget(desk)
  desk.pass(1799)
  await resetPassword(desk.service, { token, new_password: OTHER_PASSWORD }, desk.now())
  expect(await findSession(desk.service, cookie, desk.now())).toBeUndefined()
  expect((await desk.signIn('ana@example.org', OTHER_PASSWORD)).body.user.email_verified).toBe(true)
  const lookup = desk.openLookup()
  expect(await lookup.find(secret, desk.now())).toMatchObject({ userId: 1, quotaOwner: 'account:1' })
  lookup.close()
  expect(await queued(desk)).toContain('password_changed')
})

test('a reset token works once, within 30 minutes, until a newer one is issued', async () => {
  const desk = await openAccountDesk()
  await desk.signUp('ana@example.org')
  const reset = (token: string, new_password = OTHER_PASSWORD) =>
    codeOf(() => resetPassword(desk.service, { token, new_password }, desk.now()))
  const first = await forget(desk)
  const second = await forget(desk)
  expect(await reset(first)).toBe('token_invalid')
  expect(await reset(second, 'parola1234')).toBe('weak_password')
  expect(await reset(second)).toBe('done')
  expect(await reset(second)).toBe('token_invalid')
  const third = await forget(desk)
  desk.pass(1800)
  expect(await reset(third)).toBe('token_invalid')
  for (const made of ['', 'x'.repeat(43), await tokenOf(desk, 'verify')])
    expect(await reset(made)).toBe('token_invalid')
})

test('an account has 30 new passwords judged a minute, and its token stays valid', async () => {
  const desk = await openAccountDesk()
  await desk.signUp('ana@example.org')
  const token = await forget(desk)
  const reset = (new_password: string) =>
    codeOf(() => resetPassword(desk.service, { token, new_password }, desk.now()))
  for (let n = 0; n < 30; n++) expect(await reset('parola1234')).toBe('weak_password')
  expect(await reset(OTHER_PASSWORD)).toBe('rate_limited')
  desk.pass(60)
  expect(await reset(OTHER_PASSWORD)).toBe('done')
})

test('of two concurrent resets with one token, one wins', async () => {
  const desk = await openAccountDesk()
  await desk.signUp('ana@example.org')
  const token = await forget(desk)
  const reset = (new_password: string) =>
    codeOf(() => resetPassword(desk.service, { token, new_password }, desk.now()))
  expect((await Promise.all([reset(OTHER_PASSWORD), reset('al treilea, tot lung 9')])).sort()).toEqual([
    'done',
    'token_invalid',
  ])
})

test('the token of the verification mail confirms the address once, within 24 hours', async () => {
  const desk = await openAccountDesk()
  const { session, token: cookie } = await desk.signUp('ana@example.org')
  const verify = (token: string) => codeOf(() => verifyEmail(desk.service, { token }, desk.now()))
  const first = await tokenOf(desk, 'verify')
  desk.pass(86_400)
  expect(await verify(first)).toBe('token_invalid')
  await resendVerification(desk.service, session, desk.now())
  const second = await tokenOf(desk, 'verify')
  expect(await verify(await forget(desk))).toBe('token_invalid')
  desk.pass(86_399)
  expect(await verify(second)).toBe('done')
  expect(await verify(second)).toBe('token_invalid')
  expect((await findSession(desk.service, cookie, desk.now()))?.body.user.email_verified).toBe(true)
})

test('a verification mail is sent at most five times an hour, and never after confirmation', async () => {
  const desk = await openAccountDesk()
  const { session } = await desk.signUp('ana@example.org')
  const resend = () => codeOf(() => resendVerification(desk.service, session, desk.now()))
  for (let n = 0; n < 5; n++) expect(await resend()).toBe('done')
  expect(await resend()).toBe('rate_limited')
  expect(await queued(desk)).toHaveLength(6)
  await verifyEmail(desk.service, { token: await tokenOf(desk, 'verify') }, desk.now())
  desk.pass(3600)
  expect(await resend()).toBe('done')
  expect(await queued(desk)).toEqual([])
})

test.skipIf(onPostgres)(
  'no file in the data directory holds a password, a token, a cookie or a key',
  async () => {
    const desk = await openAccountDesk({ realHashing: true })
    const { session, token: cookie } = await desk.signUp('ana@example.org')
    const verification = await tokenOf(desk, 'verify')
    const { secret } = await mintKey(desk.db, 1, { label: 'portal' }, desk.now())
    await codeOf(() => desk.signIn('ana@example.org', 'not the password'))
    const reset = await forget(desk)
    const request = { current_password: PASSWORD, new_password: OTHER_PASSWORD }
    await changePassword(desk.service, session, request, desk.now())
    const bytes = desk.bytes()
    expect(bytes.includes('ana@example.org')).toBe(true)
    const secrets = [
      cookie,
      session.csrfToken,
      verification,
      reset,
      secret,
      PASSWORD,
      OTHER_PASSWORD,
      'not the password',
    ]
    for (const text of secrets) {
      expect(text.length).toBeGreaterThan(9)
      expect([text, bytes.includes(text)]).toEqual([text, false])
      expect(JSON.stringify(desk.log)).not.toContain(text)
    }
    expect((await desk.db.select().from(users))[0]?.passwordHash).toStartWith(
      '$argon2id$v=19$m=19456,t=2,p=1$',
    )
  },
)

test('each of the 112,130 most leaked long passwords is refused in any capitalisation, others almost never', async () => {
  const leaked = readLeakedPasswords()
  expect(leaked.size).toBe(112_130)
  expect(Buffer.compare(readFileSync(TABLE_FILE), makeTable(leaked))).toBe(0)
  expect([...leaked].filter((password) => !isLeaked(password.toUpperCase()) && !isLeaked(password))).toEqual(
    [],
  )
  const others = Array.from({ length: 50_000 }, (_, n) => `${n} girafe verzi ${n * 7}`)
  expect(others.filter(isLeaked).length).toBeLessThan(30)
  const { passwords } = (await openAccountDesk()).service
  const judge = (password: string) =>
    codeOf(() => requireGoodPassword(passwords, password, 'ana@example.org', 'body.password'))
  // zxcvbn alone finds these hard to guess.
  for (const password of ['soso123aljg', 'SOSO123aljg', 'usuckballz1'])
    expect([password, await judge(password)]).toEqual([password, 'weak_password'])
})
