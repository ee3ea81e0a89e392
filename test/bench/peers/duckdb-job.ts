/** `bun duckdb-job.ts JOB`: what DuckDB needs for the work of the bench, as JSON. */

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../report.ts'
import type { DuckDbAnswer, DuckDbJob, DuckDbQuestion, DuckDbResult, DuckDbRows } from './duckdb.ts'

/** What is used of the package, which is not a dependency of this repository. */
interface Connection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>
  closeSync(): void
}
interface Instance {
  connect(): Promise<Connection>
  closeSync(): void
}
interface Package {
  readonly DuckDBInstance: { create(path: string): Promise<Instance> }
}

const ROUNDS = 5
/** As many as the machine of the bench has cores. */
const THREADS = 2

const job = JSON.parse(readFileSync(Bun.argv[2] as string, 'utf8')) as DuckDbJob
const path = join(job.modules, 'node_modules', '@duckdb', 'node-api')
const { DuckDBInstance } = (await import(path)) as Package

async function open(): Promise<{ instance: Instance; connection: Connection }> {
  const instance = await DuckDBInstance.create(job.database)
  const connection = await instance.connect()
  await connection.run(`SET threads TO ${THREADS}`)
  return { instance, connection }
}
let { instance, connection } = await open()

async function openAgain(): Promise<void> {
  connection.closeSync()
  instance.closeSync()
  ;({ instance, connection } = await open())
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

async function ask(query: string): Promise<{ ms: number; rows: DuckDbRows }> {
  let rows: unknown[][] = []
  const ms = await timed(async () => {
    rows = (await connection.runAndReadAll(query)).getRows()
  })
  return { ms, rows: rows.map((row) => row.map((value) => (value === null ? null : String(value)))) }
}

async function askOften(query: string): Promise<number> {
  const times: number[] = []
  while (times.length < ROUNDS) times.push((await ask(query)).ms)
  return median(times)
}

async function answer({ query, filtered }: DuckDbQuestion): Promise<DuckDbAnswer> {
  await openAgain()
  const first = await ask(query)
  const ms = await askOften(query)
  const filters: { ms: number; rows: DuckDbRows }[] = []
  for (const one of filtered) filters.push(await ask(one))
  const filteredMs = median(filters.map((one) => one.ms))
  return {
    firstMs: first.ms,
    ms,
    filteredMs,
    rows: first.rows,
    filteredRows: filters.map(({ rows }) => rows),
  }
}

async function writeFiles(output: string) {
  const csv = await timed(() => connection.run(`COPY trade TO ${quoted(output)} (FORMAT csv, HEADER)`))
  const file = `${output}.parquet`
  const parquet = await timed(() =>
    connection.run(`COPY trade TO ${quoted(file)} (FORMAT parquet, COMPRESSION zstd)`),
  )
  return { csvSeconds: csv / 1000, parquetSeconds: parquet / 1000, parquetMb: statSync(file).size / 1e6 }
}

const load = await timed(async () => {
  await connection.run(`CREATE TABLE trade AS SELECT * FROM read_csv(${quoted(job.csv)})`)
  await connection.run('CHECKPOINT')
})
await connection.run(job.prepare)
const queryMs: number[] = []
for (const query of job.queries) queryMs.push(await askOften(query))
const answers: DuckDbAnswer[] = []
for (const question of job.questions) answers.push(await answer(question))
const result: DuckDbResult = {
  loadSeconds: load / 1000,
  queryMs,
  answers,
  ...(await writeFiles(job.output)),
  diskMb: statSync(job.database).size / 1e6,
}
console.log(JSON.stringify(result))
process.exit(0)
