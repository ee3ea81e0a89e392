/** izvor users delete EMAIL [--yes] [--json]: removes an account with its keys, sessions, usage and logs. */

import type { Command } from 'commander'
import { deleteAccountOf, requireAccount } from '../../accounts/operator.ts'
import { emptyLog } from '../../db/accounts.ts'
import { finishDeletions } from '../../keys/tombstones.ts'
import type { Cli } from '../cli.ts'
import { confirm } from '../confirm.ts'
import { findFolder, withAccounts } from '../folder.ts'
import { printJson } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'

export function addUsersDelete(users: Command, cli: Cli): void {
  const command = users
    .command('delete')
    .description('Delete an account with its keys, sessions, usage and logs. Its keys are refused at once.')
    .argument('<email>', 'the address of the account')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(
    async (email: string, options: { yes?: true; json?: true }) => {
      const folder = findFolder(readSettings(cli, options).values)
      withAccounts(folder, (accounts) => requireAccount(accounts, email))
      const what = `This deletes the account ${email} with its keys, usage and logs for good.`
      await confirm(cli, what, options.yes === true)
      const deleted = withAccounts(folder, (accounts, usage) => {
        const user = deleteAccountOf(accounts, email, cli.now())
        finishDeletions(accounts, usage)
        emptyLog(accounts)
        return user
      })
      if (options.json) printJson(cli, { deleted: true, ...deleted })
      else cli.note(`The account ${email} is deleted.`)
    },
  )
}
