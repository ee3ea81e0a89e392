/** izvor audit list [--limit N] [--json]: the latest events, newest first. */

import type { Command } from 'commander'
import { listEvents } from '../../accounts/audit/audit.ts'
import { parseCountingNumber } from '../cli/arguments.ts'
import type { Cli } from '../cli/cli.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson, printTable } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

const SHOWN = 100

export function addAuditList(audit: Command, cli: Cli): void {
  const command = audit
    .command('list')
    .description('List the latest events, newest first. Accounts and keys appear by number only.')
    .option('--limit <n>', 'how many', parseCountingNumber, SHOWN)
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (options: { limit: number; json?: true }) => {
    const config = readSettings(cli, options).values
    const folder = findFolder(config)
    const events = await withAccounts(config, folder, (accounts) => listEvents(accounts, options.limit))
    if (options.json) return printJson(cli, events)
    if (events.length === 0) return cli.note('Nothing has happened yet.')
    printTable(cli, events, [
      { title: 'id', value: (event) => String(event.id) },
      { title: 'at', value: (event) => event.at },
      { title: 'by', value: (event) => event.actor },
      { title: 'event', value: (event) => event.event },
      { title: 'account', value: (event) => event.user_id?.toString() },
      { title: 'key', value: (event) => event.key_id?.toString() },
      { title: 'detail', value: (event) => event.detail },
    ])
  })
}
