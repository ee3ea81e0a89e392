/** izvor users verify EMAIL [--json]: confirms the address in its owner's place. */

import type { Command } from 'commander'
import { verifyAccount } from '../../accounts/people/operator.ts'
import type { Cli } from '../cli/cli.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

export function addUsersVerify(users: Command, cli: Cli): void {
  const command = users
    .command('verify')
    .description('Confirm the e-mail address of an account on behalf of its owner.')
    .argument('<email>', 'the address of the account')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (email: string, options: { json?: true }) => {
    const config = readSettings(cli, options).values
    const folder = findFolder(config)
    const user = await withAccounts(config, folder, (accounts) => verifyAccount(accounts, email, cli.now()))
    if (options.json) printJson(cli, user)
    else cli.note(`The address ${user.email} is confirmed.`)
  })
}
