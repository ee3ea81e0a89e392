/** izvor users list [--json]: every account. */

import type { Command } from 'commander'
import { listAccounts } from '../../accounts/operator.ts'
import type { Cli } from '../cli.ts'
import { findFolder, withAccounts } from '../folder.ts'
import { printJson, printTable } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'

export function addUsersList(users: Command, cli: Cli): void {
  const command = users.command('list').description('List all accounts.').option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action((options: { json?: true }) => {
    const folder = findFolder(readSettings(cli, options).values)
    const found = withAccounts(folder, (accounts) => listAccounts(accounts))
    if (options.json) return printJson(cli, found)
    if (found.length === 0) return cli.note('There are no accounts yet.')
    printTable(cli, found, [
      { title: 'id', value: (user) => String(user.id) },
      { title: 'email', value: (user) => user.email },
      { title: 'verified', value: (user) => (user.email_verified ? 'yes' : 'no') },
      { title: 'plan', value: (user) => user.plan },
      { title: 'name', value: (user) => user.full_name },
      { title: 'organization', value: (user) => user.organization },
      { title: 'created', value: (user) => user.created_at },
    ])
  })
}
