/** What follows a command's change of a dataset: the audit entry, its picture, and a look for nodes that are late. */

import { type AuditEvent, noteChange } from '../../accounts/audit/audit.ts'
import { closing } from '../../base/closing.ts'
import { accountsIn, openAccounts } from '../../db/accounts.ts'
import { Postgres } from '../../db/postgres/open.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Cli } from './cli.ts'
import type { CatalogPlace, Place } from './command-row.ts'

/**
 * Notes a committed change in the audit log.
 * @param detail the dataset and what was changed @param by `service`: a schedule started the command
 * @throws CommandError; DatabaseAway
 */
export async function noteInAudit(
  { cli, config: { database_url: url }, folder }: Pick<Place, 'cli' | 'config' | 'folder'>,
  event: AuditEvent,
  detail: string,
  by: 'shell' | 'service' = 'shell',
): Promise<void> {
  using opened = closing(url === null ? openAccounts(folder.accountsDb) : await Postgres.open(url))
  const accounts = opened instanceof Postgres ? accountsIn(opened) : opened
  await noteChange(accounts, by, event, detail, cli.now())
}

/** Waits a bounded time for the other nodes, and names those that do not yet serve the current state of a dataset. */
export async function noteLateNodes(cli: Cli, catalog: Catalog, id: string) {
  const late = await catalog.lateNodes(id)
  for (const { name, reason } of late) cli.note(`the node ${name} does not serve this yet: ${reason}`)
  return late
}

/**
 * Notes a publication and draws its pictures. The renderer is loaded only here, since most commands publish nothing.
 * @throws as `noteInAudit`
 */
export async function notePublished(
  place: Pick<CatalogPlace, 'cli' | 'config' | 'folder' | 'catalog'>,
  { dataset, version }: { readonly dataset: string; readonly version: number | null },
  by: 'shell' | 'service' = 'shell',
): Promise<void> {
  const { drawAfter } = await import('../../pages/picture/draw-pictures.ts')
  await drawAfter({ catalog: place.catalog, dataDir: place.folder }, dataset)
  await noteInAudit(place, 'dataset_published', `${dataset} version ${version}`, by)
}
