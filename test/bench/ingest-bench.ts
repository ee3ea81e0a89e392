/** Ingest, beside the sqlite3 shell's `.import` of the same file if that shell is installed. */

import { join } from 'node:path'
import { PUPILS } from '../../src/commands/demo/pupils.ts'
import { TRADE_COLUMNS } from '../../src/commands/demo/trade.ts'
import { type Finished, run } from './process.ts'
import { atMost, beside, type Measurement, plainly } from './report.ts'

export const SQLITE = Bun.which('sqlite3')

/** The line about the trade table. */
export const INGEST = 'ingest, trade table'

/** Ingests a file as a dataset of the domain `bench`. */
export function ingest(program: string[], file: string, id: string, data: string): Promise<Finished> {
  return run([...program, 'ingest', file, '--id', id, '--domain', 'bench', '--data', data, '--json'])
}

/** The trade file's ingest, already done, beside the shell's import of it. @param folder as for `shellDatabase` */
export async function measureIngest(
  { seconds, peakMb }: Finished,
  file: string,
  folder: string,
): Promise<Measurement[]> {
  const megabytes = Bun.file(file).size / 1e6
  const own = plainly(INGEST, seconds, ' s', `${(megabytes / seconds).toFixed(0)} MB/s of CSV`)
  const memory = plainly(`${INGEST}: peak memory`, peakMb, ' MB', `file of ${megabytes.toFixed(0)} MB`)
  const shell = await shellDatabase(file, folder)
  return [shell === null ? own : beside(own, 'sqlite3 .import', shell.seconds), memory]
}

const imported = new Map<string, Promise<Finished>>()

/**
 * The sqlite3 shell's import of the trade file into an untyped table with default settings, done once.
 * @param folder where `shell.db` is made @returns null where there is no shell
 */
export async function shellDatabase(file: string, folder: string) {
  if (SQLITE === null) return null
  const path = join(folder, 'shell.db')
  const imports = () => importWithShell(file, path, 'trade', TRADE_COLUMNS)
  const { seconds } = await imported.getOrInsertComputed(path, imports)
  return { path, seconds }
}

function importWithShell(
  file: string,
  database: string,
  table: string,
  columns: readonly string[],
): Promise<Finished> {
  const script = `CREATE TABLE ${table}(${columns.join(',')});\n.mode csv\n.import --skip 1 "${file}" ${table}\n`
  return run([SQLITE!, database], script)
}

/** Ingests the table of pupils, which is wide and short. */
export async function measureWideIngest(
  program: string[],
  file: string,
  data: string,
  folder: string,
): Promise<Measurement> {
  const { seconds, peakMb } = await ingest(program, file, 'elevi', data)
  const line = atMost('ingest, pupils, 40 columns', seconds, 4, ' s', `peak memory ${peakMb.toFixed(0)} MB`)
  if (SQLITE === null) return line
  const columns = PUPILS.columns.map((_, i) => `c${i}`)
  const shell = await importWithShell(file, join(folder, 'pupils.db'), 'pupils', columns)
  return beside(line, 'sqlite3 .import', shell.seconds, false)
}
