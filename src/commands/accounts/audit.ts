/** izvor audit …: the log of security events. */

import { listEvents } from '../../accounts/audit/audit.ts'
import { type AccountsPlace, accountsCommand, groupOf, parseCountingNumber } from '../cli/command-row.ts'
import { printTable } from '../cli/print.ts'

const list = accountsCommand({
  name: 'list',
  description: 'List the latest events, newest first. Accounts and keys appear by number only.',
  takes: (command) => command.option('--limit <n>', 'how many', parseCountingNumber, 100),
  does: ({ accounts }: AccountsPlace, { limit }: { limit: number }) => listEvents(accounts, limit),
  prints: (cli, events) => {
    if (events.length === 0) return cli.note('Nothing has happened yet.')
    printTable(cli, events, {
      id: (event) => String(event.id),
      at: 'at',
      by: ({ actor, operator_id }) => (operator_id === null ? actor : `${actor} ${operator_id}`),
      event: 'event',
      account: (event) => event.user_id?.toString(),
      key: (event) => event.key_id?.toString(),
      detail: 'detail',
    })
  },
})

export const audit = groupOf('audit', 'Read the audit log: operator and account security events.', [list])
