/** A bound on the memory that the distinct cells of a file take: beyond it the system would end the ingest. */

import { totalmem } from 'node:os'
import { CommandError } from '../../base/errors.ts'
import { because } from '../report/reasons.ts'
import type { CellTable } from './cell-table.ts'

/** Of the machine's memory, or of the container's; the largest column takes some more while it is written. */
const SHARE = 0.5

/** Bytes that the distinct cells of all columns may take. */
export function cellMemory(): number {
  const constrained = process.constrainedMemory()
  return SHARE * (constrained > 0 ? Math.min(constrained, totalmem()) : totalmem())
}

/**
 * @param elsewhere bytes of tables in another thread
 * @throws CommandError `refused` when the tables hold more than `most` bytes
 */
export function refuseTooMuchText(tables: readonly CellTable[], elsewhere: number, most: number): void {
  const bytes = tables.reduce((sum, table) => sum + table.bytes, elsewhere)
  if (bytes <= most) return
  throw new CommandError(
    'refused',
    `the different values of the file take more than ${Math.round(most / 2 ** 20)} MiB, half of this machine's memory: split the file, leave columns out ("other_columns": "drop" in a definition), or ingest it on a larger machine`,
    null,
    because('too_large', {}),
  )
}
