/**
 * Tables that several nodes share in PostgreSQL and that one folder does not need. Moments are milliseconds since 1970
 * by the database's clock, so that the clocks of nodes need not agree.
 */

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Numbers that are changed in the transaction of what they count: `schema`, the number of the tables' schema; `keys`,
 * raised by triggers with every change to what a key may do; `catalog`, raised so with every change to a dataset.
 */
export const numbers = sqliteTable('numbers', {
  name: text().primaryKey(),
  n: integer().notNull(),
})

/** Work that one node does for all: who does it, and until when nobody else begins. */
export const leases = sqliteTable('leases', {
  name: text().primaryKey(),
  holder: text().notNull(),
  until: integer().notNull(),
})

/**
 * The latest change of each dataset, kept by triggers. The row of the number `catalog` is locked from the first change of
 * a transaction to its commit, so that a number which can be read stands for all changes up to it.
 */
export const catalogChanges = sqliteTable('catalog_changes', {
  id: text('dataset_id').primaryKey(),
  number: integer().notNull(),
  /** Given to no other change, also not to one with the same number in a database that was restored. */
  mark: text().notNull(),
})

/** Nodes that run, or that ended without saying so; each start of a process has its own id. */
export const nodes = sqliteTable('nodes', {
  id: text().primaryKey(),
  name: text().notNull(),
  program: text().notNull(),
  startedAt: integer('started_at').notNull(),
  beatAt: integer('beat_at').notNull(),
  revision: integer().notNull(),
  /** Datasets that it serves no later version of, with the reason of each. */
  waitsFor: text('waits_for', { mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
})

/** The operator's own reference tables, as the files of a folder are. */
export const referenceTables = sqliteTable('reference_tables', {
  name: text().primaryKey(),
  contents: text().notNull(),
  sha256: text().notNull(),
})

/** The last batch that each process has written: none counts twice. */
export const usageWriters = sqliteTable('usage_writers', {
  writer: text().primaryKey(),
  batch: integer().notNull(),
  /** Seconds since 1970. */
  at: integer().notNull(),
})

/** What an object is that is not a version (`store/objects/open-objects.ts`). */
export const objectDigests = sqliteTable('object_digests', {
  key: text().primaryKey(),
  bytes: integer().notNull(),
  /** Lower-case hex. */
  sha256: text().notNull(),
})

/** What nodes count together (`counts/postgres-ledger.ts`): a row for each that a limit counts. */
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
