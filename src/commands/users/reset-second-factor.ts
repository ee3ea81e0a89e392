/** izvor users reset-second-factor EMAIL [--json]: for an owner who lost the app and the recovery codes. */

import type { Command } from 'commander'
import { resetSecondFactor } from '../../accounts/people/operator.ts'
import type { Cli } from '../cli/cli.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

export function addUsersResetSecondFactor(users: Command, cli: Cli): void {
  const command = users
    .command('reset-second-factor')
    .description(
      'Turn the second factor of an account off and sign it out of every browser, for an owner who lost the authenticator app and the recovery codes. Make sure that it is the owner who asks.',
    )
    .argument('<email>', 'the address of the account')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (email: string, options: { json?: true }) => {
    const config = readSettings(cli, options).values
    const folder = findFolder(config)
    const user = await withAccounts(config, folder, (accounts) =>
      resetSecondFactor(accounts, email, cli.now()),
    )
    if (options.json) printJson(cli, user)
    else cli.note(`The account ${user.email} signs in with its password alone, and is signed out everywhere.`)
  })
}
