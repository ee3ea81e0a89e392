import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { generateKey } from '../../src/accounts/keys/key-format.ts'
import { KeyLookup } from '../../src/accounts/keys/key-lookup.ts'
import { deleteKey, mintKey, OPERATOR, revokeKey, rotateKey } from '../../src/accounts/keys/keys.ts'
import { type AccountsDb, inTransaction, openAccounts } from '../../src/db/accounts.ts'
import { plans } from '../../src/db/accounts-schema.ts'
import { runScript } from '../support/run-script.ts'
import { tempDataDir } from '../support/temp-dir.ts'

const NOW = new Date('2025-03-01T10:00:00Z')
const neverUsed = () => null

function openFresh() {
  const path = tempDataDir().accountsDb
  const accounts = openAccounts(path)
  return { path, accounts, lookup: KeyLookup.open(path) }
}

async function mint(accounts: AccountsDb, plan = 'free'): Promise<string> {
  return (await mintKey(accounts, OPERATOR, { plan, label: 'portal' }, NOW)).secret
}

test('a secret finds its key with the limits of its plan', async () => {
  const { accounts, lookup } = openFresh()
  await mint(accounts)
  expect(lookup.find(await mint(accounts, 'unlimited'), NOW)).toEqual({
    keyId: 2,
    label: 'portal',
    userId: null,
    quotaOwner: 'key:2',
    plan: { name: 'unlimited', monthlyQuota: null, maxActiveKeys: null, perMinute: null },
    ...{ monthlyQuota: null, expiresAt: Number.POSITIVE_INFINITY },
    scopes: { listed: ['read'], reads: 'all', publishes: [], tag: '' },
    accountDomains: 'all',
  })
})

test('a malformed, an unknown and a revoked secret are distinguished', async () => {
  const { accounts, lookup } = openFresh()
  const secret = await mint(accounts)
  expect(lookup.find('rok_made_up', NOW)).toBe('api_key_malformed')
  expect(lookup.find('', NOW)).toBe('api_key_malformed')
  expect(lookup.find(generateKey(), NOW)).toBe('api_key_invalid')
  await revokeKey(accounts, OPERATOR, 1, neverUsed, NOW)
  expect(lookup.find(secret, NOW)).toBe('api_key_revoked')
  await deleteKey(accounts, OPERATOR, 1, NOW)
  expect(lookup.find(secret, NOW)).toBe('api_key_invalid')
})

test('what the own process changes holds at the next look-up', async () => {
  const { accounts, lookup } = openFresh()
  const secret = await mint(accounts)
  expect(lookup.find(secret, NOW)).toMatchObject({ keyId: 1 })
  await inTransaction(accounts, (tx) => tx.update(plans).set({ perMinute: 7 }).where(eq(plans.name, 'free')))
  expect(lookup.find(secret, NOW)).toMatchObject({ plan: { perMinute: 7 } })
  const rotated = (await rotateKey(accounts, OPERATOR, 1, neverUsed, NOW)).secret
  expect(lookup.find(secret, NOW)).toBe('api_key_invalid')
  expect(lookup.find(rotated, NOW)).toMatchObject({ keyId: 1 })
})

test('a revocation by another process holds at the next look-up, while look-ups run', async () => {
  const { path, accounts, lookup } = openFresh()
  const kept = await mint(accounts)
  const revoked = await mint(accounts)
  expect(lookup.find(revoked, NOW)).toMatchObject({ keyId: 2 })

  let over = false
  const change = runScript('change-key.ts', path, 'revoke', '2').finally(() => {
    over = true
  })
  const answers: unknown[] = []
  while (!over) {
    const answer = lookup.find(revoked, NOW)
    if (answers.at(-1) !== answer) answers.push(answer)
    expect(lookup.find(kept, NOW)).toMatchObject({ keyId: 1 })
    await new Promise((resolve) => setImmediate(resolve))
  }
  await change
  expect(lookup.find(revoked, NOW)).toBe('api_key_revoked')
  expect(answers[0]).toMatchObject({ keyId: 2 })
})

test('a rotation by another process ends the old secret and starts the new one', async () => {
  const { path, accounts, lookup } = openFresh()
  const old = await mint(accounts)
  expect(lookup.find(old, NOW)).toMatchObject({ keyId: 1 })
  const replaced = await runScript('change-key.ts', path, 'rotate', '1')
  expect(lookup.find(old, NOW)).toBe('api_key_invalid')
  expect(lookup.find(replaced, NOW)).toMatchObject({ keyId: 1 })
})
