/** Several processes' views of the counts of one data folder. */

import { join } from 'node:path'
import { SqliteLedger } from '../../src/db/counts/sqlite-ledger.ts'
import { SlidingWindows, type SlidingWindowsOptions } from '../../src/db/sliding-windows.ts'
import { tempDir } from './temp-dir.ts'

export function newPlace(): string {
  return join(tempDir(), 'limits.db')
}

/** So many stores over the ledger of one file, each with a connection of its own. */
export function storesOver(path: string, count: number, options?: SlidingWindowsOptions): SlidingWindows[] {
  return Array.from({ length: count }, () => new SlidingWindows(SqliteLedger.open(path), options))
}
