/** izvor keys mint --plan P [--label L] [--email ACCOUNT] [--json]: a new API key. */

import type { Command } from 'commander'
import { requireAccount } from '../../accounts/operator.ts'
import { CommandError } from '../../errors.ts'
import { mintKey } from '../../keys/keys.ts'
import type { Cli } from '../cli.ts'
import { createFolder, withAccounts } from '../folder.ts'
import { printJson } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'
import { printSecret } from './print-key.ts'

interface Given {
  readonly plan?: string
  readonly label: string
  readonly email?: string
  readonly json?: true
}

export function addKeysMint(keys: Command, cli: Cli): void {
  const command = keys
    .command('mint')
    .description('Make a new API key. Its secret is printed once and kept nowhere.')
    .option(
      '--plan <name>',
      "the plan it is minted on, with a quota of its own (default with --email: the account's)",
    )
    .option('--label <text>', 'a name for people, 1 to 100 characters', 'operator key')
    .option(
      '--email <account>',
      'the account that may see and revoke it; it does not count towards its active keys',
    )
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action((options: Given) => {
    const { plan, label, email } = options
    if (plan === undefined && email === undefined) {
      throw new CommandError(
        'usage',
        'name a plan with --plan (free, institution, unlimited, or one of your own: izvor plans list), or an account with --email',
      )
    }
    const folder = createFolder(readSettings(cli, options).values, cli.note)
    const key = withAccounts(folder, (accounts) => {
      const userId = email === undefined ? undefined : requireAccount(accounts, email).id
      return mintKey(accounts, { plan, label, userId }, cli.now())
    })
    if (options.json) printJson(cli, key)
    else printSecret(cli, key)
  })
}
