/** izvor keys delete ID [--yes] [--json]: removes a revoked key with its usage. */

import type { Command } from 'commander'
import { deleteKey } from '../../keys/keys.ts'
import { finishDeletions } from '../../keys/tombstones.ts'
import { parseCountingNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { confirm } from '../confirm.ts'
import { findFolder, withAccounts } from '../folder.ts'
import { printJson } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'

export function addKeysDelete(keys: Command, cli: Cli): void {
  const command = keys
    .command('delete')
    .description('Delete a revoked key together with its usage records.')
    .argument('<id>', 'the key_id', parseCountingNumber)
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(
    async (id: number, options: { yes?: true; json?: true }) => {
      const folder = findFolder(readSettings(cli, options).values)
      await confirm(cli, `This deletes key ${id} and its usage records for good.`, options.yes === true)
      withAccounts(folder, (accounts, usage) => {
        deleteKey(accounts, id, cli.now())
        finishDeletions(accounts, usage)
      })
      if (options.json) printJson(cli, { deleted: true, key_id: id })
      else cli.note(`Key ${id} is deleted.`)
    },
  )
}
