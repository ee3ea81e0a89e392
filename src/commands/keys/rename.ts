/** izvor keys rename ID [--label L] [--expires-at T] [--scopes a,b] [--monthly-quota N] [--json]: changes what is said of a key. */

import type { Command } from 'commander'
import { OPERATOR, renameKey } from '../../accounts/keys/keys.ts'
import { CommandError } from '../../base/errors.ts'
import { parseCountingNumber } from '../cli/arguments.ts'
import type { Cli } from '../cli/cli.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'
import { printKey } from './print-key.ts'
import { addTermOptions, type GivenTerms, termsOf } from './term-options.ts'

interface Given extends GivenTerms {
  readonly label?: string
  readonly json?: true
}

export function addKeysRename(keys: Command, cli: Cli): void {
  const command = keys
    .command('rename')
    .description(
      'Change the label of a key, when it expires, what it may do, or its quota. Its secret stays; what is not named stays too.',
    )
    .argument('<id>', 'the key_id', parseCountingNumber)
    .option('--label <text>', 'a name for people, 1 to 100 characters')
  addTermOptions(command).option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (id: number, options: Given) => {
    const { label } = options
    const change = { ...(label !== undefined && { label }), ...termsOf(options) }
    if (Object.keys(change).length === 0)
      throw new CommandError('usage', 'name what changes: --label, --expires-at, --scopes or --monthly-quota')
    const config = readSettings(cli, options).values
    const folder = findFolder(config)
    const key = await withAccounts(config, folder, (accounts, usage) =>
      renameKey(accounts, OPERATOR, id, change, (keyId) => usage.lastUsed(keyId), cli.now()),
    )
    if (options.json) printJson(cli, key)
    else printKey(cli, key)
  })
}
