/** Rows that move from a folder to PostgreSQL and back stay the same. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { migrate } from '../../src/db/migrate.ts'
import { SCHEMAS } from '../../src/db/migrations.ts'
import { openDatabase } from '../../src/db/open.ts'
import { Postgres } from '../../src/db/postgres/open.ts'
import { copyIn, copyOut } from '../../src/db/postgres/transfer.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { tempDir } from '../support/temp-dir.ts'

setDefaultTimeout(120_000)

type Name = keyof typeof SCHEMAS
const NAMES = Object.keys(SCHEMAS) as Name[]

let server: TestPostgres
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres()
})
afterAll(() => server?.stop())

function emptyFiles(): Record<Name, Database.Database> {
  const folder = tempDir()
  return Object.fromEntries(
    NAMES.map((name) => {
      const database = openDatabase(join(folder, `${name}.db`))
      migrate(database, SCHEMAS[name])
      return [name, database]
    }),
  ) as Record<Name, Database.Database>
}

/** Every table except those that SQLite makes and those that hold the words of the search. */
function contentsOf(database: Database.Database): Record<string, unknown> {
  const tables = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search%' ORDER BY name",
    )
    .pluck()
    .all()
  return Object.fromEntries(
    tables.map((name) => {
      const rows = database.prepare(`SELECT * FROM "${name}"`).raw().all()
      return [name, rows.map((row) => JSON.stringify(row)).sort()]
    }),
  )
}

/** A value that a column accepts, different in each row. */
function madeUp(type: string, row: number): unknown {
  if (/int/i.test(type)) return row
  if (/blob/i.test(type)) return Buffer.alloc(32, row)
  return row % 3 === 0 ? `țară „${row}” \u{1f600}` : JSON.stringify({ row })
}

/** Rows in every table. Values decide about references and checks: rows that a table refuses are left out. */
function fill(database: Database.Database, rows: number): number {
  let filled = 0
  database.pragma('foreign_keys = OFF')
  const tables = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search%' AND name NOT LIKE 'sqlite%'",
    )
    .pluck()
    .all()
  for (const name of tables) {
    const columns = database.pragma(`table_info("${name}")`) as {
      name: string
      type: string
      notnull: number
    }[]
    for (let row = 1; row <= rows; row++) {
      const values = columns.map(({ name: column, type, notnull }) =>
        column === 'state' ? 'active' : notnull === 0 && row % 4 === 0 ? null : madeUp(type, row),
      )
      const places = columns.map(() => '?').join(', ')
      try {
        database.prepare(`INSERT INTO "${name}" VALUES (${places})`).run(...values)
        filled++
      } catch {
        // One that this table does not accept.
      }
    }
  }
  return filled
}

describe.skipIf(!hasPostgres)('rows of a folder', () => {
  test('come back from PostgreSQL as they went, with the issued numbers', async () => {
    const before = emptyFiles()
    for (const name of NAMES) expect(fill(before[name], 5)).toBeGreaterThan(10)
    // References hold: accounts of missing keys would be refused.
    before.accounts.exec(
      'DELETE FROM recovery_codes; DELETE FROM sessions; DELETE FROM sign_ins; DELETE FROM tokens',
    )
    before.accounts.exec(
      'DELETE FROM mail_queue; DELETE FROM api_keys; DELETE FROM users WHERE plan NOT IN (SELECT name FROM plans)',
    )
    before.usage.exec(
      "INSERT INTO request_logs (at, key_id, method, path, query, status, latency_us, bytes, ip, request_id) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5300) SELECT 1700000000 + i, 1, 'GET', '/v1', '', 200, i, 1, '::1', 'r' || i FROM n",
    )
    before.usage.exec('DELETE FROM request_logs WHERE id > 5000')
    const postgres = await Postgres.open(await server.createDatabase())
    try {
      await postgres.writeOnce((asking) => copyIn(asking, before))
      // Again: existing rows are replaced.
      await postgres.writeOnce((asking) => copyIn(asking, before))
      // Whole months are dropped when they are old.
      expect((await postgres.ask('SELECT count(*) FROM request_logs_2023_11')).rows).toEqual([[4995]])
      const after = emptyFiles()
      await postgres.atOneMoment(async (_, asking) => {
        for (const name of NAMES) await copyOut(asking, name, after[name])
      })
      for (const name of NAMES) {
        const [given, found] = [contentsOf(before[name]), contentsOf(after[name])]
        for (const table of Object.keys(given)) expect([table, found[table]]).toEqual([table, given[table]])
      }
    } finally {
      postgres.close()
    }
  })
})
