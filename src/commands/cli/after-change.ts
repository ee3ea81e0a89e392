/** After a command changed a dataset: the entry in the audit log, and the nodes that are late. */

import type { AuditEvent } from '../../accounts/audit/audit.ts'
import { noteChange } from '../../accounts/audit/audit.ts'
import { closing } from '../../base/closing.ts'
import type { Config } from '../../base/config/config.ts'
import { accountsIn, openAccounts } from '../../db/accounts.ts'
import { Postgres } from '../../db/postgres/open.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { LateNode } from '../../store/catalog/home.ts'
import type { Cli } from './cli.ts'

/**
 * Notes a change that is committed.
 * @param detail the dataset and what was changed @param by `service`: its schedule started the command
 * @throws CommandError; DatabaseAway
 */
export async function noteInAudit(
  { now }: Cli,
  { database_url: url }: Config,
  { accountsDb }: { readonly accountsDb: string },
  {
    event,
    detail,
    by = 'shell',
  }: {
    readonly event: AuditEvent
    readonly detail: string
    readonly by?: 'shell' | 'service'
  },
): Promise<void> {
  if (url === null) {
    using accounts = closing(openAccounts(accountsDb))
    return await noteChange(accounts, by, event, detail, now())
  }
  using database = closing(await Postgres.open(url))
  await noteChange(accountsIn(database), by, event, detail, now())
}

/** Waits for the other nodes, for a bounded time, and names those that do not serve a dataset as it is now. */
export async function noteLateNodes(cli: Cli, catalog: Catalog, id: string): Promise<readonly LateNode[]> {
  const late = await catalog.lateNodes(id)
  for (const { name, reason } of late) cli.note(`the node ${name} does not serve this yet: ${reason}`)
  return late
}
