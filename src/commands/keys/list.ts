/** izvor keys list [--usage] [--json]: every key, without its secret, whose it is, and what it read. */

import type { Command } from 'commander'
import { listKeys, OPERATOR } from '../../accounts/keys/keys.ts'
import { listKeyOwners } from '../../accounts/people/operator.ts'
import type { Cli } from '../cli/cli.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'
import { sumUse, USE_DAYS, useOf } from '../cli/use.ts'
import { printKeys } from './print-key.ts'

export function addKeysList(keys: Command, cli: Cli): void {
  const command = keys
    .command('list')
    .description('List all keys.')
    .option('--usage', `with what each read of datasets in the last ${USE_DAYS} days`)
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (options: { json?: true; usage?: true }) => {
    const config = readSettings(cli, options).values
    const folder = findFolder(config)
    const { found, owners, read } = await withAccounts(config, folder, async (accounts, usage) => ({
      found: await listKeys(accounts, OPERATOR, (id) => usage.lastUsed(id)),
      owners: await listKeyOwners(accounts),
      read: (await useOf(usage, { by: ['key', 'dataset', 'format'] }, cli.now())).rows,
    }))
    const useOfKey = (id: number) => read.filter(({ key_id }) => key_id === id)
    if (options.json) {
      return printJson(
        cli,
        found.map((key) => ({
          ...{ ...key, user_id: owners.get(key.key_id)?.id ?? null },
          ...(options.usage && { usage: useOfKey(key.key_id).map(({ key_id: _, ...use }) => use) }),
        })),
      )
    }
    if (found.length === 0) return cli.note('There are no keys yet: izvor keys mint --plan PLAN.')
    printKeys(
      cli,
      found.map((key) => ({
        ...{ ...key, account: owners.get(key.key_id)?.email ?? null },
        use: options.usage ? sumUse(useOfKey(key.key_id)) : null,
      })),
    )
  })
}
