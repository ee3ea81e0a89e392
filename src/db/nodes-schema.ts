/**
 * Tables that several nodes share in PostgreSQL and that one folder does not need. Moments are milliseconds since 1970
 * by the database's clock, so that the clocks of nodes need not agree.
 */

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Numbers that are changed in the transaction of what they count: `schema`, the migrations that were made; `keys`,
 * raised by triggers with every change to what a key may do.
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

/** Nodes that run, or that ended without saying so. */
export const nodes = sqliteTable('nodes', {
  /** Random for each start of a process. */
  id: text().primaryKey(),
  program: text().notNull(),
  startedAt: integer('started_at').notNull(),
  beatAt: integer('beat_at').notNull(),
  /** The number of the catalog that it serves. */
  revision: integer().notNull(),
  /** Why it serves no later one; null: it does not wait. */
  waitsFor: text('waits_for'),
})
