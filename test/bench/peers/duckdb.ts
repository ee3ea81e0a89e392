/**
 * DuckDB, the engine to beat, on the same file. Its npm package is installed once, beside the bench's data, and is no part of
 * the product. It runs in a separate process (`duckdb-job.ts`).
 */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../process.ts'

export const DUCKDB = '1.5.6-r.1'

export interface DuckDbJob {
  /** Folder with the package. */
  readonly modules: string
  readonly csv: string
  readonly database: string
  /** SQL that makes what some queries read besides the file's table. */
  readonly prepare: string
  /** Queries of which the median time of five is wanted. */
  readonly queries: readonly string[]
  /** Queries whose rows are wanted as well, and the time of their first use. */
  readonly questions: readonly DuckDbQuestion[]
  /** Where the table is written as CSV, and as Parquet beside it. */
  readonly output: string
}

export interface DuckDbQuestion {
  readonly query: string
  /** Filters for more runs, all different. An odd number. */
  readonly filtered: readonly string[]
}

/** Rows as texts. */
export type DuckDbRows = readonly (readonly (string | null)[])[]

export interface DuckDbAnswer {
  /** The time on a database just opened. */
  readonly firstMs: number
  /** The median of five. */
  readonly ms: number
  /** The median of the filtered queries. */
  readonly filteredMs: number
  readonly rows: DuckDbRows
  /** Of each filtered query. */
  readonly filteredRows: readonly DuckDbRows[]
}

export interface DuckDbResult {
  readonly loadSeconds: number
  /** By query, in the order of the job. */
  readonly queryMs: readonly number[]
  /** The same for the queries whose rows are wanted. */
  readonly answers: readonly DuckDbAnswer[]
  readonly csvSeconds: number
  /** With zstd, like ours. */
  readonly parquetSeconds: number
  readonly parquetMb: number
  readonly diskMb: number
}

/** Loads the file, runs the queries, writes the table; null where the package is not available. */
export async function measureDuckDb(
  csv: string,
  folder: string,
  work: Pick<DuckDbJob, 'prepare' | 'queries' | 'questions'>,
): Promise<DuckDbResult | null> {
  const modules = await installDuckDb()
  if (modules === null) return null
  const file = join(folder, 'duckdb-job.json')
  const job: DuckDbJob = {
    modules,
    csv,
    database: join(folder, 'peer.duckdb'),
    ...work,
    output: join(folder, 'duckdb.csv'),
  }
  writeFileSync(file, JSON.stringify(job))
  const script = fileURLToPath(import.meta.resolve('./duckdb-job.ts'))
  return JSON.parse((await run([process.execPath, script, file])).output) as DuckDbResult
}

async function installDuckDb(): Promise<string | null> {
  const folder = join(tmpdir(), 'izvor-bench', `duckdb-${DUCKDB}`)
  if (existsSync(join(folder, 'node_modules', '@duckdb', 'node-api'))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  try {
    await run([process.execPath, 'add', '--cwd', folder, '--exact', `@duckdb/node-api@${DUCKDB}`])
    return folder
  } catch (error) {
    console.error(`DuckDB is left out, since its package cannot be installed: ${error}`)
    return null
  }
}
