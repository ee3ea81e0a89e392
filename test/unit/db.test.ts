import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { CommandError } from '../../src/base/errors.ts'
import { type DbReading, inTransaction, openAccounts, type Transaction } from '../../src/db/accounts.ts'
import { migrate, type Schema } from '../../src/db/migrate.ts'
import { SCHEMAS } from '../../src/db/migrations.ts'
import { openDatabase } from '../../src/db/open.ts'
import { POSTGRES_SCHEMA } from '../../src/db/postgres/migrate.ts'
import * as accountsSchema from '../../src/db/schema/accounts-schema.ts'
import { plans } from '../../src/db/schema/accounts-schema.ts'
import * as catalogSchema from '../../src/db/schema/catalog-schema.ts'
import * as usageSchema from '../../src/db/schema/usage-schema.ts'
import { tempDataDir, tempDir } from '../support/temp-dir.ts'

const FIRST = 'CREATE TABLE a (id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1);'
const SECOND = 'CREATE TABLE b (a_id INTEGER REFERENCES a (id) ON DELETE CASCADE); INSERT INTO b VALUES (1);'

const ACCOUNTS = [
  'users_email_key',
  'sessions_token_hash',
  'sessions_user',
  'sessions_expiry',
  'sign_ins_user',
  'sign_ins_network',
  'sign_ins_time',
  'tokens_token_hash',
  'tokens_user',
  'tokens_expiry',
  'mail_queue_due',
  'mail_queue_user',
  'mail_queue_token',
  'mail_queue_key',
  'audit_user',
  'api_keys_secret_hash',
  'api_keys_plan',
  'api_keys_user',
]

const steps = (...files: string[]): Schema => ({ first: 1, files })

function openFresh() {
  return openDatabase(join(tempDir(), 'test.db'))
}

test('every migration file is embedded, in order', () => {
  const embedded: [string, Schema][] = [
    ...Object.entries(SCHEMAS).map(([name, schema]): [string, Schema] => [`migrations/${name}`, schema]),
    ['postgres/migrations', POSTGRES_SCHEMA],
  ]
  for (const [name, { first, files }] of embedded) {
    const folder = join(import.meta.dir, '../../src/db', name)
    const names = readdirSync(folder).sort()
    expect(files).toEqual(names.map((file) => readFileSync(join(folder, file), 'utf8')))
    expect(names.map((file) => Number.parseInt(file, 10))).toEqual(files.map((_, i) => first + i))
  }
})

test('the migrations build exactly the tables and columns that the queries are written for', () => {
  const databases: [Schema, object, string[]][] = [
    [SCHEMAS.accounts, accountsSchema, ACCOUNTS],
    [
      SCHEMAS.catalog,
      catalogSchema,
      ['datasets_domain_id', 'sources_next_run_at', 'drafts_state', 'drafts_account'],
    ],
    [SCHEMAS.usage, usageSchema, ['dataset_usage_key', 'request_logs_key', 'request_logs_time']],
  ]
  for (const [migrations, schema, indexes] of databases) {
    const database = openFresh()
    migrate(database, migrations)
    for (const table of Object.values(schema)) {
      const { name, columns } = getTableConfig(table)
      const built = database.pragma(`table_info(${name})`) as {
        name: string
        type: string
        notnull: number
      }[]
      // A migration adds a column at the end of its table; the schema lists it where it belongs.
      expect(
        built.map((column) => [column.name, column.type.toLowerCase(), column.notnull === 1]).toSorted(),
      ).toEqual(columns.map((column) => [column.name, column.getSQLType(), column.notNull]).toSorted())
    }
    const built = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index'").pluck().all()
    for (const index of indexes) expect(built).toContain(index)
  }
})

test('migrations are applied once, whether in one go or one after the other', () => {
  const database = openFresh()
  migrate(database, steps(FIRST))
  migrate(database, steps(FIRST, SECOND))
  migrate(database, steps(FIRST, SECOND))
  expect(database.prepare('SELECT count(*) FROM a').pluck().get()).toBe(1)
  expect(database.pragma('user_version', { simple: true })).toBe(2)
})

test('a migration may rebuild a table without deleting the rows that refer to it', () => {
  const database = openFresh()
  const rebuild =
    'CREATE TABLE c (id INTEGER PRIMARY KEY, x); INSERT INTO c (id) SELECT id FROM a; DROP TABLE a; ALTER TABLE c RENAME TO a;'
  migrate(database, steps(FIRST, SECOND))
  migrate(database, steps(FIRST, SECOND, rebuild))
  expect(database.prepare('SELECT count(*) FROM b').pluck().get()).toBe(1)
  expect(database.pragma('foreign_keys', { simple: true })).toBe(1)
})

test('a migration that fails or breaks a reference changes nothing', () => {
  const database = openFresh()
  migrate(database, steps(FIRST, SECOND))
  for (const bad of ['CREATE TABLE d (x); SELECT nonsense;', 'CREATE TABLE d (x); DELETE FROM a;']) {
    expect(() => migrate(database, steps(FIRST, SECOND, bad))).toThrow(CommandError)
    expect(database.pragma('user_version', { simple: true })).toBe(2)
    expect(database.prepare(`SELECT count(*) FROM sqlite_schema WHERE name = 'd'`).pluck().get()).toBe(0)
    expect(database.pragma('foreign_keys', { simple: true })).toBe(1)
  }
})

test('a file of a newer program is refused with that reason', () => {
  const database = openFresh()
  migrate(database, steps(FIRST, SECOND))
  expect(() => migrate(database, steps(FIRST))).toThrow(CommandError)
  expect(() => migrate(database, steps(FIRST))).toThrow(
    /made by a newer version of Izvor \(schema 2, this program knows 1\)/,
  )
})

test('a file of a build before the first release is refused with that reason; one that its tables came from is adopted', () => {
  const database = openFresh()
  migrate(database, { first: 4, files: [FIRST] })
  migrate(database, { first: 4, files: [FIRST, SECOND] })
  expect(database.pragma('user_version', { simple: true })).toBe(5)
  expect(() => migrate(database, { first: 6, files: [FIRST, SECOND] })).toThrow(
    /made by a build from before the first release \(schema 5\), and this program upgrades from schema 6 on/,
  )
  expect(database.pragma('user_version', { simple: true })).toBe(5)
})

test('the files of a database belong to their owner alone', () => {
  if (process.platform === 'win32') return
  const database = openFresh()
  database.exec(FIRST)
  for (const suffix of ['', '-wal', '-shm']) expect(statSync(database.name + suffix).mode & 0o777).toBe(0o600)
})

test('a file that is not a database, or cannot be read, is refused by name', () => {
  const folder = tempDir()
  const text = join(folder, 'text.db')
  writeFileSync(text, 'county;value\n'.repeat(1000))
  expect(() => openDatabase(text)).toThrow(`cannot open ${text}: it is not a database`)
  expect(() => openDatabase(join(folder, 'none.db'), { readonly: true })).toThrow(CommandError)
  expect(() => openDatabase(join(folder, 'none', 'x.db'))).toThrow(CommandError)
})

test('a commit is durable where requested, and deleted bytes are overwritten', () => {
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

describe('a transaction', () => {
  const PLAN = { name: 'counted', monthly_quota: 0, max_active_keys: null, per_minute: null }
  const quotaIn = async (db: DbReading) => {
    const [plan] = await db.select().from(plans).where(eq(plans.name, PLAN.name))
    return plan?.monthly_quota
  }
  const openWithPlan = async () => {
    const db = openAccounts(tempDataDir().accountsDb)
    await inTransaction(db, (tx) => tx.insert(plans).values(PLAN))
    return db
  }
  const raise = (tx: Transaction, to: number) =>
    tx.update(plans).set({ monthly_quota: to }).where(eq(plans.name, PLAN.name))

  test('keeps what it read true until it has written, however many run at once', async () => {
    const db = await openWithPlan()
    const addOne = () =>
      inTransaction(db, async (tx) => {
        const before = await quotaIn(tx)
        await new Promise((resolve) => setImmediate(resolve))
        await raise(tx, before! + 1)
      })
    await Promise.all(Array.from({ length: 20 }, addOne))
    expect(await quotaIn(db)).toBe(20)
    db.close()
  })

  test('is rolled back when it fails, and the next one runs', async () => {
    const db = await openWithPlan()
    const failing = inTransaction(db, async (tx) => {
      await raise(tx, 7)
      throw new Error('no')
    })
    const next = inTransaction(db, async (tx) => {
      const before = await quotaIn(tx)
      await raise(tx, before! + 1)
    })
    await expect(failing).rejects.toThrow('no')
    await next
    expect(await quotaIn(db)).toBe(1)
    db.close()
  })

  test('is invisible to others before its commit, and includes those inside it', async () => {
    const db = await openWithPlan()
    await inTransaction(db, async (tx) => {
      await inTransaction(tx, (inner) => raise(inner, 3))
      expect([await quotaIn(tx), await quotaIn(db)]).toEqual([3, 0])
    })
    expect(await quotaIn(db)).toBe(3)
    db.close()
  })
})
