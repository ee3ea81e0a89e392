/** A second process that mints keys of an account, as its console does. Prints how many it got. */

import { openAccounts } from '../../../src/db/accounts.ts'
import { mintAccountKey } from '../../../src/keys/account-keys.ts'

const [path = '', userId = '', times = ''] = process.argv.slice(2)
const db = openAccounts(path)
const desk = { db, mailer: { wake: () => {} }, usage: { forget: () => {} } }
let minted = 0
for (let n = 0; n < Number(times); n++) {
  try {
    mintAccountKey(desk, Number(userId), `key ${n}`, new Date())
    minted++
  } catch {
    // The limit: what the test is about.
  }
}
process.stdout.write(String(minted))
db.$client.close()
