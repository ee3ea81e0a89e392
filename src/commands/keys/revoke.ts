/** izvor keys revoke ID [--yes] [--json]: ends a key; it and its history stay listed. */

import type { Command } from 'commander'
import { OPERATOR, revokeKey } from '../../accounts/keys/keys.ts'
import { parseCountingNumber } from '../cli/arguments.ts'
import type { Cli } from '../cli/cli.ts'
import { confirm } from '../cli/confirm.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

export function addKeysRevoke(keys: Command, cli: Cli): void {
  const command = keys
    .command('revoke')
    .description('Revoke a key. A running service refuses it from the next request on.')
    .argument('<id>', 'the key_id', parseCountingNumber)
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(
    async (id: number, options: { yes?: true; json?: true }) => {
      const config = readSettings(cli, options).values
      const folder = findFolder(config)
      await confirm(cli, `This revokes key ${id}; it cannot be made active again.`, options.yes === true)
      const key = await withAccounts(config, folder, (accounts, usage) =>
        revokeKey(accounts, OPERATOR, id, (keyId) => usage.lastUsed(keyId), cli.now()),
      )
      if (options.json) printJson(cli, key)
      else cli.note(`Key ${id} (${key.label}) is revoked.`)
    },
  )
}
