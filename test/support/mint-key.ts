/** A key for tests that need one before they can await anything: the row that `keys mint` writes. */

import { generateKey, keyHint } from '../../src/accounts/keys/key-format.ts'
import { sha256 } from '../../src/base/crypto/sha256.ts'
import type { AccountsDb } from '../../src/db/accounts.ts'

export function mintTestKey({ $client }: AccountsDb, plan: string): { key_id: number; secret: string } {
  const secret = generateKey()
  const insert = $client.prepare<unknown[]>(`
    INSERT INTO api_keys (label, plan, state, secret_hash, hint, created_at) VALUES ('tests', ?, 'active', ?, ?, ?)
  `)
  const values = [plan, Buffer.from(sha256(secret)), keyHint(secret), new Date().toISOString()]
  return { key_id: Number(insert.run(...values).lastInsertRowid), secret }
}
