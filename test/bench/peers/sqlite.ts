/** The sqlite3 shell over a typed table of the same rows with an index on every column. */

import { join } from 'node:path'
import { TRADE_COLUMNS } from '../../../src/commands/demo/trade.ts'
import { SQLITE } from '../ingest-bench.ts'
import { run } from '../process.ts'
import { median } from '../report.ts'

/** Codes and words; the rest are numbers. */
const TEXTS = [
  'cn8_code',
  'cn8_description',
  'delivery_terms_code',
  'origin_country_code',
  'partner_country_code',
]
const ROUNDS = 3

export interface IndexedQueries {
  /** Import, types and indexes. */
  readonly loadSeconds: number
  /** By query, in the order given: the median of three. */
  readonly queryMs: readonly number[]
}

/** The times of the queries; null if there is no shell. */
export async function measureIndexed(
  csv: string,
  folder: string,
  queries: readonly string[],
): Promise<IndexedQueries | null> {
  if (SQLITE === null) return null
  const database = join(folder, 'indexed.db')
  const load = await run([SQLITE, database], loadScript(csv))
  const asked = queries.flatMap((query) => Array.from({ length: ROUNDS }, () => `${query};`))
  const { output } = await run([SQLITE, database], ['.output /dev/null', '.timer on', ...asked].join('\n'))
  const times = [...output.matchAll(/^Run Time: real ([\d.]+)/gm)].map(
    ([, seconds]) => Number(seconds) * 1000,
  )
  if (times.length !== asked.length)
    throw new Error(`sqlite3 timed ${times.length} of ${asked.length} queries`)
  const queryMs = queries.map((_, i) => median(times.slice(i * ROUNDS, (i + 1) * ROUNDS)))
  return { loadSeconds: load.seconds, queryMs }
}

function loadScript(csv: string): string {
  const typed = TRADE_COLUMNS.map((name) => `${name} ${TEXTS.includes(name) ? 'TEXT' : 'NUMERIC'}`)
  return [
    `CREATE TABLE raw(${TRADE_COLUMNS.join(',')});`,
    '.mode csv',
    `.import --skip 1 "${csv}" raw`,
    `CREATE TABLE trade(${typed.join(',')});`,
    `INSERT INTO trade SELECT ${TRADE_COLUMNS.map((name) => `nullif(${name}, '')`).join(',')} FROM raw;`,
    'DROP TABLE raw;',
    ...TRADE_COLUMNS.map((name) => `CREATE INDEX by_${name} ON trade(${name});`),
    'ANALYZE;',
  ].join('\n')
}
