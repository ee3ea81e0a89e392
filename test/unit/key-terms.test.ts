/** The terms of a key: its end and the reminders of it, its quota, and what the audit log keeps of a change. */

import { describe, expect, test } from 'bun:test'
import { listEvents, OPERATOR } from '../../src/accounts/audit/audit.ts'
import { remindOfExpiry } from '../../src/accounts/keys/expiry.ts'
import { mintKey, renameKey, revokeKey, rotateKey } from '../../src/accounts/keys/keys.ts'
import { readExpiry, readScopeList } from '../../src/accounts/keys/scopes.ts'
import { setAccountPlan } from '../../src/accounts/people/operator.ts'
import { mailQueue } from '../../src/db/schema/accounts-schema.ts'
import { BASE, codeOf, openAccountDesk } from '../support/account-desk.ts'
import { startMailServer } from '../support/mail-server.ts'

const DAY = 86_400
const never = () => null

/** An account with a key of the console. The clock is at 2025-03-01T10:00:00Z. */
async function openDesk(smtpUrl?: string) {
  const desk = await openAccountDesk(smtpUrl === undefined ? {} : { smtpUrl })
  await desk.signUp('ana@example.org')
  const mint = (terms: object = {}) => mintKey(desk.db, 1, { label: 'nightly', ...terms }, desk.now())
  const rename = (keyId: number, change: object) => renameKey(desk.db, 1, keyId, change, never, desk.now())
  const reminders = async () =>
    (await desk.db.select().from(mailQueue))
      .filter(({ kind }) => kind === 'key_expires')
      .map(({ keyId }) => keyId)
  const remind = async () => {
    await remindOfExpiry(desk.db, desk.now())
    return (await reminders()).length
  }
  return { ...desk, mint, rename, reminders, remind }
}

describe('the end of a key', () => {
  test('is never in the past, neither when minted nor when renamed', async () => {
    const { mint, rename } = await openDesk()
    expect(await codeOf(() => mint({ expires_at: '2025-03-01T10:00:00Z' }))).toBe('invalid_body')
    const { key_id, expires_at } = await mint({ expires_at: '2025-03-01T10:00:01Z' })
    expect(expires_at).toBe('2025-03-01T10:00:01Z')
    expect(await codeOf(() => rename(key_id, { expires_at: '2025-02-28T00:00:00Z' }))).toBe('invalid_body')
    expect((await rename(key_id, { expires_at: null })).expires_at).toBeNull()
  })

  test('stops the key at that moment; rotation keeps it, and a later one revives the key', async () => {
    const { db, openLookup, now, pass, mint, rename } = await openDesk()
    const lookup = openLookup()
    const { key_id, secret } = await mint({ expires_at: '2025-03-01T10:01:00Z' })
    pass(59)
    expect(await lookup.find(secret, now())).toMatchObject({ keyId: key_id })
    pass(1)
    expect(await lookup.find(secret, now())).toBe('api_key_expired')
    const rotated = await rotateKey(db, 1, key_id, never, now())
    expect(rotated).toMatchObject({ state: 'active', expires_at: '2025-03-01T10:01:00Z' })
    expect(await lookup.find(rotated.secret, now())).toBe('api_key_expired')
    await rename(key_id, { expires_at: '2025-03-02T00:00:00Z' })
    expect(await lookup.find(rotated.secret, now())).toMatchObject({ keyId: key_id })
    pass(DAY)
    await revokeKey(db, 1, key_id, never, now())
    expect(await lookup.find(rotated.secret, now())).toBe('api_key_revoked')
    lookup.close()
  })

  test('may be a datetime with an offset or a date', () => {
    expect(readExpiry('2026-12-31T18:00:00+02:00')).toBe('2026-12-31T16:00:00Z')
    expect(readExpiry('2026-12-31T18:00:00.75Z')).toBe('2026-12-31T18:00:00Z')
    expect(readExpiry('2026-12-31')).toBe('2026-12-31T00:00:00Z')
    for (const wrong of ['', '31.12.2026', 'tomorrow', '2026-02-30', '1'])
      expect(readExpiry(wrong)).toBeUndefined()
  })

  test('an expired key counts towards the limit', async () => {
    const { pass, mint } = await openDesk()
    for (let n = 0; n < 5; n++) await mint({ expires_at: '2025-03-01T10:00:30Z' })
    pass(60)
    expect(await codeOf(mint)).toBe('key_limit_reached')
  })
})

describe('reminders', () => {
  test('go out 14 and 3 days before the end, once each', async () => {
    const { pass, mint, remind } = await openDesk()
    await mint({ expires_at: '2025-03-31T10:00:00Z' })
    expect(await remind()).toBe(0)
    pass(16 * DAY - 1)
    expect(await remind()).toBe(0)
    pass(1)
    expect(await remind()).toBe(1)
    pass(10 * DAY)
    expect(await remind()).toBe(1)
    pass(DAY)
    expect([await remind(), await remind()]).toEqual([2, 2])
    pass(3 * DAY)
    expect(await remind()).toBe(2)
  })

  test.each([
    [15, 0],
    [14, 1],
    [10, 1],
    [2, 1],
  ])('of a key that is minted with %i days left: %i at once', async (days, count) => {
    const { now, mint, reminders, remind } = await openDesk()
    const { key_id } = await mint({ expires_at: new Date(now().getTime() + days * DAY * 1000).toISOString() })
    expect(await reminders()).toEqual(count === 0 ? [] : [key_id])
    expect(await remind()).toBe(count)
  })

  test('are cancelled when the key is renewed or revoked, or loses its own end', async () => {
    const { db, now, mint, rename, reminders } = await openDesk()
    const soon = '2025-03-03T00:00:00Z'
    const keys = [
      await mint({ expires_at: soon }),
      await mint({ expires_at: soon }),
      await mint({ expires_at: soon }),
    ]
    expect(await reminders()).toHaveLength(3)
    await rename(keys[0]!.key_id, { expires_at: '2026-01-01T00:00:00Z' })
    await rename(keys[1]!.key_id, { expires_at: null })
    await revokeKey(db, 1, keys[2]!.key_id, never, now())
    expect(await reminders()).toEqual([])
  })

  test('start again with a new end, but not with a new label', async () => {
    const { mint, rename, reminders } = await openDesk()
    const { key_id } = await mint({ expires_at: '2025-03-03T00:00:00Z' })
    await rename(key_id, { label: 'weekly' })
    expect(await reminders()).toEqual([key_id])
    await rename(key_id, { expires_at: '2025-03-10T00:00:00Z' })
    expect(await reminders()).toEqual([key_id])
  })

  test('name the key and the moment, in the language of the account, without a secret', async () => {
    const mail = await startMailServer()
    const { service, mint } = await openDesk(mail.url)
    const { secret } = await mint({ label: 'a $& <b>', expires_at: '2025-03-10T08:30:00Z' })
    service.start(BASE)
    service.startUpkeep()
    await service.later.settled()
    await service.mailer.sendDue()
    const [sent] = mail.mails.filter(({ subject }) => subject === 'An API key is about to expire')
    expect(sent?.to).toBe('ana@example.org')
    expect(sent?.text).toContain('The API key "a $& <b>" of your account at date.example.org')
    expect(sent?.text).toContain('2025-03-10 08:30 UTC')
    expect(sent?.html).not.toContain('<b>')
    expect(sent?.raw).not.toContain(secret)
    await mail.close()
  })

  test('nobody is reminded of a key without an account', async () => {
    const { db, now, reminders } = await openDesk()
    await mintKey(db, OPERATOR, { plan: 'free', label: 'a', expires_at: '2025-03-02T00:00:00Z' }, now())
    expect(await reminders()).toEqual([])
  })
})

test('a list of scopes has 1 to 100 entries, without repetitions', () => {
  expect(readScopeList(['read', 'publish', 'read'])).toEqual(['read', 'publish'])
  expect(readScopeList([])).toBeUndefined()
  expect(readScopeList(['read', 'write'])).toBeUndefined()
  const many = Array.from({ length: 101 }, (_, n) => `read:a${n}`)
  expect(readScopeList(many)).toBeUndefined()
  expect(readScopeList(many.slice(1))).toHaveLength(100)
})

test('the quota of a key must be within that of its plan when it is set', async () => {
  const { db, now, mint, rename } = await openDesk()
  expect(await codeOf(() => mint({ monthly_quota: 10_001 }))).toBe('invalid_body')
  const { key_id } = await mint({ monthly_quota: 10_000 })
  expect(await codeOf(() => rename(key_id, { monthly_quota: 10_001 }))).toBe('invalid_body')
  const unlimited = { plan: 'unlimited', label: 'a', monthly_quota: 1e9 }
  expect((await mintKey(db, OPERATOR, unlimited, now())).monthly_quota).toBe(1e9)
  await setAccountPlan(db, 'ana@example.org', 'institution', now())
  expect((await rename(key_id, { monthly_quota: 10_001 })).monthly_quota).toBe(10_001)
  await setAccountPlan(db, 'ana@example.org', 'free', now())
  expect((await rename(key_id, { label: 'kept' })).monthly_quota).toBe(10_001)
})

test('the audit log keeps what a key may do at that time, and no labels', async () => {
  const { db, mint, rename } = await openDesk()
  const { key_id } = await mint()
  await rename(key_id, { label: 'Ana' })
  await rename(key_id, { scopes: ['publish:economy'], expires_at: '2026-01-01T00:00:00Z' })
  await rename(key_id, { expires_at: null, monthly_quota: 5 })
  const changes = (await listEvents(db, 10)).filter(({ event }) => event === 'key_changed')
  expect(changes.map(({ actor, key_id: id, detail }) => [actor, id, detail])).toEqual([
    ['account', key_id, 'expires_at null, monthly_quota 5'],
    ['account', key_id, 'expires_at 2026-01-01T00:00:00Z, scopes publish:economy'],
    ['account', key_id, 'label'],
  ])
})
