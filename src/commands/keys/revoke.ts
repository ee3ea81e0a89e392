/** izvor keys revoke ID [--yes] [--json]: the key opens nothing any more; it and its history stay listed. */

import type { Command } from 'commander'
import { revokeKey } from '../../keys/keys.ts'
import { parseCountingNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { confirm } from '../confirm.ts'
import { findFolder, withAccounts } from '../folder.ts'
import { printJson } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'

export function addKeysRevoke(keys: Command, cli: Cli): void {
  const command = keys
    .command('revoke')
    .description('Revoke a key. A running service refuses it from the next request on.')
    .argument('<id>', 'the key_id', parseCountingNumber)
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(
    async (id: number, options: { yes?: true; json?: true }) => {
      const folder = findFolder(readSettings(cli, options).values)
      await confirm(cli, `This revokes key ${id}; it cannot be made active again.`, options.yes === true)
      const key = withAccounts(folder, (accounts, usage) =>
        revokeKey(accounts, id, (keyId) => usage.lastUsed(keyId), cli.now()),
      )
      if (options.json) printJson(cli, key)
      else cli.note(`Key ${id} (${key.label}) is revoked.`)
    },
  )
}
