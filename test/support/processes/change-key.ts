/** A second process that revokes or rotates a key, as the operator's command does. Prints the new secret, if any. */

import { OPERATOR } from '../../../src/accounts/audit/audit.ts'
import { revokeKey, rotateKey } from '../../../src/accounts/keys/keys.ts'
import { openPlace } from '../accounts-place.ts'

const [place = '', verb = '', keyId = ''] = process.argv.slice(2)
const { db: accounts, close } = await openPlace(place)
const neverUsed = () => null
if (verb === 'revoke') await revokeKey(accounts, OPERATOR, Number(keyId), neverUsed, new Date())
else {
  const { secret } = await rotateKey(accounts, OPERATOR, Number(keyId), neverUsed, new Date())
  process.stdout.write(secret)
}
close()
