/** Opens the catalog of a data directory as the settings say: its own, or a node's copy of one in PostgreSQL. */

import { Postgres } from '../../db/postgres/open.ts'
import { openSharedCatalog } from '../../db/postgres/shared-catalog.ts'
import type { DataDir } from '../files/data-dir.ts'
import { Catalog } from './catalog.ts'

/** Settings by their names. */
export interface CatalogSettings {
  readonly keep_versions: number
  readonly database_url: string | null
}

/**
 * @param connect opens the database; by default it must be there @returns the caller closes it, and with it the database
 * @throws CommandError, DamagedFileError as `Catalog.open`; DatabaseAway
 */
export async function openCatalog(
  dataDir: DataDir,
  { keep_versions: keepVersions, database_url: url }: CatalogSettings,
  connect: (url: string) => Promise<Postgres> = Postgres.open,
): Promise<Catalog> {
  if (url === null) return Catalog.open(dataDir, { keepVersions })
  const postgres = await connect(url)
  try {
    return Catalog.openNode(dataDir, openSharedCatalog(postgres), { keepVersions })
  } catch (error) {
    postgres.close()
    throw error
  }
}
