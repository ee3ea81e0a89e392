/**
 * Tables of `usage.db`: what grows with every request. Apart from `accounts.db` because a write there empties the
 * key caches of every process, and because losing this file costs statistics, not access.
 */

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Counted calls per key and UTC day (`YYYY-MM-DD`). */
export const dailyUsage = sqliteTable(
  'daily_usage',
  {
    keyId: integer('key_id').notNull(),
    day: text().notNull(),
    requests: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.day] })],
)

/** Counted calls of all keys per UTC day; keeps what deleted keys have used. */
export const dailyTotals = sqliteTable('daily_totals', {
  day: text().primaryKey(),
  requests: integer().notNull(),
})

/** When a key was last used, counted or not. */
export const keyUse = sqliteTable('key_use', {
  keyId: integer('key_id').primaryKey(),
  lastUsedAt: text('last_used_at').notNull(),
})
