/** Datasette over the sqlite3 shell's import of the same file, with an index on every column. */

import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TRADE_COLUMNS } from '../../../src/commands/demo/trade.ts'
import { SQLITE, shellDatabase } from '../ingest-bench.ts'
import { type Load, putLoad } from '../load-job.ts'
import { run, startService } from '../process.ts'

const VERSION = '0.65.5'
const PAGE = '/shell/trade.json?flow_code=2&partner_country_code=DE&_size=50'

/** Lists a second with their exact total; null where Python or its packages are not available. */
export async function measureDatasette(csv: string, folder: string, seconds: number): Promise<Load | null> {
  const program = await installDatasette()
  const database = (await shellDatabase(csv, folder))?.path
  if (program === null || database === undefined) return null
  const indexes = TRADE_COLUMNS.map((column) => `CREATE INDEX by_${column} ON trade(${column});`)
  await run([SQLITE!, database], indexes.join('\n'))
  const options = ['--port', '0', '--host', '127.0.0.1', '--setting', 'sql_time_limit_ms', '60000']
  const port = 8000 + (process.pid % 1000)
  const service = await startService([
    'sh',
    '-c',
    // It says where it listens on standard error.
    `exec "$0" serve "$@" 2>&1`,
    program,
    database,
    ...options.with(1, String(port)),
  ])
  try {
    return await putLoad(service, folder, { paths: [PAGE], headers: {}, seconds, connections: 4 })
  } finally {
    await service.stop()
  }
}

async function installDatasette(): Promise<string | null> {
  const folder = join(tmpdir(), 'izvor-bench', `datasette-${VERSION}`)
  const program = join(folder, 'bin', 'datasette')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  try {
    await run(['python3', '-m', 'venv', folder])
    await run([join(folder, 'bin', 'pip'), 'install', '--quiet', `datasette==${VERSION}`])
    return program
  } catch (error) {
    console.error(`Datasette is left out, since it cannot be installed: ${error}`)
    return null
  }
}
