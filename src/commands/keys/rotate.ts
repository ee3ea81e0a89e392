/** izvor keys rotate ID [--json]: a new secret in place of the old one. */

import type { Command } from 'commander'
import { rotateKey } from '../../keys/keys.ts'
import { parseCountingNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { findFolder, withAccounts } from '../folder.ts'
import { printJson } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'
import { printSecret } from './print-key.ts'

export function addKeysRotate(keys: Command, cli: Cli): void {
  const command = keys
    .command('rotate')
    .description('Replace the secret of a key; the old one stops working at once, the key stays the same.')
    .argument('<id>', 'the key_id', parseCountingNumber)
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action((id: number, options: { json?: true }) => {
    const folder = findFolder(readSettings(cli, options).values)
    const key = withAccounts(folder, (accounts, usage) =>
      rotateKey(accounts, id, (keyId) => usage.lastUsed(keyId), cli.now()),
    )
    if (options.json) printJson(cli, key)
    else printSecret(cli, key)
  })
}
