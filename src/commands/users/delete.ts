/** izvor users delete EMAIL [--yes] [--json]: removes an account with its keys, sessions, usage and logs. */

import type { Command } from 'commander'
import { finishDeletions } from '../../accounts/keys/tombstones.ts'
import { deleteAccountOf, requireAccount } from '../../accounts/people/operator.ts'
import type { Cli } from '../cli/cli.ts'
import { confirm } from '../cli/confirm.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

export function addUsersDelete(users: Command, cli: Cli): void {
  const command = users
    .command('delete')
    .description('Delete an account with its keys, sessions, usage and logs. Its keys are refused at once.')
    .argument('<email>', 'the address of the account')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(
    async (email: string, options: { yes?: true; json?: true }) => {
      const config = readSettings(cli, options).values
      const folder = findFolder(config)
      await withAccounts(config, folder, (accounts) => requireAccount(accounts, email))
      const what = `This deletes the account ${email} with its keys, usage and logs for good.`
      await confirm(cli, what, options.yes === true)
      const deleted = await withAccounts(config, folder, async (accounts, usage) => {
        const user = await deleteAccountOf(accounts, email, cli.now())
        await finishDeletions(accounts, usage)
        await accounts.emptyLog()
        return user
      })
      if (options.json) printJson(cli, { deleted: true, ...deleted })
      else cli.note(`The account ${email} is deleted.`)
    },
  )
}
