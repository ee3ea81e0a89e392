/** izvor keys mint --plan P [--label L] [--email ACCOUNT] [--expires-at T] [--scopes a,b] [--monthly-quota N] [--json]: a new API key. */

import type { Command } from 'commander'
import { mintKey, OPERATOR } from '../../accounts/keys/keys.ts'
import { requireAccount } from '../../accounts/people/operator.ts'
import { CommandError } from '../../base/errors.ts'
import type { Cli } from '../cli/cli.ts'
import { createFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'
import { printSecret } from './print-key.ts'
import { addTermOptions, type GivenTerms, termsOf } from './term-options.ts'

interface Given extends GivenTerms {
  readonly plan?: string
  readonly label: string
  readonly email?: string
  readonly json?: true
}

export function addKeysMint(keys: Command, cli: Cli): void {
  const command = keys
    .command('mint')
    .description('Create an API key. Its secret is printed once and not stored.')
    .option(
      '--plan <name>',
      "the plan it is minted on, with a quota of its own (default with --email: the account's)",
    )
    .option('--label <text>', 'a name for people, 1 to 100 characters', 'operator key')
    .option(
      '--email <account>',
      'the account that may see and revoke it; it does not count towards its active keys',
    )
  addTermOptions(command).option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (options: Given) => {
    const { plan, label, email } = options
    if (plan === undefined && email === undefined) {
      throw new CommandError(
        'usage',
        'name a plan with --plan (free, institution, unlimited, or one of your own: izvor plans list), or an account with --email',
      )
    }
    const config = readSettings(cli, options).values
    const folder = createFolder(config, cli.note)
    const key = await withAccounts(config, folder, async (accounts) => {
      const userId = email === undefined ? undefined : (await requireAccount(accounts, email)).id
      return mintKey(accounts, OPERATOR, { plan, label, userId, ...termsOf(options) }, cli.now())
    })
    if (options.json) printJson(cli, key)
    else printSecret(cli, key)
  })
}
