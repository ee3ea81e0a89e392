/** Generated CSV files, kept in the system's temporary folder from one run to the next. */

import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom, type SampleTable, writeCsv } from '../../src/commands/demo/sample-table.ts'

/** Raised when a generator changes what it makes, so that no old file is measured. */
const EDITION = 2

/** Path of the table's CSV file. It is written under another name and renamed, so an existing file is complete. */
export function sampleFile(table: SampleTable, rows: number): string {
  const folder = join(tmpdir(), 'izvor-bench')
  const path = join(folder, `${table.id}-${rows}-e${EDITION}.csv`)
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  const partial = `${path}.${process.pid}`
  const file = openSync(partial, 'w')
  writeCsv(table.columns, table.generate(createRandom(table.seed), rows), (piece) => writeSync(file, piece))
  closeSync(file)
  renameSync(partial, path)
  return path
}
