/** What a command says of other nodes after it changed what is served. */

import type { Catalog } from '../../store/catalog/catalog.ts'
import type { LateNode } from '../../store/catalog/home.ts'
import type { Cli } from './cli.ts'

/** Waits for the other nodes, for a bounded time, and names those that do not serve a dataset as it is now. */
export async function noteLateNodes(cli: Cli, catalog: Catalog, id: string): Promise<readonly LateNode[]> {
  const late = await catalog.lateNodes(id)
  for (const { name, reason } of late) cli.note(`the node ${name} does not serve this yet: ${reason}`)
  return late
}
