/** `bun duckdb-job.ts JOB`: what DuckDB needs for the work of the bench, as JSON. */

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDbAnswer, DuckDbJob, DuckDbResult } from './duckdb.ts'

/** What is used of the package, which is not among this repository's own. */
interface Connection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>
}
interface Package {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> }
}

const ROUNDS = 5

const job = JSON.parse(readFileSync(Bun.argv[2] as string, 'utf8')) as DuckDbJob
const path = join(job.modules, 'node_modules', '@duckdb', 'node-api')
const { DuckDBInstance } = (await import(path)) as Package
const connection = await (await DuckDBInstance.create(job.database)).connect()

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

// As many as the machine of the bench has cores; ours is one.
await connection.run('SET threads TO 2')

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const load = await timed(async () => {
  await connection.run(`CREATE TABLE trade AS SELECT * FROM read_csv(${quoted(job.csv)})`)
  await connection.run('CHECKPOINT')
})
async function ask(query: string): Promise<DuckDbAnswer> {
  const times: number[] = []
  let rows: unknown[][] = []
  for (let i = 0; i < ROUNDS; i++)
    times.push(
      await timed(async () => {
        rows = (await connection.runAndReadAll(query)).getRows()
      }),
    )
  const ms = times.toSorted((a, b) => a - b)[ROUNDS >> 1] as number
  return { ms, rows: rows.map((row) => row.map((value) => (value === null ? null : String(value)))) }
}

const queryMs: number[] = []
for (const query of job.queries) queryMs.push((await ask(query)).ms)
const answers: DuckDbAnswer[] = []
for (const question of job.questions) answers.push(await ask(question))
const csv = await timed(() => connection.run(`COPY trade TO ${quoted(job.output)} (FORMAT csv, HEADER)`))
const parquetFile = `${job.output}.parquet`
const parquet = await timed(() =>
  connection.run(`COPY trade TO ${quoted(parquetFile)} (FORMAT parquet, COMPRESSION zstd)`),
)
const result: DuckDbResult = {
  loadSeconds: load / 1000,
  queryMs,
  answers,
  csvSeconds: csv / 1000,
  parquetSeconds: parquet / 1000,
  parquetMb: statSync(parquetFile).size / 1e6,
  diskMb: statSync(job.database).size / 1e6,
}
console.log(JSON.stringify(result))
process.exit(0)
