/**
 * The migrations of PostgreSQL, oldest first, as text inside the program. New files join the end. Each says in its first
 * line whether programs from before it may go on beside it; else `izvor upgrade` names the nodes to stop.
 */

import accounts from './migrations/0000_accounts.sql' with { type: 'text' }
import catalog from './migrations/0001_catalog.sql' with { type: 'text' }
import usage from './migrations/0002_usage.sql' with { type: 'text' }
import nodes from './migrations/0003_nodes.sql' with { type: 'text' }
import catalogChanges from './migrations/0004_catalog_changes.sql' with { type: 'text' }
import limitCounts from './migrations/0005_limit_counts.sql' with { type: 'text' }
import referenceTables from './migrations/0006_reference_tables.sql' with { type: 'text' }
import takenDown from './migrations/0007_taken_down.sql' with { type: 'text' }

export const POSTGRES_MIGRATIONS: readonly string[] = [
  accounts,
  catalog,
  usage,
  nodes,
  catalogChanges,
  limitCounts,
  referenceTables,
  takenDown,
]
