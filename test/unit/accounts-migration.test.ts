import { expect, test } from 'bun:test'
import { generateKey } from '../../src/accounts/keys/key-format.ts'
import { FileKeyLookup } from '../../src/accounts/keys/key-lookup-file.ts'
import { listKeys, mintKey, OPERATOR } from '../../src/accounts/keys/keys.ts'
import { sha256 } from '../../src/base/crypto/sha256.ts'
import { openAccounts } from '../../src/db/accounts.ts'
import { signIns } from '../../src/db/accounts-schema.ts'
import { migrate } from '../../src/db/migrate.ts'
import { ACCOUNTS_MIGRATIONS } from '../../src/db/migrations.ts'
import { openDatabase } from '../../src/db/open.ts'
import { tempDataDir } from '../support/temp-dir.ts'

test('a folder from before there were accounts keeps its keys, and their numbers stay taken', async () => {
  const path = tempDataDir().accountsDb
  const old = openDatabase(path)
  migrate(old, ACCOUNTS_MIGRATIONS.slice(0, 2))
  const insert = old.prepare(
    "INSERT INTO api_keys (label, plan, state, secret_hash, hint, created_at) VALUES (?, 'institution', 'active', ?, 'rok_…', '')",
  )
  const secrets = [generateKey(), generateKey(), generateKey()]
  for (const secret of secrets) insert.run('portal', sha256(secret))
  old.exec('DELETE FROM api_keys WHERE key_id > 1')
  old.close()

  const accounts = openAccounts(path)
  expect(await listKeys(accounts, OPERATOR, () => null)).toMatchObject([
    { key_id: 1, label: 'portal', plan: 'institution' },
  ])
  const lookup = FileKeyLookup.open(path)
  expect(await lookup.find(secrets[0] as string, new Date())).toMatchObject({
    keyId: 1,
    userId: null,
    quotaOwner: 'key:1',
  })
  expect((await mintKey(accounts, OPERATOR, { plan: 'free', label: 'new' }, new Date(0))).key_id).toBe(4)
  lookup.close()
  accounts.close()
})

test('a folder whose keys were all deleted does not begin again at 1', async () => {
  const path = tempDataDir().accountsDb
  const old = openDatabase(path)
  migrate(old, ACCOUNTS_MIGRATIONS.slice(0, 2))
  old.exec(
    "INSERT INTO api_keys (label, plan, state, secret_hash, hint, created_at) VALUES ('a', 'free', 'active', zeroblob(32), '', '')",
  )
  old.exec('DELETE FROM api_keys')
  old.close()
  const accounts = openAccounts(path)
  expect((await mintKey(accounts, OPERATOR, { plan: 'free', label: 'new' }, new Date(0))).key_id).toBe(2)
  accounts.close()
})

test('networks of IPv4 are known from sign-ins of before they were written down', async () => {
  const path = tempDataDir().accountsDb
  const old = openDatabase(path)
  migrate(old, ACCOUNTS_MIGRATIONS.slice(0, 4))
  const insert = old.prepare("INSERT INTO sign_ins (attempted_at, success, ip) VALUES ('', 1, ?)")
  for (const ip of ['192.0.2.1', '::ffff:192.0.2.2', '2001:db8::1']) insert.run(ip)
  old.close()
  const accounts = openAccounts(path)
  const rows = await accounts.select().from(signIns)
  expect(rows.map((row) => row.network)).toEqual(['192.0.2.1', '192.0.2.2', null])
  accounts.close()
})
