/**
 * Tables that several nodes share in PostgreSQL and that one folder does not need. Moments are milliseconds since 1970
 * by the database's clock, so that the clocks of nodes need not agree.
 */

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Numbers, changed in the same transaction as what they count. `schema`: the number of the tables' schema; `keys`:
 * raised by triggers with every change to what a key may do; `catalog`: likewise with every change to a dataset.
 */
export const numbers = sqliteTable('numbers', {
  name: text().primaryKey(),
  n: integer().notNull(),
})

/** Work that one node does for all: the node, and the moment until which no other begins. */
export const leases = sqliteTable('leases', {
  name: text().primaryKey(),
  holder: text().notNull(),
  until: integer().notNull(),
})

/**
 * The latest change of each dataset, maintained by triggers. The row `catalog` of `numbers` is locked from the first
 * change of a transaction to its commit, so that all changes up to a readable number are readable.
 */
export const catalogChanges = sqliteTable('catalog_changes', {
  id: text('dataset_id').primaryKey(),
  number: integer().notNull(),
  /** Unique to this change, even among changes with the same number in a restored database. */
  mark: text().notNull(),
})

/** Nodes that run, or that ended without leaving; each start of a process has its own id. */
export const nodes = sqliteTable('nodes', {
  id: text().primaryKey(),
  name: text().notNull(),
  program: text().notNull(),
  startedAt: integer('started_at').notNull(),
  beatAt: integer('beat_at').notNull(),
  revision: integer().notNull(),
  /** Datasets whose latest version it does not serve, with the reason. */
  waitsFor: text('waits_for', { mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
})

/** The operator's own reference tables: their files by name. */
export const referenceTables = sqliteTable('reference_tables', {
  name: text().primaryKey(),
  contents: text().notNull(),
  sha256: text().notNull(),
})

/** The last batch that each process has written, so that none counts twice. */
export const usageWriters = sqliteTable('usage_writers', {
  writer: text().primaryKey(),
  batch: integer().notNull(),
  /** Seconds since 1970. */
  at: integer().notNull(),
})

/** Digests of objects other than versions (`store/objects/open-objects.ts`). */
export const objectDigests = sqliteTable('object_digests', {
  key: text().primaryKey(),
  bytes: integer().notNull(),
  /** Lower-case hex. */
  sha256: text().notNull(),
})

/** Counts that nodes share (`counts/postgres-ledger.ts`): a row for each window and name. */
export const limitCounts = sqliteTable(
  'limit_counts',
  {
    name: text().notNull(),
    who: text().notNull(),
    version: integer().notNull(),
    /** As `counts/slots.ts` writes them. */
    slots: text().notNull(),
    emptyAt: integer('empty_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.who] })],
)
