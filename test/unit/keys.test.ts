import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import {
  countActiveKeys,
  deleteKey,
  listKeys,
  mintKey,
  revokeKey,
  rotateKey,
} from '../../src/accounts/keys/keys.ts'
import { CommandError } from '../../src/base/errors.ts'
import { inTransaction } from '../../src/db/accounts.ts'
import { apiKeys, plans } from '../../src/db/schema/accounts-schema.ts'
import { readSecret } from '../../src/db/secrets.ts'
import { codeOf } from '../support/account-desk.ts'
import { onPostgres, openTestAccounts } from '../support/accounts-engine.ts'
import { openPlace } from '../support/accounts-place.ts'

const NOW = new Date('2025-03-01T10:00:00.900Z')
const LATER = new Date('2025-03-02T10:00:00Z')
const neverUsed = () => null

async function openFresh() {
  const { db: accounts, place } = await openTestAccounts()
  return { accounts, place }
}

test('a minted key shows its secret once and is listed without it', async () => {
  const { accounts } = await openFresh()
  const { secret, ...key } = await mintKey(
    accounts,
    OPERATOR,
    { plan: 'institution', label: '  Open data portal ' },
    NOW,
  )
  expect(key).toEqual({
    key_id: 1,
    label: 'Open data portal',
    state: 'active',
    plan: 'institution',
    hint: `rok_…${secret.slice(-4)}`,
    created_at: '2025-03-01T10:00:00Z',
    last_used_at: null,
    rotated_at: null,
    revoked_at: null,
    expires_at: null,
    scopes: ['read'],
    monthly_quota: null,
  })
  expect(await listKeys(accounts, OPERATOR, () => '2025-03-01T11:00:00Z')).toEqual([
    { ...key, last_used_at: '2025-03-01T11:00:00Z' },
  ])
})

test.skipIf(onPostgres)('no database file holds a secret, only its hash', async () => {
  const { place, accounts } = await openFresh()
  const { secret } = await mintKey(accounts, OPERATOR, { plan: 'free', label: 'a' }, NOW)
  const rotated = await rotateKey(accounts, OPERATOR, 1, neverUsed, LATER)
  for (const suffix of ['', '-wal']) {
    const bytes = readFileSync(place + suffix)
    for (const text of [secret, rotated.secret]) expect(bytes.includes(text.slice(4, 30))).toBe(false)
  }
})

test('the plans exist from the start, with the limits of the contract', async () => {
  const { accounts } = await openFresh()
  expect(await accounts.select().from(plans).orderBy(plans.name)).toEqual([
    { name: 'free', monthly_quota: 10_000, max_active_keys: 5, per_minute: 600 },
    { name: 'institution', monthly_quota: 1_000_000, max_active_keys: 20, per_minute: 6000 },
    { name: 'unlimited', monthly_quota: null, max_active_keys: null, per_minute: null },
  ])
})

test('an unknown plan is refused with the names of the plans, and a label has 1 to 100 characters', async () => {
  const { accounts } = await openFresh()
  const mint = (plan: string, label: string) => mintKey(accounts, OPERATOR, { plan, label }, NOW)
  await expect(mint('gold', 'a')).rejects.toThrow(
    new CommandError('usage', 'there is no plan gold; the plans are free, institution, unlimited'),
  )
  await expect(mint('free', '  ')).rejects.toThrow(/1 to 100 characters/)
  await expect(mint('free', 'x'.repeat(101))).rejects.toThrow(/1 to 100 characters/)
  expect((await mint('free', `  ${'ș'.repeat(100)}  `)).label).toHaveLength(100)
})

test('rotation replaces the secret and keeps everything else', async () => {
  const { accounts } = await openFresh()
  const { secret, ...before } = await mintKey(accounts, OPERATOR, { plan: 'free', label: 'a' }, NOW)
  const { secret: replaced, ...after } = await rotateKey(
    accounts,
    OPERATOR,
    1,
    () => '2025-03-01T11:00:00Z',
    LATER,
  )
  expect(replaced).not.toBe(secret)
  expect(after).toEqual({
    ...before,
    hint: `rok_…${replaced.slice(-4)}`,
    rotated_at: '2025-03-02T10:00:00Z',
    last_used_at: '2025-03-01T11:00:00Z',
  })
})

test('revoking keeps the row and its first date, and a revoked key cannot be rotated', async () => {
  const { accounts } = await openFresh()
  await mintKey(accounts, OPERATOR, { plan: 'free', label: 'a' }, NOW)
  expect(await countActiveKeys(accounts)).toBe(1)
  expect(await revokeKey(accounts, OPERATOR, 1, neverUsed, NOW)).toMatchObject({
    state: 'revoked',
    revoked_at: '2025-03-01T10:00:00Z',
  })
  expect((await revokeKey(accounts, OPERATOR, 1, neverUsed, LATER)).revoked_at).toBe('2025-03-01T10:00:00Z')
  expect(await codeOf(() => rotateKey(accounts, OPERATOR, 1, neverUsed, LATER))).toBe('key_not_active')
  expect(await countActiveKeys(accounts)).toBe(0)
})

test('only a revoked key can be deleted, and its number is never reused', async () => {
  const { accounts } = await openFresh()
  await mintKey(accounts, OPERATOR, { plan: 'free', label: 'a' }, NOW)
  expect(await codeOf(() => deleteKey(accounts, OPERATOR, 1, LATER))).toBe('key_not_revoked')
  await revokeKey(accounts, OPERATOR, 1, neverUsed, NOW)
  await deleteKey(accounts, OPERATOR, 1, LATER)
  expect(await listKeys(accounts, OPERATOR, neverUsed)).toEqual([])
  expect((await mintKey(accounts, OPERATOR, { plan: 'free', label: 'b' }, NOW)).key_id).toBe(2)
})

test('every verb on a missing key says so', async () => {
  const { accounts } = await openFresh()
  for (const verb of [rotateKey, revokeKey]) {
    expect(await codeOf(() => verb(accounts, OPERATOR, 7, neverUsed, NOW))).toBe('key_not_found')
  }
  expect(await codeOf(() => deleteKey(accounts, OPERATOR, 7, LATER))).toBe('key_not_found')
})

test('keys refer to plans: a plan in use cannot be deleted', async () => {
  const { accounts } = await openFresh()
  await mintKey(accounts, OPERATOR, { plan: 'free', label: 'a' }, NOW)
  const deleting = inTransaction(accounts, (tx) => tx.delete(plans).where(eq(plans.name, 'free')))
  await expect(deleting).rejects.toThrow(/FOREIGN KEY/i)
  expect(await accounts.select().from(apiKeys)).toHaveLength(1)
})

test('a secret of the service is created once, is random, and is the same after a restart', async () => {
  const { place, accounts } = await openFresh()
  const cursor = await readSecret(accounts, 'cursor')
  expect(cursor).toHaveLength(32)
  expect(await readSecret(accounts, 'other')).not.toEqual(cursor)
  accounts.close()
  const again = await openPlace(place)
  expect(await readSecret(again.db, 'cursor')).toEqual(cursor)
})
