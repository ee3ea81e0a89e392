/** A second process that mints keys of an account, as its console does. Prints how many it got. */

import { mintKey } from '../../../src/accounts/keys/keys.ts'
import { openPlace } from '../accounts-place.ts'

const [place = '', userId = '', times = ''] = process.argv.slice(2)
const { db, close } = await openPlace(place)
let minted = 0
for (let n = 0; n < Number(times); n++) {
  try {
    await mintKey(db, Number(userId), { label: `key ${n}` }, new Date())
    minted++
  } catch {
    // The limit: what the test is about.
  }
}
process.stdout.write(String(minted))
close()
