/** izvor users show EMAIL [--json]: one account. */

import type { Command } from 'commander'
import { listKeys } from '../../accounts/keys/keys.ts'
import { showAccount } from '../../accounts/people/operator.ts'
import { nameKeys } from '../../publish/published/use.ts'
import type { Cli } from '../cli/cli.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'
import { printUse, USE_DAYS, useOf } from '../cli/use.ts'
import { printUser } from './print-user.ts'

export function addUsersShow(users: Command, cli: Cli): void {
  const command = users
    .command('show')
    .description(
      `Show an account with its number of active keys and sessions, and what its keys read in the last ${USE_DAYS} days.`,
    )
    .argument('<email>', 'the address of the account')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (email: string, options: { json?: true }) => {
    const config = readSettings(cli, options).values
    const folder = findFolder(config)
    const { user, use } = await withAccounts(config, folder, async (accounts, usage) => {
      const shown = await showAccount(accounts, email)
      const keyIds = (await listKeys(accounts, shown.id, () => null)).map(({ key_id }) => key_id)
      const found = await useOf(usage, { keyIds, by: ['key', 'dataset', 'format'] }, cli.now())
      return { user: shown, use: await nameKeys(accounts, found.rows) }
    })
    if (options.json) return printJson(cli, { ...user, usage: use })
    printUser(cli, user)
    printUse(cli, use, ['key', 'dataset', 'format'])
  })
}
