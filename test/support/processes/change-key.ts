/** A second process that revokes or rotates a key, as the operator's command does. Prints the new secret, if any. */

import { openAccounts } from '../../../src/db/accounts.ts'
import { revokeKey, rotateKey } from '../../../src/keys/keys.ts'

const [path = '', verb = '', keyId = ''] = process.argv.slice(2)
const accounts = openAccounts(path)
const neverUsed = () => null
if (verb === 'revoke') revokeKey(accounts, Number(keyId), neverUsed, new Date())
else process.stdout.write(rotateKey(accounts, Number(keyId), neverUsed, new Date()).secret)
accounts.$client.close()
