/** izvor keys list [--json]: every key, without its secret, and whose it is. */

import type { Command } from 'commander'
import { listKeyOwners } from '../../accounts/operator.ts'
import { listKeys } from '../../keys/keys.ts'
import type { Cli } from '../cli.ts'
import { findFolder, withAccounts } from '../folder.ts'
import { printJson } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'
import { printKeys } from './print-key.ts'

export function addKeysList(keys: Command, cli: Cli): void {
  const command = keys.command('list').description('List all keys.').option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action((options: { json?: true }) => {
    const folder = findFolder(readSettings(cli, options).values)
    const { found, owners } = withAccounts(folder, (accounts, usage) => ({
      found: listKeys(accounts, (id) => usage.lastUsed(id)),
      owners: listKeyOwners(accounts),
    }))
    if (options.json) {
      return printJson(
        cli,
        found.map((key) => ({ ...key, user_id: owners.get(key.key_id)?.id ?? null })),
      )
    }
    if (found.length === 0) return cli.note('There are no keys yet: izvor keys mint --plan PLAN.')
    printKeys(
      cli,
      found.map((key) => ({ ...key, account: owners.get(key.key_id)?.email ?? null })),
    )
  })
}
