/** izvor keys mint --plan P [--label L] [--json]: a new API key. */

import type { Command } from 'commander'
import { mintKey } from '../../keys/keys.ts'
import type { Cli } from '../cli.ts'
import { createFolder, withAccounts } from '../folder.ts'
import { printJson } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'
import { printSecret } from './print-key.ts'

interface Given {
  readonly plan: string
  readonly label: string
  readonly json?: true
}

export function addKeysMint(keys: Command, cli: Cli): void {
  const command = keys
    .command('mint')
    .description('Make a new API key. Its secret is printed once and kept nowhere.')
    .requiredOption('--plan <name>', 'the plan it is minted on: free, institution or unlimited')
    .option('--label <text>', 'a name for people, 1 to 100 characters', 'operator key')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action((options: Given) => {
    const folder = createFolder(readSettings(cli, options).values)
    const key = withAccounts(folder, (accounts) => mintKey(accounts, options, cli.now()))
    if (options.json) printJson(cli, key)
    else printSecret(cli, key)
  })
}
