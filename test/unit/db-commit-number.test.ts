import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { inTransaction, openAccounts } from '../../src/db/accounts.ts'
import { plans } from '../../src/db/schema/accounts-schema.ts'
import { commitNumberOf } from '../../src/db/transaction.ts'
import { tempDir } from '../support/temp-dir.ts'

test('anyone who has learned of a transaction’s end finds another number, however fast the commit', async () => {
  const db = openAccounts(join(tempDir(), 'accounts.db'))
  db.writing.pragma('synchronous = OFF')
  const number = commitNumberOf(db.reading)
  for (let per_minute = 1; per_minute <= 20; per_minute++) {
    const before = await inTransaction(db, async (tx) => {
      await tx.update(plans).set({ per_minute })
      return number()
    })
    expect(number()).not.toBe(before)
  }
  db.close()
})
