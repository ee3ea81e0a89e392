import { expect, test } from 'bun:test'
import { users } from '../../src/db/accounts-schema.ts'
import {
  deleteAccountKey,
  listAccountKeys,
  mintAccountKey,
  renameAccountKey,
  requireAccountKey,
  requireAccountPlan,
  revokeAccountKey,
  rotateAccountKey,
  rotateAllAccountKeys,
} from '../../src/keys/account-keys.ts'
import { KeyLookup } from '../../src/keys/key-lookup.ts'
import { listKeys, mintKey, revokeKey, rotateKey } from '../../src/keys/keys.ts'
import { listPlans, setPlan } from '../../src/keys/plans.ts'
import { type AccountDesk, codeOf, openAccountDesk } from '../support/account-desk.ts'
import { runScript } from '../support/run-script.ts'

const never = () => null

/** Two accounts, 1 and 2, without the costly sign-up. */
function openWithAccounts(): AccountDesk & { mint(userId?: number): { key_id: number; secret: string } } {
  const desk = openAccountDesk()
  for (const name of ['ana', 'ion']) {
    const email = `${name}@example.org`
    const row = {
      email,
      emailKey: email,
      language: 'ro',
      plan: 'free',
      createdAt: '2025-01-01T00:00:00Z',
    } as const
    desk.db.insert(users).values(row).run()
  }
  return { ...desk, mint: (userId = 1) => mintAccountKey(desk.service, userId, 'portal', desk.now()) }
}

test('a key of the console is on the account’s plan and shows its secret once', () => {
  const { service, db, now } = openWithAccounts()
  const { secret, ...key } = mintAccountKey(service, 1, 'portal', now())
  expect(key).toEqual({
    ...{ key_id: 1, label: 'portal', state: 'active', plan: 'free', hint: `rok_…${secret.slice(-4)}` },
    ...{ created_at: '2025-03-01T10:00:00Z', last_used_at: null, rotated_at: null, revoked_at: null },
  })
  expect(listAccountKeys(db, 1, () => '2025-03-01T11:00:00Z')).toEqual([
    { ...key, last_used_at: '2025-03-01T11:00:00Z' },
  ])
  expect(listAccountKeys(db, 2, never)).toEqual([])
})

test('somebody else’s key is not found, whatever is asked of it', async () => {
  const { service, db, mint, now } = openWithAccounts()
  const { key_id, secret } = mint(1)
  const attempts = [
    () => renameAccountKey(service, 2, key_id, 'mine', never),
    () => rotateAccountKey(service, 2, key_id, never, now()),
    () => revokeAccountKey(service, 2, key_id, now()),
    () => deleteAccountKey(service, 2, key_id, now()),
    () => requireAccountKey(db, 2, key_id),
  ]
  for (const attempt of attempts) expect(await codeOf(attempt)).toBe('key_not_found')
  expect(rotateAllAccountKeys(service, 2, never, now())).toEqual([])
  const lookup = KeyLookup.open(service.db.$client.name)
  expect(lookup.find(secret)).toMatchObject({ label: 'portal', userId: 1 })
  lookup.close()
})

test('each verb holds at the next look-up', async () => {
  const { service, db, mint, now, forgotten } = openWithAccounts()
  const lookup = KeyLookup.open(db.$client.name)
  const { key_id, secret } = mint()
  expect(lookup.find(secret)).toMatchObject({ keyId: key_id, quotaOwner: 'account:1' })
  expect(renameAccountKey(service, 1, key_id, 'other', never).label).toBe('other')
  const rotated = rotateAccountKey(service, 1, key_id, never, now())
  expect([lookup.find(secret), rotated.rotated_at]).toEqual(['api_key_invalid', '2025-03-01T10:00:00Z'])
  expect(lookup.find(rotated.secret)).toMatchObject({ keyId: key_id, label: 'other' })

  expect(await codeOf(() => deleteAccountKey(service, 1, key_id, now()))).toBe('key_not_revoked')
  revokeAccountKey(service, 1, key_id, now())
  revokeAccountKey(service, 1, key_id, now())
  expect(lookup.find(rotated.secret)).toBe('api_key_revoked')
  expect(await codeOf(() => rotateAccountKey(service, 1, key_id, never, now()))).toBe('key_not_active')
  expect(renameAccountKey(service, 1, key_id, 'retired', never)).toMatchObject({
    label: 'retired',
    state: 'revoked',
  })

  deleteAccountKey(service, 1, key_id, now())
  expect([lookup.find(rotated.secret), forgotten]).toEqual(['api_key_invalid', [`key ${key_id}`]])
  lookup.close()
})

test('rotate-all gives every active key a secret and leaves revoked ones alone', () => {
  const { service, db, mint, now } = openWithAccounts()
  const keys = [mint(), mint(), mint(), mint(2)]
  revokeAccountKey(service, 1, 2, now())
  const rotated = rotateAllAccountKeys(service, 1, never, now())
  expect(rotated.map((key) => key.key_id)).toEqual([1, 3])
  const lookup = KeyLookup.open(db.$client.name)
  expect(keys.map(({ secret }) => lookup.find(secret))).toEqual([
    ...(['api_key_invalid', 'api_key_revoked', 'api_key_invalid'] as const),
    expect.objectContaining({ keyId: 4 }),
  ])
  for (const { secret, key_id } of rotated) expect(lookup.find(secret)).toMatchObject({ keyId: key_id })
  lookup.close()
})

test('the sixth active key is refused, and a revoked one makes room', async () => {
  const { service, mint, now } = openWithAccounts()
  for (let n = 0; n < 5; n++) mint()
  expect(await codeOf(() => mint())).toBe('key_limit_reached')
  expect(await codeOf(() => mint(2))).toBe('done')
  revokeAccountKey(service, 1, 3, now())
  expect(await codeOf(() => mint())).toBe('done')
  expect(await codeOf(() => mint())).toBe('key_limit_reached')
})

test('50 mints by several processes at the same time never make a sixth active key', async () => {
  const { db, mint, dataDir } = openWithAccounts()
  const others = Array.from({ length: 4 }, () =>
    runScript('mint-keys.ts', dataDir.accountsDb, '1', '10').then(Number),
  )
  const own = await Promise.all(Array.from({ length: 10 }, () => codeOf(() => mint())))
  const minted = (await Promise.all(others)).concat(own.filter((code) => code === 'done').length)
  expect(minted.reduce((sum, n) => sum + n, 0)).toBe(5)
  expect(listAccountKeys(db, 1, never)).toHaveLength(5)
})

test('a key minted by the operator for an account keeps its plan and does not count towards its keys', async () => {
  const { db, service, mint, now } = openWithAccounts()
  const given = mintKey(db, { label: 'gift', plan: 'unlimited', userId: 1 }, now())
  const plain = mintKey(db, { label: 'plain', userId: 1 }, now())
  expect([given.plan, plain.plan]).toEqual(['unlimited', 'free'])
  for (let n = 0; n < 5; n++) expect(await codeOf(() => mint())).toBe('done')
  const lookup = KeyLookup.open(db.$client.name)
  expect(lookup.find(given.secret)).toMatchObject({ userId: 1, quotaOwner: `key:${given.key_id}` })
  expect(listAccountKeys(db, 1, never)).toHaveLength(7)
  revokeAccountKey(service, 1, given.key_id, now())
  expect(lookup.find(given.secret)).toBe('api_key_revoked')
  lookup.close()
})

test('keys of the console follow a changed plan at once, the operator’s keep theirs', () => {
  const { db, mint, now } = openWithAccounts()
  const own = mint()
  const given = mintKey(db, { label: 'gift', userId: 1 }, now())
  const lookup = KeyLookup.open(db.$client.name)
  const planOf = (secret: string) => (lookup.find(secret) as { plan: { name: string } }).plan.name
  expect([planOf(own.secret), planOf(given.secret)]).toEqual(['free', 'free'])
  db.update(users).set({ plan: 'institution' }).run()
  expect([planOf(own.secret), planOf(given.secret)]).toEqual(['institution', 'free'])
  expect(requireAccountPlan(db, 1).max_active_keys).toBe(20)
  expect(listKeys(db, never).map((key) => key.plan)).toEqual(['institution', 'free'])
  lookup.close()
})

test('the operator changes keys of accounts as well', () => {
  const { db, mint, now } = openWithAccounts()
  const { key_id } = mint()
  expect(rotateKey(db, key_id, never, now()).plan).toBe('free')
  expect(revokeKey(db, key_id, never, now()).state).toBe('revoked')
})

test('a plan’s limits are changed one by one, a new plan needs all three', () => {
  const { db, now } = openWithAccounts()
  expect(setPlan(db, 'free', { per_minute: 60 }, now())).toEqual({
    ...{ name: 'free', monthly_quota: 10_000, max_active_keys: 5, per_minute: 60 },
  })
  expect(setPlan(db, 'free', { monthly_quota: null }, now()).monthly_quota).toBeNull()
  expect(() => setPlan(db, 'gold', { per_minute: 1 }, now())).toThrow(
    'a new one needs --monthly-quota, --max-active-keys and --per-minute',
  )
  const limits = { monthly_quota: 1, max_active_keys: 2, per_minute: 3 }
  expect(() => setPlan(db, 'Gold plan', limits, now())).toThrow('name')
  setPlan(db, 'gold', limits, now())
  expect(listPlans(db).map((plan) => plan.name)).toEqual(['free', 'gold', 'institution', 'unlimited'])
})
