/** izvor users sign-out EMAIL [--json]: ends all sessions of an account. */

import type { Command } from 'commander'
import { signOutAccount } from '../../accounts/people/operator.ts'
import type { Cli } from '../cli/cli.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

export function addUsersSignOut(users: Command, cli: Cli): void {
  const command = users
    .command('sign-out')
    .description('Sign an account out of every browser. Its password and API keys stay.')
    .argument('<email>', 'the address of the account')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (email: string, options: { json?: true }) => {
    const config = readSettings(cli, options).values
    const folder = findFolder(config)
    const user = await withAccounts(config, folder, (accounts) => signOutAccount(accounts, email, cli.now()))
    if (options.json) printJson(cli, user)
    else cli.note(`The account ${user.email} is signed out everywhere.`)
  })
}
