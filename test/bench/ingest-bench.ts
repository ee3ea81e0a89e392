/** Ingest, beside the sqlite3 shell's `.import` of the same file where that shell is there. */

import { join } from 'node:path'
import { TRADE_COLUMNS } from '../../src/commands/demo/trade.ts'
import { run } from './process.ts'
import { atMost, type Measurement, plainly } from './report.ts'

export const SQLITE = Bun.which('sqlite3')

/** Ingests the trade file into `data` and measures it. */
export async function measureIngest(program: string[], file: string, data: string): Promise<Measurement[]> {
  const command = [...program, 'ingest', file, '--id', 'trade', '--domain', 'bench', '--data', data, '--json']
  const { seconds, peakMb } = await run(command)
  const megabytes = Bun.file(file).size / 1e6
  const note = `${(megabytes / seconds).toFixed(0)} MB/s of CSV`
  const memory = plainly(
    'ingest, trade table: peak memory',
    peakMb,
    ' MB',
    `file of ${megabytes.toFixed(0)} MB`,
  )
  if (SQLITE === null)
    return [plainly('ingest, trade table', seconds, ' s', `${note}; no sqlite3 here`), memory]
  const shell = await importWithShell(file, join(data, '..', 'shell.db'))
  return [
    atMost('ingest, trade table', seconds, shell, ' s', `${note}; sqlite3 .import ${shell.toFixed(1)} s`),
    memory,
  ]
}

/** Seconds the sqlite3 shell takes to import the file into an untyped table with default settings. */
async function importWithShell(file: string, database: string): Promise<number> {
  const script = `CREATE TABLE trade(${TRADE_COLUMNS.join(',')});\n.mode csv\n.import --skip 1 "${file}" trade\n`
  return (await run([SQLITE as string, database], script)).seconds
}

/** Ingests the pupils' shape, wide and short. */
export async function measureWideIngest(program: string[], file: string, data: string): Promise<Measurement> {
  const command = [...program, 'ingest', file, '--id', 'elevi', '--domain', 'bench', '--data', data, '--json']
  const { seconds, peakMb } = await run(command)
  return atMost('ingest, pupils, 40 columns', seconds, 4, ' s', `peak memory ${peakMb.toFixed(0)} MB`)
}
