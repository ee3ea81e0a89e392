/** Both engines have the same tables: rows can be moved between them, and one verb serves both. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Database from 'better-sqlite3'
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { migrate } from '../../src/db/migrate.ts'
import { SCHEMAS } from '../../src/db/migrations.ts'
import { Postgres } from '../../src/db/postgres/open.ts'
import * as accounts from '../../src/db/schema/accounts-schema.ts'
import * as catalog from '../../src/db/schema/catalog-schema.ts'
import * as shared from '../../src/db/schema/nodes-schema.ts'
import * as usage from '../../src/db/schema/usage-schema.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'

/** One table as both engines describe it. Lists are sorted. */
interface Described {
  readonly columns: Record<
    string,
    { type: string; required: boolean; fallback: string | null; ownKey: boolean }
  >
  readonly primaryKey: string[]
  readonly uniques: string[]
  readonly references: string[]
  readonly checks: string[]
}

const tablesOf = (schema: object) =>
  Object.values(schema).filter((one) => is(one, SQLiteTable)) as SQLiteTable[]
const inFolder = [accounts, catalog, usage].flatMap(tablesOf)
const TABLES = [...inFolder, ...tablesOf(shared)]

let server: TestPostgres
let db: Postgres

beforeAll(async () => {
  if (!hasPostgres) return
  server = await startPostgres()
  db = await Postgres.open(await server.createDatabase())
})
afterAll(async () => {
  db?.close()
  await server?.stop()
})

describe.skipIf(!hasPostgres)('PostgreSQL and the files of SQLite', () => {
  test('have the tables that the objects declare', async () => {
    const { rows } =
      await db.ask(`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       ORDER BY relname COLLATE "C"`)
    expect(rows.map(([name]) => name)).toEqual(TABLES.map((table) => getTableName(table)).sort() as never)
    expect(tablesInFiles()).toEqual(inFolder.map((table) => getTableName(table)).sort())
  })

  for (const table of TABLES) {
    test(`have the same ${getTableName(table)}`, async () => {
      expect(await inPostgres(getTableName(table))).toEqual(asObject(table))
    })
  }
})

const TYPES: Readonly<Record<string, string>> = {
  SQLiteBoolean: 'integer',
  SQLiteInteger: 'bigint',
  SQLiteBlobBuffer: 'bytea',
  SQLiteText: 'text C',
  SQLiteTextJson: 'text C',
}

/** The columns by which PostgreSQL partitions a table; its keys include them. */
const DIVIDED_BY: Readonly<Record<string, string>> = { request_logs: 'at' }

/** What a table's object declares. */
function asObject(table: SQLiteTable): Described {
  const config = getTableConfig(table)
  const primaryKey = [
    ...config.columns.filter((column) => column.primary).map(({ name }) => name),
    ...config.primaryKeys.flatMap(({ columns }) => columns.map(({ name }) => name)),
    ...[DIVIDED_BY[config.name] ?? []].flat(),
  ]
  return {
    columns: Object.fromEntries(
      config.columns.map((column) => [
        column.name,
        {
          type: TYPES[column.columnType] ?? column.columnType,
          required: column.notNull || primaryKey.includes(column.name),
          fallback:
            column.default === undefined ? null : String(column.mapToDriverValue(column.default as never)),
          ownKey: 'autoIncrement' in column && column.autoIncrement === true,
        },
      ]),
    ),
    primaryKey,
    ...boundsInFile(config.name),
    references: config.foreignKeys
      .map((key) => {
        const { columns, foreignTable, foreignColumns } = key.reference()
        const names = (some: readonly { name: string }[]) => some.map(({ name }) => name).join()
        return `${names(columns)} ${getTableName(foreignTable)} ${names(foreignColumns)} ${key.onDelete ?? 'no action'}`
      })
      .sort(),
  }
}

/** What PostgreSQL's catalogs declare. SQLite has the column `rowid` by itself. */
async function inPostgres(table: string): Promise<Described> {
  const list = async (text: string) => (await db.ask(text, [table])).rows as (string | null)[][]
  const columns = await list(`
    SELECT a.attname, format_type(a.atttypid, a.atttypmod) || CASE WHEN a.atttypid = 'text'::regtype
        THEN ' ' || (SELECT collname FROM pg_collation c WHERE c.oid = a.attcollation) ELSE '' END,
      a.attnotnull::text, pg_get_expr(d.adbin, d.adrelid), a.attidentity::text
    FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = $1::text::regclass AND a.attnum > 0 AND a.attname <> 'rowid' ORDER BY a.attnum`)
  const keys = await list(`
    SELECT i.indisprimary::text, string_agg(a.attname, ',' ORDER BY array_position(i.indkey::int[], a.attnum::int))
    FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey::int[])
    WHERE i.indrelid = $1::text::regclass AND i.indisunique GROUP BY i.indexrelid, i.indisprimary`)
  const references = await list(`
    SELECT a.attname || ' ' || c.confrelid::regclass || ' ' || f.attname || ' '
      || CASE c.confdeltype WHEN 'c' THEN 'cascade' WHEN 'a' THEN 'no action' ELSE c.confdeltype::text END
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
      JOIN pg_attribute f ON f.attrelid = c.confrelid AND f.attnum = c.confkey[1]
    WHERE c.conrelid = $1::text::regclass AND c.contype = 'f' ORDER BY 1`)
  const checks = await list(`
    SELECT conname FROM pg_constraint WHERE conrelid = $1::text::regclass AND contype = 'c' ORDER BY 1`)
  return {
    columns: Object.fromEntries(
      columns.map(([name, type, required, fallback, identity]) => [
        name,
        {
          type: type!,
          required: required === 'true',
          fallback: fallback?.replace(/^'(.*)'::.*$/, '$1') ?? null,
          ownKey: identity === 'd',
        },
      ]),
    ),
    primaryKey: keys.find(([primary]) => primary === 'true')?.[1]?.split(',') ?? [],
    uniques: keys
      .filter(([primary]) => primary !== 'true')
      .map(([, names]) => names!)
      .sort(),
    references: references.map(([line]) => line!).sort(),
    checks: checks.map(([name]) => name!).sort(),
  }
}

/** The files, as the migrations make them. */
const FILES = Object.values(SCHEMAS).map((migrations) => {
  const file = new Database(':memory:')
  migrate(file, migrations)
  return file
})

/** What the files' migrations declare about a table besides its columns; nothing for one that only nodes have. */
function boundsInFile(table: string): Pick<Described, 'uniques' | 'checks'> {
  const uniques: string[] = []
  const checks: string[] = []
  for (const file of FILES) {
    const indexes = file.pragma(`index_list(${table})`) as { name: string; unique: 0 | 1; origin: string }[]
    for (const { name } of indexes.filter(({ unique, origin }) => unique === 1 && origin !== 'pk'))
      uniques.push((file.pragma(`index_info(${name})`) as { name: string }[]).map(({ name }) => name).join())
    const sql = file
      .prepare(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?`)
      .pluck()
      .get(table)
    checks.push(
      ...Array.from(String(sql ?? '').matchAll(/CONSTRAINT\W+(\w+)\W+CHECK/gi), ([, name]) => name!),
    )
  }
  return { uniques: uniques.sort(), checks: checks.sort() }
}

/** Names of the tables that the files' migrations create. */
function tablesInFiles(): string[] {
  return FILES.flatMap(
    (file) => file.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all() as string[],
  )
    .filter((name) => !/^(sqlite_|search)/.test(name))
    .sort()
}
