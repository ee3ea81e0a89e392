/**
 * Copies all rows of the fixed tables between PostgreSQL and the databases of a folder. Both store the same values, so
 * rows are copied unchanged. The counters of numbers are copied too, so that none is given out twice.
 */

import type Database from 'better-sqlite3'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { SCHEMAS } from '../migrations.ts'
import * as accounts from '../schema/accounts-schema.ts'
import * as catalog from '../schema/catalog-schema.ts'
import * as usage from '../schema/usage-schema.ts'
import type { Asking, Param } from './connection.ts'
import { makeLogMonth } from './usage.ts'

type DatabaseName = keyof typeof SCHEMAS

const TABLES: Readonly<Record<DatabaseName, readonly SQLiteTable[]>> = {
  accounts: tablesOf(accounts),
  catalog: tablesOf(catalog),
  usage: tablesOf(usage),
}

/** Rows of one query; their values stay below PostgreSQL's limit of 65,535. */
const ROWS_AT_ONCE = 1000
const MOST_VALUES = 60_000

type Copied = ReturnType<typeof copied>

function tablesOf(schema: object): SQLiteTable[] {
  return Object.values(schema).filter((one): one is SQLiteTable => is(one, SQLiteTable))
}

function copied(table: SQLiteTable) {
  const { name, columns, foreignKeys } = getTableConfig(table)
  return {
    name,
    columns: columns.map((column) => column.name),
    /** The column that the database numbers; undefined if there is none. */
    numbered: columns.find((column) => 'autoIncrement' in column && column.autoIncrement === true)?.name,
    /** Tables that this one refers to. */
    needs: foreignKeys.map((key) => getTableConfig(key.reference().foreignTable as SQLiteTable).name),
  }
}

/** Puts each table after those that it refers to. */
function inOrder(tables: readonly Copied[]): Copied[] {
  const ordered: Copied[] = []
  const add = (table: Copied) => {
    if (ordered.includes(table)) return
    for (const other of tables) if (other !== table && table.needs.includes(other.name)) add(other)
    ordered.push(table)
  }
  for (const table of tables) add(table)
  return ordered
}

function listed(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

/**
 * Fills a new database of a folder with the rows of PostgreSQL.
 * @param asking in a transaction that sees one moment
 * @param target made and migrated
 * @throws DatabaseAway; SqliteError
 */
export async function copyOut(asking: Asking, name: DatabaseName, target: Database.Database): Promise<void> {
  target.exec('BEGIN')
  target.pragma('defer_foreign_keys = ON')
  try {
    for (const table of TABLES[name].map(copied)) await copyTableOut(asking, table, target)
    target.exec('COMMIT')
  } catch (error) {
    target.exec('ROLLBACK')
    throw error
  }
}

async function copyTableOut(asking: Asking, table: Copied, target: Database.Database): Promise<void> {
  const { name, columns, numbered } = table
  const values = columns.map(() => '?').join(', ')
  // Removes rows that migrations inserted. The audit log is empty, and refuses deletions.
  if (name !== 'audit') target.exec(`DELETE FROM "${name}"`)
  const insert = target.prepare(`INSERT INTO "${name}" (${listed(columns)}) VALUES (${values})`)
  await asking.ask(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${listed(columns)} FROM "${name}"`)
  for (;;) {
    const { rows } = await asking.ask(`FETCH ${ROWS_AT_ONCE} FROM copied`)
    for (const row of rows) insert.run(...row)
    if (rows.length < ROWS_AT_ONCE) break
  }
  await asking.ask('CLOSE copied')
  if (numbered === undefined) return
  const { rows } = await asking.ask(`SELECT pg_get_serial_sequence('"${name}"', '${numbered}')`)
  const given = await asking.ask(
    `SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${String(rows[0]![0])}`,
  )
  target.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(name)
  target.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, Number(given.rows[0]![0]))
}

/**
 * Replaces all rows of PostgreSQL's fixed tables by those of a folder's databases.
 * @param asking in a transaction
 * @param sources the tables of a missing database stay empty
 * @throws DatabaseAway; SqliteError
 */
export async function copyIn(
  asking: Asking,
  sources: Readonly<Partial<Record<DatabaseName, Database.Database>>>,
): Promise<void> {
  const databases = Object.entries(TABLES) as [DatabaseName, readonly SQLiteTable[]][]
  const all = databases.flatMap(([, tables]) => tables.map((table) => copied(table).name))
  // The only place where the audit log is replaced, as a whole.
  await asking.ask('ALTER TABLE audit DISABLE TRIGGER audit_append_only')
  await asking.ask(`TRUNCATE ${listed(all)} RESTART IDENTITY`)
  // Limits are counted again from the new usage.
  await asking.ask('TRUNCATE limit_counts')
  await asking.ask('ALTER TABLE audit ENABLE TRIGGER audit_append_only')
  for (const [name, tables] of databases) {
    const source = sources[name]
    if (source === undefined) continue
    if (name === 'usage') {
      // The request log is partitioned by month, so that whole old months can be dropped.
      const months = source
        .prepare<[], string | null>("SELECT DISTINCT strftime('%Y-%m', at, 'unixepoch') FROM request_logs")
        .pluck()
        .all()
      for (const month of months)
        if (month !== null && /^\d{4}-\d{2}$/.test(month))
          await makeLogMonth(asking, new Date(`${month}-01T00:00:00Z`))
    }
    for (const table of inOrder(tables.map(copied))) await copyTableIn(asking, table, source)
  }
}

async function copyTableIn(asking: Asking, table: Copied, source: Database.Database): Promise<void> {
  const { name, columns, numbered } = table
  const rows = source.prepare<[], Param[]>(`SELECT ${listed(columns)} FROM "${name}"`).raw()
  const most = Math.min(ROWS_AT_ONCE, Math.floor(MOST_VALUES / columns.length))
  let gathered: Param[][] = []
  const insert = async () => {
    if (gathered.length === 0) return
    let next = 1
    const values = gathered.map(() => `(${columns.map(() => `$${next++}`).join(', ')})`).join(', ')
    await asking.ask(`INSERT INTO "${name}" (${listed(columns)}) VALUES ${values}`, gathered.flat())
    gathered = []
  }
  for (const row of rows.iterate()) {
    gathered.push(row)
    if (gathered.length === most) await insert()
  }
  await insert()
  if (numbered === undefined) return
  const given = source
    .prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?')
    .pluck()
    .get(name)
  if (given !== undefined && given > 0)
    await asking.ask(`SELECT setval(pg_get_serial_sequence('"${name}"', '${numbered}'), ${given})`)
}
