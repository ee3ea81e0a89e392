import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { generateKey } from '../../src/accounts/keys/key-format.ts'
import { deleteKey, mintKey, revokeKey, rotateKey } from '../../src/accounts/keys/keys.ts'
import { type AccountsDb, inTransaction } from '../../src/db/accounts.ts'
import { plans } from '../../src/db/schema/accounts-schema.ts'
import { openTestAccounts } from '../support/accounts-engine.ts'
import { runScript } from '../support/run-script.ts'

const NOW = new Date('2025-03-01T10:00:00Z')
const neverUsed = () => null

async function openFresh() {
  const { db: accounts, place, openLookup } = await openTestAccounts()
  return { place, accounts, lookup: openLookup() }
}

async function mint(accounts: AccountsDb, plan = 'free'): Promise<string> {
  return (await mintKey(accounts, OPERATOR, { plan, label: 'portal' }, NOW)).secret
}

test('a secret finds its key with the limits of its plan', async () => {
  const { accounts, lookup } = await openFresh()
  await mint(accounts)
  expect(await lookup.find(await mint(accounts, 'unlimited'), NOW)).toEqual({
    keyId: 2,
    label: 'portal',
    userId: null,
    quotaOwner: 'key:2',
    plan: { name: 'unlimited', monthly_quota: null, max_active_keys: null, per_minute: null },
    ...{ monthlyQuota: null, expiresAt: Number.POSITIVE_INFINITY },
    scopes: { listed: ['read'], reads: 'all', publishes: [], tag: '' },
    accountDomains: 'all',
  })
})

test('a malformed, an unknown and a revoked secret are distinguished', async () => {
  const { accounts, lookup } = await openFresh()
  const secret = await mint(accounts)
  expect(await lookup.find('rok_made_up', NOW)).toBe('api_key_malformed')
  expect(await lookup.find('', NOW)).toBe('api_key_malformed')
  expect(await lookup.find(generateKey(), NOW)).toBe('api_key_invalid')
  await revokeKey(accounts, OPERATOR, 1, neverUsed, NOW)
  expect(await lookup.find(secret, NOW)).toBe('api_key_revoked')
  await deleteKey(accounts, OPERATOR, 1, NOW)
  expect(await lookup.find(secret, NOW)).toBe('api_key_invalid')
})

test('a change by this process takes effect at the next look-up', async () => {
  const { accounts, lookup } = await openFresh()
  const secret = await mint(accounts)
  expect(await lookup.find(secret, NOW)).toMatchObject({ keyId: 1 })
  await inTransaction(accounts, (tx) => tx.update(plans).set({ per_minute: 7 }).where(eq(plans.name, 'free')))
  expect(await lookup.find(secret, NOW)).toMatchObject({ plan: { per_minute: 7 } })
  const rotated = (await rotateKey(accounts, OPERATOR, 1, neverUsed, NOW)).secret
  expect(await lookup.find(secret, NOW)).toBe('api_key_invalid')
  expect(await lookup.find(rotated, NOW)).toMatchObject({ keyId: 1 })
})

test('a revocation by another process takes effect at the next look-up, while look-ups run', async () => {
  const { place, accounts, lookup } = await openFresh()
  const kept = await mint(accounts)
  const revoked = await mint(accounts)
  expect(await lookup.find(revoked, NOW)).toMatchObject({ keyId: 2 })

  let over = false
  const change = runScript('change-key.ts', place, 'revoke', '2').finally(() => {
    over = true
  })
  const answers: unknown[] = []
  while (!over) {
    const answer = await lookup.find(revoked, NOW)
    if (answers.at(-1) !== answer) answers.push(answer)
    expect(await lookup.find(kept, NOW)).toMatchObject({ keyId: 1 })
    await new Promise((resolve) => setImmediate(resolve))
  }
  await change
  expect(await lookup.find(revoked, NOW)).toBe('api_key_revoked')
  expect(answers[0]).toMatchObject({ keyId: 2 })
})

test('a rotation by another process ends the old secret and starts the new one', async () => {
  const { place, accounts, lookup } = await openFresh()
  const old = await mint(accounts)
  expect(await lookup.find(old, NOW)).toMatchObject({ keyId: 1 })
  const replaced = await runScript('change-key.ts', place, 'rotate', '1')
  expect(await lookup.find(old, NOW)).toBe('api_key_invalid')
  expect(await lookup.find(replaced, NOW)).toMatchObject({ keyId: 1 })
})
