/** A key of the operator for tests. */

import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { mintKey } from '../../src/accounts/keys/keys.ts'
import type { AccountsDb } from '../../src/db/accounts.ts'

export function mintTestKey(db: AccountsDb, plan: string): Promise<{ key_id: number; secret: string }> {
  return mintKey(db, OPERATOR, { label: 'tests', plan }, new Date())
}
