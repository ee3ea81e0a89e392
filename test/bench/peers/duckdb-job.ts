/** `bun duckdb-job.ts JOB`: what DuckDB needs for the work of the bench, as JSON. */

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDbJob, DuckDbResult } from './duckdb.ts'

/** What is used of the package, which is not among this repository's own. */
interface Connection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[] }>
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

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const load = await timed(async () => {
  await connection.run(`CREATE TABLE trade AS SELECT * FROM read_csv(${quoted(job.csv)})`)
  await connection.run('CHECKPOINT')
})
const queryMs: number[] = []
for (const query of job.queries) {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    times.push(await timed(async () => (await connection.runAndReadAll(query)).getRows()))
  }
  queryMs.push(times.toSorted((a, b) => a - b)[ROUNDS >> 1] as number)
}
const csv = await timed(() => connection.run(`COPY trade TO ${quoted(job.output)} (FORMAT csv, HEADER)`))
const result: DuckDbResult = {
  loadSeconds: load / 1000,
  queryMs,
  csvSeconds: csv / 1000,
  diskMb: statSync(job.database).size / 1e6,
}
console.log(JSON.stringify(result))
process.exit(0)
