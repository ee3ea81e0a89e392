import { expect, test } from 'bun:test'
import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { requireKey } from '../../src/accounts/keys/key-rows.ts'
import {
  deleteKey,
  listKeys,
  mintKey,
  renameKey,
  revokeKey,
  rotateAllKeys,
  rotateKey,
} from '../../src/accounts/keys/keys.ts'
import { listPlans, requireAccountPlan, setPlan } from '../../src/accounts/keys/plans.ts'
import { finishDeletions } from '../../src/accounts/keys/tombstones.ts'
import { inTransaction } from '../../src/db/accounts.ts'
import { users } from '../../src/db/schema/accounts-schema.ts'
import { type AccountDesk, codeOf, openAccountDesk } from '../support/account-desk.ts'
import { runScript } from '../support/run-script.ts'

const never = () => null

/** Two accounts, 1 and 2, without the costly sign-up. */
async function openWithAccounts(): Promise<
  AccountDesk & { mint(userId?: number): Promise<{ key_id: number; secret: string }> }
> {
  const desk = await openAccountDesk()
  for (const name of ['ana', 'ion']) {
    const email = `${name}@example.org`
    const row = {
      email,
      emailKey: email,
      language: 'ro',
      plan: 'free',
      createdAt: '2025-01-01T00:00:00Z',
    } as const
    await inTransaction(desk.db, (tx) => tx.insert(users).values(row))
  }
  return { ...desk, mint: (userId = 1) => mintKey(desk.db, userId, { label: 'portal' }, desk.now()) }
}

test('a key from the console is on the account’s plan and shows its secret once', async () => {
  const { service, db, now } = await openWithAccounts()
  const { secret, ...key } = await mintKey(service.db, 1, { label: 'portal' }, now())
  expect(key).toEqual({
    ...{ key_id: 1, label: 'portal', state: 'active', plan: 'free', hint: `rok_…${secret.slice(-4)}` },
    ...{ created_at: '2025-03-01T10:00:00Z', last_used_at: null, rotated_at: null, revoked_at: null },
    ...{ expires_at: null, scopes: ['read'], monthly_quota: null },
  })
  expect(await listKeys(db, 1, () => '2025-03-01T11:00:00Z')).toEqual([
    { ...key, last_used_at: '2025-03-01T11:00:00Z' },
  ])
  expect(await listKeys(db, 2, never)).toEqual([])
})

test('another account’s key is not found by any verb', async () => {
  const { service, db, mint, now, openLookup } = await openWithAccounts()
  const { key_id, secret } = await mint(1)
  const attempts = [
    () => renameKey(service.db, 2, key_id, { label: 'mine' }, never, now()),
    () => rotateKey(service.db, 2, key_id, never, now()),
    () => revokeKey(service.db, 2, key_id, () => null, now()),
    () => deleteKey(service.db, 2, key_id, now()),
    () => requireKey(db, key_id, 2),
  ]
  for (const attempt of attempts) expect(await codeOf(attempt)).toBe('key_not_found')
  expect(await rotateAllKeys(service.db, 2, never, now())).toEqual([])
  const lookup = openLookup()
  expect(await lookup.find(secret, now())).toMatchObject({ label: 'portal', userId: 1 })
  lookup.close()
})

test('each verb takes effect at the next look-up', async () => {
  const { service, mint, now, forgotten, openLookup } = await openWithAccounts()
  const lookup = openLookup()
  const { key_id, secret } = await mint()
  expect(await lookup.find(secret, now())).toMatchObject({ keyId: key_id, quotaOwner: 'account:1' })
  expect((await renameKey(service.db, 1, key_id, { label: 'other' }, never, now())).label).toBe('other')
  const rotated = await rotateKey(service.db, 1, key_id, never, now())
  expect([await lookup.find(secret, now()), rotated.rotated_at]).toEqual([
    'api_key_invalid',
    '2025-03-01T10:00:00Z',
  ])
  expect(await lookup.find(rotated.secret, now())).toMatchObject({ keyId: key_id, label: 'other' })

  expect(await codeOf(() => deleteKey(service.db, 1, key_id, now()))).toBe('key_not_revoked')
  await revokeKey(service.db, 1, key_id, () => null, now())
  await revokeKey(service.db, 1, key_id, () => null, now())
  expect(await lookup.find(rotated.secret, now())).toBe('api_key_revoked')
  expect(await codeOf(() => rotateKey(service.db, 1, key_id, never, now()))).toBe('key_not_active')
  expect(await renameKey(service.db, 1, key_id, { label: 'retired' }, never, now())).toMatchObject({
    label: 'retired',
    state: 'revoked',
  })

  await deleteKey(service.db, 1, key_id, now())
  await finishDeletions(service.db, service.usage)
  expect([await lookup.find(rotated.secret, now()), forgotten]).toEqual([
    'api_key_invalid',
    [`key ${key_id}`],
  ])
  lookup.close()
})

test('rotate-all gives every active key a new secret and leaves revoked ones alone', async () => {
  const { service, mint, now, openLookup } = await openWithAccounts()
  const keys = [await mint(), await mint(), await mint(), await mint(2)]
  await revokeKey(service.db, 1, 2, () => null, now())
  const rotated = await rotateAllKeys(service.db, 1, never, now())
  expect(rotated.map((key) => key.key_id)).toEqual([1, 3])
  const lookup = openLookup()
  expect(await Promise.all(keys.map(({ secret }) => lookup.find(secret, now())))).toEqual([
    ...(['api_key_invalid', 'api_key_revoked', 'api_key_invalid'] as const),
    expect.objectContaining({ keyId: 4 }),
  ])
  for (const { secret, key_id } of rotated)
    expect(await lookup.find(secret, now())).toMatchObject({ keyId: key_id })
  lookup.close()
})

test('the sixth active key is refused, and revoking one makes room', async () => {
  const { service, mint, now } = await openWithAccounts()
  for (let n = 0; n < 5; n++) await mint()
  expect(await codeOf(() => mint())).toBe('key_limit_reached')
  expect(await codeOf(() => mint(2))).toBe('done')
  await revokeKey(service.db, 1, 3, () => null, now())
  expect(await codeOf(() => mint())).toBe('done')
  expect(await codeOf(() => mint())).toBe('key_limit_reached')
})

test('50 concurrent mints by several processes never make a sixth active key', async () => {
  const { db, mint, place } = await openWithAccounts()
  const others = Array.from({ length: 4 }, () => runScript('mint-keys.ts', place, '1', '10').then(Number))
  const own = await Promise.all(Array.from({ length: 10 }, () => codeOf(() => mint())))
  const minted = (await Promise.all(others)).concat(own.filter((code) => code === 'done').length)
  expect(minted.reduce((sum, n) => sum + n, 0)).toBe(5)
  expect(await listKeys(db, 1, never)).toHaveLength(5)
})

test('a key minted by the operator for an account keeps its plan and does not count towards its keys', async () => {
  const { db, service, mint, now, openLookup } = await openWithAccounts()
  const given = await mintKey(db, OPERATOR, { label: 'gift', plan: 'unlimited', userId: 1 }, now())
  const plain = await mintKey(db, OPERATOR, { label: 'plain', userId: 1 }, now())
  expect([given.plan, plain.plan]).toEqual(['unlimited', 'free'])
  for (let n = 0; n < 5; n++) expect(await codeOf(() => mint())).toBe('done')
  const lookup = openLookup()
  expect(await lookup.find(given.secret, now())).toMatchObject({
    userId: 1,
    quotaOwner: `key:${given.key_id}`,
  })
  expect(await listKeys(db, 1, never)).toHaveLength(7)
  await revokeKey(service.db, 1, given.key_id, () => null, now())
  expect(await lookup.find(given.secret, now())).toBe('api_key_revoked')
  lookup.close()
})

test('keys from the console follow a changed plan at once; the operator’s keep theirs', async () => {
  const { db, mint, now, openLookup } = await openWithAccounts()
  const own = await mint()
  const given = await mintKey(db, OPERATOR, { label: 'gift', userId: 1 }, now())
  const lookup = openLookup()
  const planOf = async (secret: string) =>
    ((await lookup.find(secret, now())) as { plan: { name: string } }).plan.name
  expect([await planOf(own.secret), await planOf(given.secret)]).toEqual(['free', 'free'])
  await inTransaction(db, (tx) => tx.update(users).set({ plan: 'institution' }))
  expect([await planOf(own.secret), await planOf(given.secret)]).toEqual(['institution', 'free'])
  expect((await requireAccountPlan(db, 1)).max_active_keys).toBe(20)
  expect((await listKeys(db, OPERATOR, never)).map((key) => key.plan)).toEqual(['institution', 'free'])
  lookup.close()
})

test('the operator can change keys of accounts too', async () => {
  const { db, mint, now } = await openWithAccounts()
  const { key_id } = await mint()
  expect((await rotateKey(db, OPERATOR, key_id, never, now())).plan).toBe('free')
  expect((await revokeKey(db, OPERATOR, key_id, never, now())).state).toBe('revoked')
})

test('a plan’s limits can be changed one by one; a new plan needs all three', async () => {
  const { db, now } = await openWithAccounts()
  expect(await setPlan(db, 'free', { per_minute: 60 }, now())).toEqual({
    ...{ name: 'free', monthly_quota: 10_000, max_active_keys: 5, per_minute: 60 },
  })
  expect((await setPlan(db, 'free', { monthly_quota: null }, now())).monthly_quota).toBeNull()
  await expect(setPlan(db, 'gold', { per_minute: 1 }, now())).rejects.toThrow(
    'a new one needs --monthly-quota, --max-active-keys and --per-minute',
  )
  const limits = { monthly_quota: 1, max_active_keys: 2, per_minute: 3 }
  await expect(setPlan(db, 'Gold plan', limits, now())).rejects.toThrow('name')
  await setPlan(db, 'gold', limits, now())
  expect((await listPlans(db)).map((plan) => plan.name)).toEqual(['free', 'gold', 'institution', 'unlimited'])
})
