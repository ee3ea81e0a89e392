/** What other programs reach with the same work on the same bytes, as separate lines. */

import { statSync } from 'node:fs'
import { FILTERS, FIRST_SORT, LATER_SORT } from './engine-bench.ts'
import { EXPORT_SECONDS } from './export-bench.ts'
import { PARQUET_MEGABYTES, PARQUET_SECONDS } from './files-bench.ts'
import { GROUP_QUERIES, groupsBesideDuckDb } from './groups-bench.ts'
import { NEVER_SEEN } from './http-bench.ts'
import { measureDatasette } from './peers/datasette.ts'
import { measureDuckDb } from './peers/duckdb.ts'
import { countSql, sortSql } from './peers/sql.ts'
import { measureIndexed } from './peers/sqlite.ts'
import { COMBINATIONS, SORTS } from './queries.ts'
import { atLeast, atMost, type Measurement } from './report.ts'
import { WORD_QUERIES, wordsBesideDuckDb } from './words-bench.ts'

export interface PeersWork {
  readonly csv: string
  readonly rows: number
  readonly folder: string
  readonly seconds: number
  /** The version file of the table. */
  readonly version: string
  /** What was measured of Izvor, by the names of the lines. */
  readonly izvor: ReadonlyMap<string, number>
}

export async function measurePeers(work: PeersWork): Promise<Measurement[]> {
  return [...(await besideDuckDb(work)), ...(await besideIndexes(work)), ...(await besideDatasette(work))]
}

async function besideDuckDb({ csv, folder, rows, version, izvor }: PeersWork): Promise<Measurement[]> {
  const counts = COMBINATIONS.map((combination) => countSql(combination(0)))
  const firstPages = SORTS.map((fields) => sortSql(fields))
  const middlePages = SORTS.map((fields) => sortSql(fields, Math.floor(rows / 2)))
  const queries = [...counts, ...firstPages, ...middlePages]
  const duck = await measureDuckDb(csv, folder, [...queries, ...WORD_QUERIES], GROUP_QUERIES)
  if (duck === null) return []
  const slowest = (times: readonly number[]) => Math.max(...times)
  const line = (work: string, name: string, peer: number, unit: string) =>
    atMost(`${work}, beside DuckDB`, izvor.get(name) ?? Number.NaN, peer, unit)
  const sortMs = duck.queryMs.slice(counts.length, queries.length)
  const [firstMs, middleMs] = [sortMs.slice(0, SORTS.length), sortMs.slice(SORTS.length)]
  return [
    line('ingest', 'ingest, trade table', duck.loadSeconds, ' s'),
    line('filters, slowest of ten', FILTERS, slowest(duck.queryMs.slice(0, counts.length)), ' ms'),
    line('first page of a sort, first use', FIRST_SORT, slowest(firstMs), ' ms'),
    line('page in the middle of a sort, first use', FIRST_SORT, slowest(middleMs), ' ms'),
    line('any page of a sort, later uses', LATER_SORT, slowest(firstMs), ' ms'),
    line('CSV of all rows', EXPORT_SECONDS, duck.csvSeconds, ' s'),
    line('Parquet of all rows', PARQUET_SECONDS, duck.parquetSeconds, ' s'),
    line('size of that Parquet', PARQUET_MEGABYTES, duck.parquetMb * 1.2, ' MB'),
    ...(await groupsBesideDuckDb(version, izvor, duck.answers)),
    ...wordsBesideDuckDb(izvor, duck.queryMs.slice(queries.length)),
    atMost('disk, beside DuckDB', statSync(version).size / 1e6, duck.diskMb, ' MB'),
  ]
}

/** Each of ours is its slowest, so each of theirs is as well. */
async function besideIndexes({ csv, folder, izvor }: PeersWork): Promise<Measurement[]> {
  const counts = COMBINATIONS.map((combination) => countSql(combination(0)))
  const sorts = SORTS.map((fields) => sortSql(fields))
  const shell = await measureIndexed(csv, folder, [...counts, ...sorts])
  if (shell === null) return []
  const countMs = Math.max(...shell.queryMs.slice(0, counts.length))
  const sortMs = Math.max(...shell.queryMs.slice(counts.length))
  const note = `sqlite3 with an index on every column, loaded in ${shell.loadSeconds.toFixed(0)} s`
  return [
    atMost('filters, slowest of ten, beside SQLite', izvor.get(FILTERS) ?? Number.NaN, countMs, ' ms', note),
    atMost('first page of a sort, beside SQLite', izvor.get(FIRST_SORT) ?? Number.NaN, sortMs, ' ms', note),
  ]
}

async function besideDatasette({ folder, seconds, izvor }: PeersWork): Promise<Measurement[]> {
  const load = await measureDatasette(folder, seconds)
  if (load === null) return []
  const unseen = izvor.get(NEVER_SEEN) ?? Number.NaN
  const note = `Datasette, 13 indexes, the same page again and again: ${load.perSecond.toFixed(0)}/s, p99 ${load.p99Ms} ms`
  return [atLeast('lists never seen, beside Datasette', unseen / load.perSecond, 1, ' x', note)]
}
