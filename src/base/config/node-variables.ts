/** Settings of nodes for the processes that a service starts: in their environment, since the database's may have a password. */

import type { Config } from './config.ts'
import { variableOf } from './setting.ts'

/** None for a data directory that stands alone. */
export function nodeVariables(config: Config): Record<string, string> {
  const { database_url, object_store, object_store_endpoint, version_cache, disk_floor } = config
  if (object_store === null) return {}
  const settings = { database_url, object_store, object_store_endpoint, version_cache, disk_floor }
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      value === null ? [] : [[variableOf(name), String(value)]],
    ),
  )
}
