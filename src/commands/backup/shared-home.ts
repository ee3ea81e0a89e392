/** What several nodes share, for commands that copy all of it. */

import type { Config } from '../../base/config/config.ts'
import { Postgres } from '../../db/postgres/open.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { checkObjects, openObjects } from '../../store/objects/open-objects.ts'
import type { SharedHome } from '../../upkeep/backup/shared-snapshot.ts'

/**
 * Runs `work` with the database and the object store that the settings name, and closes them.
 * @param work gets undefined where the folder stands alone
 * @throws DatabaseAway; CommandError, ObjectStoreError where they refuse
 */
export async function withSharedHome<T>(
  config: Config,
  folder: DataDir,
  work: (shared: SharedHome | undefined) => Promise<T>,
): Promise<T> {
  const remote = openObjects(folder, config)
  if (config.database_url === null || remote === null) return await work(undefined)
  try {
    await checkObjects(remote)
    const postgres = await Postgres.open(config.database_url)
    try {
      return await work({ postgres, remote })
    } finally {
      postgres.close()
    }
  } finally {
    remote.close()
  }
}
