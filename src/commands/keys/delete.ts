/** izvor keys delete ID [--yes] [--json]: removes a revoked key with its usage. */

import type { Command } from 'commander'
import { deleteKey, OPERATOR } from '../../accounts/keys/keys.ts'
import { finishDeletions } from '../../accounts/keys/tombstones.ts'
import { parseCountingNumber } from '../cli/arguments.ts'
import type { Cli } from '../cli/cli.ts'
import { confirm } from '../cli/confirm.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

export function addKeysDelete(keys: Command, cli: Cli): void {
  const command = keys
    .command('delete')
    .description('Delete a revoked key together with its usage records.')
    .argument('<id>', 'the key_id', parseCountingNumber)
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(
    async (id: number, options: { yes?: true; json?: true }) => {
      const config = readSettings(cli, options).values
      const folder = findFolder(config)
      await confirm(cli, `This deletes key ${id} and its usage records for good.`, options.yes === true)
      await withAccounts(config, folder, async (accounts, usage) => {
        await deleteKey(accounts, OPERATOR, id, cli.now())
        await finishDeletions(accounts, usage)
      })
      if (options.json) printJson(cli, { deleted: true, key_id: id })
      else cli.note(`Key ${id} is deleted.`)
    },
  )
}
