/** The schemas of a folder's databases, as text in the program. A file's number is that of the schema after it. */

import type { Schema } from './migrate.ts'
import accountsFirst from './migrations/accounts/0008_first.sql' with { type: 'text' }
import accountsOperators from './migrations/accounts/0009_operators.sql' with { type: 'text' }
import catalogFirst from './migrations/catalog/0009_first.sql' with { type: 'text' }
import catalogTakenDown from './migrations/catalog/0010_taken_down.sql' with { type: 'text' }
import catalogSearch from './migrations/catalog/0011_search.sql' with { type: 'text' }
import usageFirst from './migrations/usage/0004_first.sql' with { type: 'text' }

/** By name of the database's file. */
export const SCHEMAS = {
  accounts: { first: 8, files: [accountsFirst, accountsOperators] },
  catalog: { first: 9, files: [catalogFirst, catalogTakenDown, catalogSearch] },
  usage: { first: 4, files: [usageFirst] },
} as const satisfies Record<string, Schema>
