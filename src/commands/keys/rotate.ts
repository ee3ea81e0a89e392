/** izvor keys rotate ID [--json]: a new secret in place of the old one. */

import type { Command } from 'commander'
import { OPERATOR, rotateKey } from '../../accounts/keys/keys.ts'
import { parseCountingNumber } from '../cli/arguments.ts'
import type { Cli } from '../cli/cli.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'
import { printSecret } from './print-key.ts'

export function addKeysRotate(keys: Command, cli: Cli): void {
  const command = keys
    .command('rotate')
    .description('Replace the secret of a key; the old one stops working at once, the key stays the same.')
    .argument('<id>', 'the key_id', parseCountingNumber)
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (id: number, options: { json?: true }) => {
    const config = readSettings(cli, options).values
    const folder = findFolder(config)
    const key = await withAccounts(config, folder, (accounts, usage) =>
      rotateKey(accounts, OPERATOR, id, (keyId) => usage.lastUsed(keyId), cli.now()),
    )
    if (options.json) printJson(cli, key)
    else printSecret(cli, key)
  })
}
