/** What other programs need for the same work on the same bytes in the same run, for our lines of the report. */

import { statSync } from 'node:fs'
import { CONTAINS, CONTAINS_QUERIES, FILTERS, FIRST_SORT, LATER_SORT, TEXTS_SQL } from './engine-bench.ts'
import { EXPORT_SECONDS } from './export-bench.ts'
import { PARQUET_MEGABYTES, PARQUET_SECONDS } from './files-bench.ts'
import { GROUP_QUERIES, groupsOfDuckDb } from './groups-bench.ts'
import { NEVER_SEEN } from './http-bench.ts'
import { INGEST } from './ingest-bench.ts'
import { measureDatasette } from './peers/datasette.ts'
import { measureDuckDb } from './peers/duckdb.ts'
import { countSql, sortSql } from './peers/sql.ts'
import { measureIndexed } from './peers/sqlite.ts'
import { COMBINATIONS, SORTS } from './queries.ts'
import { beside, type Figures, type Measurement, median, plainly } from './report.ts'
import { WORD_QUERIES, wordsOfPeer } from './words-bench.ts'

export interface PeersWork {
  readonly csv: string
  readonly folder: string
  readonly seconds: number
  /** The version file of the table. */
  readonly version: string
}

/** The peers; one that is not installed gives no figures. */
const PEERS = {
  DuckDB: figuresOfDuckDb,
  'SQLite with 13 indexes': figuresOfIndexes,
  Datasette: figuresOfDatasette,
}
export type PeerName = keyof typeof PEERS

export const DISK = 'disk'

/** How much of it the version file takes. */
export function measureDisk(version: string): Measurement {
  return plainly(DISK, statSync(version).size / 1e6, ' MB')
}

/** The lines, each with what these peers need for the same work. */
export async function besidePeers(
  work: PeersWork,
  lines: readonly Measurement[],
  names: ReadonlySet<PeerName>,
): Promise<readonly Measurement[]> {
  let all = lines
  for (const name of names) {
    const figures = new Map(await PEERS[name](work))
    all = all.map((line) => {
      const value = figures.get(line.work)
      return value === undefined ? line : beside(line, name, value)
    })
  }
  return all
}

const COUNTS = COMBINATIONS.map((combination) => countSql(combination(0)))
const FIRST_PAGES = SORTS.map((fields) => sortSql(fields))

/** Our figures are the slowest of each kind, and so are theirs. */
function slowestOf(queryMs: readonly number[]): Figures {
  const pages = Math.max(...queryMs.slice(COUNTS.length, COUNTS.length + SORTS.length))
  return [
    [FILTERS, Math.max(...queryMs.slice(0, COUNTS.length))],
    [FIRST_SORT, pages],
    [LATER_SORT, pages],
  ]
}

async function figuresOfDuckDb({ csv, folder, version }: PeersWork): Promise<Figures> {
  const queries = [...COUNTS, ...FIRST_PAGES, ...CONTAINS_QUERIES, ...WORD_QUERIES]
  const duck = await measureDuckDb(csv, folder, { prepare: TEXTS_SQL, queries, questions: GROUP_QUERIES })
  if (duck === null) return []
  const others = duck.queryMs.slice(COUNTS.length + FIRST_PAGES.length)
  return [
    [INGEST, duck.loadSeconds],
    [DISK, duck.diskMb],
    ...slowestOf(duck.queryMs),
    [CONTAINS, median(others.slice(0, CONTAINS_QUERIES.length))],
    ...wordsOfPeer(others.slice(CONTAINS_QUERIES.length)),
    ...(await groupsOfDuckDb(version, duck.answers)),
    [EXPORT_SECONDS, duck.csvSeconds],
    [PARQUET_SECONDS, duck.parquetSeconds],
    // A fifth more is allowed.
    [PARQUET_MEGABYTES, duck.parquetMb * 1.2],
  ]
}

async function figuresOfIndexes({ csv, folder }: PeersWork): Promise<Figures> {
  const shell = await measureIndexed(csv, folder, [...COUNTS, ...FIRST_PAGES])
  return shell === null ? [] : slowestOf(shell.queryMs)
}

/** The same page repeatedly, while each request to ours is different. */
async function figuresOfDatasette({ csv, folder, seconds }: PeersWork): Promise<Figures> {
  const load = await measureDatasette(csv, folder, seconds)
  return load === null ? [] : [[NEVER_SEEN, load.perSecond]]
}
