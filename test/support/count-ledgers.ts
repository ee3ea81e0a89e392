/** Several processes' views of the counts of one place. */

import { join } from 'node:path'
import type { CountLedger } from '../../src/db/counts/ledger.ts'
import { postgresLedger } from '../../src/db/counts/postgres-ledger.ts'
import { SqliteLedger } from '../../src/db/counts/sqlite-ledger.ts'
import { Postgres } from '../../src/db/postgres/open.ts'
import { SlidingWindows, type SlidingWindowsOptions } from '../../src/db/sliding-windows.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'
import { tempDir } from './temp-dir.ts'

/** Opens the counts of one place as another process would. */
export type OpenLedger = () => Promise<CountLedger>

/** Makes a new, empty place on each available engine. */
export const LEDGERS: readonly (readonly [engine: string, newPlace: () => Promise<OpenLedger>])[] = [
  [
    'SQLite',
    async () => {
      const path = newPlace()
      return async () => SqliteLedger.open(path)
    },
  ],
  ...(hasPostgres ? ([['PostgreSQL', newDatabase]] as const) : []),
]

export function newPlace(): string {
  return join(tempDir(), 'limits.db')
}

async function newDatabase(): Promise<OpenLedger> {
  const url = await (await sharedPostgres()).createDatabase()
  await (await Postgres.open(url)).close()
  return async () => {
    const database = await Postgres.open(url)
    const ledger = postgresLedger(database)
    ledger.close = () => database.close()
    return ledger
  }
}

/** Several stores over the ledger of one place, each with its own connection. */
export async function storesIn(
  open: OpenLedger,
  count: number,
  options?: SlidingWindowsOptions,
): Promise<SlidingWindows[]> {
  const stores: SlidingWindows[] = []
  for (let n = 0; n < count; n++) stores.push(new SlidingWindows(await open(), options))
  return stores
}

/** The same over a file. */
export function storesOver(path: string, count: number, options?: SlidingWindowsOptions): SlidingWindows[] {
  return Array.from({ length: count }, () => new SlidingWindows(SqliteLedger.open(path), options))
}
