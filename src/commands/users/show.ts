/** izvor users show EMAIL [--json]: one account. */

import type { Command } from 'commander'
import { showAccount } from '../../accounts/operator.ts'
import type { Cli } from '../cli.ts'
import { findFolder, withAccounts } from '../folder.ts'
import { printJson } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'
import { printUser } from './print-user.ts'

export function addUsersShow(users: Command, cli: Cli): void {
  const command = users
    .command('show')
    .description('Show an account with its number of active keys and sessions.')
    .argument('<email>', 'the address of the account')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action((email: string, options: { json?: true }) => {
    const folder = findFolder(readSettings(cli, options).values)
    const user = withAccounts(folder, (accounts) => showAccount(accounts, email))
    if (options.json) printJson(cli, user)
    else printUser(cli, user)
  })
}
