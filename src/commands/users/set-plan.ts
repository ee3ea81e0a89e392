/** izvor users set-plan EMAIL PLAN [--json]: what the account's keys may do from now on. */

import type { Command } from 'commander'
import { setAccountPlan } from '../../accounts/people/operator.ts'
import type { Cli } from '../cli/cli.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

export function addUsersSetPlan(users: Command, cli: Cli): void {
  const command = users
    .command('set-plan')
    .description('Put an account on another plan. Its keys follow at once; none is revoked.')
    .argument('<email>', 'the address of the account')
    .argument('<plan>', 'the plan, as in izvor plans list')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(
    async (email: string, plan: string, options: { json?: true }) => {
      const config = readSettings(cli, options).values
      const folder = findFolder(config)
      const user = await withAccounts(config, folder, (accounts) =>
        setAccountPlan(accounts, email, plan, cli.now()),
      )
      if (options.json) printJson(cli, user)
      else cli.note(`The account ${user.email} is on the plan ${user.plan}.`)
    },
  )
}
