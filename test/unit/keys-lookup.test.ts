import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type AccountsDb, openAccounts } from '../../src/db/accounts.ts'
import { plans } from '../../src/db/accounts-schema.ts'
import { generateKey } from '../../src/keys/key-format.ts'
import { KeyLookup } from '../../src/keys/key-lookup.ts'
import { deleteKey, mintKey, revokeKey, rotateKey } from '../../src/keys/keys.ts'
import { runScript } from '../support/run-script.ts'
import { tempDataDir } from '../support/temp-dir.ts'

const NOW = new Date('2025-03-01T10:00:00Z')
const neverUsed = () => null

function openFresh() {
  const path = tempDataDir().accountsDb
  const accounts = openAccounts(path)
  return { path, accounts, lookup: KeyLookup.open(path) }
}

function mint(accounts: AccountsDb, plan = 'free'): string {
  return mintKey(accounts, { plan, label: 'portal' }, NOW).secret
}

test('a secret finds its key with the limits of its plan', () => {
  const { accounts, lookup } = openFresh()
  mint(accounts)
  expect(lookup.find(mint(accounts, 'unlimited'))).toEqual({
    keyId: 2,
    label: 'portal',
    userId: null,
    quotaOwner: 'key:2',
    plan: { name: 'unlimited', monthlyQuota: null, maxActiveKeys: null, perMinute: null },
  })
})

test('a malformed, an unknown and a revoked secret are told apart', () => {
  const { accounts, lookup } = openFresh()
  const secret = mint(accounts)
  expect(lookup.find('rok_made_up')).toBe('api_key_malformed')
  expect(lookup.find('')).toBe('api_key_malformed')
  expect(lookup.find(generateKey())).toBe('api_key_invalid')
  revokeKey(accounts, 1, neverUsed, NOW)
  expect(lookup.find(secret)).toBe('api_key_revoked')
  deleteKey(accounts, 1, NOW)
  expect(lookup.find(secret)).toBe('api_key_invalid')
})

test('what the own process changes holds at the next look-up', () => {
  const { accounts, lookup } = openFresh()
  const secret = mint(accounts)
  expect(lookup.find(secret)).toMatchObject({ keyId: 1 })
  accounts.update(plans).set({ perMinute: 7 }).where(eq(plans.name, 'free')).run()
  expect(lookup.find(secret)).toMatchObject({ plan: { perMinute: 7 } })
  const rotated = rotateKey(accounts, 1, neverUsed, NOW).secret
  expect(lookup.find(secret)).toBe('api_key_invalid')
  expect(lookup.find(rotated)).toMatchObject({ keyId: 1 })
})

test('a revocation by another process holds at the next look-up, while look-ups run', async () => {
  const { path, accounts, lookup } = openFresh()
  const kept = mint(accounts)
  const revoked = mint(accounts)
  expect(lookup.find(revoked)).toMatchObject({ keyId: 2 })

  let over = false
  const change = runScript('change-key.ts', path, 'revoke', '2').finally(() => {
    over = true
  })
  const answers: unknown[] = []
  while (!over) {
    const answer = lookup.find(revoked)
    if (answers.at(-1) !== answer) answers.push(answer)
    expect(lookup.find(kept)).toMatchObject({ keyId: 1 })
    await new Promise((resolve) => setImmediate(resolve))
  }
  await change
  expect(lookup.find(revoked)).toBe('api_key_revoked')
  expect(answers[0]).toMatchObject({ keyId: 2 })
})

test('a rotation by another process ends the old secret and starts the new one', async () => {
  const { path, accounts, lookup } = openFresh()
  const old = mint(accounts)
  expect(lookup.find(old)).toMatchObject({ keyId: 1 })
  const replaced = await runScript('change-key.ts', path, 'rotate', '1')
  expect(lookup.find(old)).toBe('api_key_invalid')
  expect(lookup.find(replaced)).toMatchObject({ keyId: 1 })
})
