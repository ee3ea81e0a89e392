/**
 * The schema of PostgreSQL, as text inside the program. The number of a file is the schema's after it. A step says in its
 * first line whether programs from before it may go on beside it; else `izvor upgrade` names the nodes to stop.
 */

import type { Schema } from '../migrate.ts'
import first from './migrations/0006_first.sql' with { type: 'text' }
import referenceTables from './migrations/0007_reference_tables.sql' with { type: 'text' }
import takenDown from './migrations/0008_taken_down.sql' with { type: 'text' }

export const POSTGRES_SCHEMA: Schema = { first: 6, files: [first, referenceTables, takenDown] }
