import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import * as accountsSchema from '../../src/db/accounts-schema.ts'
import * as catalogSchema from '../../src/db/catalog-schema.ts'
import { migrate } from '../../src/db/migrate.ts'
import { ACCOUNTS_MIGRATIONS, CATALOG_MIGRATIONS, USAGE_MIGRATIONS } from '../../src/db/migrations.ts'
import { openDatabase } from '../../src/db/open.ts'
import * as usageSchema from '../../src/db/usage-schema.ts'
import { CommandError } from '../../src/errors.ts'
import { tempDir } from '../support/temp-dir.ts'

const FIRST = 'CREATE TABLE a (id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1);'
const SECOND = 'CREATE TABLE b (a_id INTEGER REFERENCES a (id) ON DELETE CASCADE); INSERT INTO b VALUES (1);'

function openFresh() {
  return openDatabase(join(tempDir(), 'test.db'))
}

test('every migration file is embedded, in order', () => {
  const embedded = { accounts: ACCOUNTS_MIGRATIONS, catalog: CATALOG_MIGRATIONS, usage: USAGE_MIGRATIONS }
  for (const [name, texts] of Object.entries(embedded)) {
    const folder = join(import.meta.dir, '../../src/db/migrations', name)
    const files = readdirSync(folder)
      .filter((file) => file.endsWith('.sql'))
      .sort()
    expect(texts).toEqual(files.map((file) => readFileSync(join(folder, file), 'utf8')))
  }
})

test('the migrations build exactly the tables and columns that the queries are written for', () => {
  const databases: [readonly string[], object][] = [
    [ACCOUNTS_MIGRATIONS, accountsSchema],
    [CATALOG_MIGRATIONS, catalogSchema],
    [USAGE_MIGRATIONS, usageSchema],
  ]
  for (const [migrations, schema] of databases) {
    const database = openFresh()
    migrate(database, migrations)
    for (const table of Object.values(schema)) {
      const { name, columns, indexes } = getTableConfig(table)
      const built = database.pragma(`table_info(${name})`) as {
        name: string
        type: string
        notnull: number
      }[]
      expect(built.map((column) => [column.name, column.type.toLowerCase(), column.notnull === 1])).toEqual(
        columns.map((column) => [column.name, column.getSQLType(), column.notNull]),
      )
      const builtIndexes = (database.pragma(`index_list(${name})`) as { name: string }[]).map(
        (index) => index.name,
      )
      for (const index of indexes) expect(builtIndexes).toContain(index.config.name)
    }
  }
})

test('migrations are applied once, whether in one go or one after the other', () => {
  const database = openFresh()
  migrate(database, [FIRST])
  migrate(database, [FIRST, SECOND])
  migrate(database, [FIRST, SECOND])
  expect(database.prepare('SELECT count(*) FROM a').pluck().get()).toBe(1)
  expect(database.pragma('user_version', { simple: true })).toBe(2)
})

test('a migration may rebuild a table without deleting the rows that refer to it', () => {
  const database = openFresh()
  const rebuild =
    'CREATE TABLE c (id INTEGER PRIMARY KEY, x); INSERT INTO c (id) SELECT id FROM a; DROP TABLE a; ALTER TABLE c RENAME TO a;'
  migrate(database, [FIRST, SECOND])
  migrate(database, [FIRST, SECOND, rebuild])
  expect(database.prepare('SELECT count(*) FROM b').pluck().get()).toBe(1)
  expect(database.pragma('foreign_keys', { simple: true })).toBe(1)
})

test('a migration that fails or breaks a reference changes nothing', () => {
  const database = openFresh()
  migrate(database, [FIRST, SECOND])
  for (const bad of ['CREATE TABLE d (x); SELECT nonsense;', 'CREATE TABLE d (x); DELETE FROM a;']) {
    expect(() => migrate(database, [FIRST, SECOND, bad])).toThrow(CommandError)
    expect(database.pragma('user_version', { simple: true })).toBe(2)
    expect(database.prepare(`SELECT count(*) FROM sqlite_schema WHERE name = 'd'`).pluck().get()).toBe(0)
    expect(database.pragma('foreign_keys', { simple: true })).toBe(1)
  }
})

test('a file of a newer program is refused and says so', () => {
  const database = openFresh()
  migrate(database, [FIRST, SECOND])
  expect(() => migrate(database, [FIRST])).toThrow(CommandError)
  expect(() => migrate(database, [FIRST])).toThrow(
    /written by a newer version of Izvor \(schema 2, this program knows 1\)/,
  )
})

test('the files of a database belong to their owner alone', () => {
  if (process.platform === 'win32') return
  const database = openFresh()
  database.exec(FIRST)
  for (const suffix of ['', '-wal', '-shm']) expect(statSync(database.name + suffix).mode & 0o777).toBe(0o600)
})

test('what is no database, or not there to be read, is refused by name', () => {
  const folder = tempDir()
  const text = join(folder, 'text.db')
  writeFileSync(text, 'county;value\n'.repeat(1000))
  expect(() => openDatabase(text)).toThrow(`cannot open ${text}: it is not a database`)
  expect(() => openDatabase(join(folder, 'none.db'), { readonly: true })).toThrow(CommandError)
  expect(() => openDatabase(join(folder, 'none', 'x.db'))).toThrow(CommandError)
})

test('a commit is durable where it was asked for, and deleted bytes are overwritten', () => {
  const folder = tempDir()
  const full = openDatabase(join(folder, 'full.db'), { durability: 'full', secureDelete: true })
  const normal = openDatabase(join(folder, 'normal.db'), { durability: 'normal' })
  const value = (database: typeof full, pragma: string) => database.pragma(pragma, { simple: true })
  expect([value(full, 'synchronous'), value(normal, 'synchronous')]).toEqual([2, 1])
  expect([value(full, 'journal_mode'), value(full, 'foreign_keys'), value(full, 'secure_delete')]).toEqual([
    'wal',
    1,
    1,
  ])

  full.exec(`CREATE TABLE t (x); INSERT INTO t VALUES ('person@example.org'); DELETE FROM t;`)
  full.pragma('wal_checkpoint(TRUNCATE)')
  expect(readFileSync(full.name).includes('person@example.org')).toBe(false)
})
