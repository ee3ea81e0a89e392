/** A second process that revokes or rotates a key, as the operator's command does. Prints the new secret, if any. */

import { OPERATOR, revokeKey, rotateKey } from '../../../src/accounts/keys/keys.ts'
import { openAccounts } from '../../../src/db/accounts.ts'

const [path = '', verb = '', keyId = ''] = process.argv.slice(2)
const accounts = openAccounts(path)
const neverUsed = () => null
if (verb === 'revoke') await revokeKey(accounts, OPERATOR, Number(keyId), neverUsed, new Date())
else {
  const { secret } = await rotateKey(accounts, OPERATOR, Number(keyId), neverUsed, new Date())
  process.stdout.write(secret)
}
accounts.close()
