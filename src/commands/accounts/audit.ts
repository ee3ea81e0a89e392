/** izvor audit …: the log of security events. */

import type { Command } from 'commander'
import { listEvents } from '../../accounts/audit/audit.ts'
import { parseCountingNumber } from '../cli/arguments.ts'
import type { Cli } from '../cli/cli.ts'
import { type AccountsPlace, accountsCommand, addGroup } from '../cli/command-row.ts'
import { printTable } from '../cli/print.ts'

const SHOWN = 100

const list = accountsCommand({
  name: 'list',
  description: 'List the latest events, newest first. Accounts and keys appear by number only.',
  takes: (command) => command.option('--limit <n>', 'how many', parseCountingNumber, SHOWN),
  does: ({ accounts }: AccountsPlace, { limit }: { limit: number }) => listEvents(accounts, limit),
  prints: (cli, events) => {
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
  },
})

export function addAudit(program: Command, cli: Cli): void {
  const description = 'Read the audit log: operator and account security events.'
  addGroup(program, cli, { name: 'audit', description, commands: [list] })
}
