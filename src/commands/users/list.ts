/** izvor users list [--json]: every account. */

import type { Command } from 'commander'
import { listAccounts } from '../../accounts/people/operator.ts'
import type { Cli } from '../cli/cli.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson, printTable } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'
import { roleInWords } from './print-user.ts'

export function addUsersList(users: Command, cli: Cli): void {
  const command = users.command('list').description('List all accounts.').option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (options: { json?: true }) => {
    const config = readSettings(cli, options).values
    const folder = findFolder(config)
    const found = await withAccounts(config, folder, (accounts) => listAccounts(accounts))
    if (options.json) return printJson(cli, found)
    if (found.length === 0) return cli.note('There are no accounts yet.')
    printTable(cli, found, [
      { title: 'id', value: (user) => String(user.id) },
      { title: 'email', value: (user) => user.email },
      { title: 'verified', value: (user) => (user.email_verified ? 'yes' : 'no') },
      { title: 'plan', value: (user) => user.plan },
      { title: 'role', value: roleInWords },
      { title: 'second factor', value: (user) => (user.second_factor ? 'yes' : 'no') },
      { title: 'name', value: (user) => user.full_name },
      { title: 'organization', value: (user) => user.organization },
      { title: 'created', value: (user) => user.created_at },
    ])
  })
}
