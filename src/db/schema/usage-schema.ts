/**
 * Tables of `usage.db`, which grow with every request. They are separate from `accounts.db` because a write there
 * empties the key caches of every process, and because losing this file costs statistics, not access.
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

/** Counted calls of all keys per UTC day, including deleted keys. */
export const dailyTotals = sqliteTable('daily_totals', {
  day: text().primaryKey(),
  requests: integer().notNull(),
})

/**
 * Answers with data per UTC day, dataset, key and format (`accounts/usage/dataset-use.ts`), with their rows and bytes.
 * `key_id` 0: without a key; -1: of keys that were deleted since.
 */
export const datasetUsage = sqliteTable(
  'dataset_usage',
  {
    day: text().notNull(),
    datasetId: text('dataset_id').notNull(),
    keyId: integer('key_id').notNull(),
    format: text().notNull(),
    calls: integer().notNull(),
    rows: integer().notNull(),
    bytes: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.datasetId, table.keyId, table.format] })],
)

/** When a key was last used, counted or not. */
export const keyUse = sqliteTable('key_use', {
  keyId: integer('key_id').primaryKey(),
  lastUsedAt: text('last_used_at').notNull(),
})

/**
 * Counted calls per quota (`account:7`, or `key:3` for a key with a quota of its own) and UTC month (`YYYY-MM`), and of
 * accounts, with all their keys, also per day (`YYYY-MM-DD`). Counted separately from keys, so that deleting a key does
 * not give its calls back to its account. One special row holds the last known change of `accounts.db`
 * (`accounts/usage/lost-accounts.ts`).
 */
export const monthlyUsage = sqliteTable(
  'monthly_usage',
  {
    owner: text().notNull(),
    month: text().notNull(),
    requests: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.month] })],
)

/** Every authenticated answer, without secrets. `at`: arrival of the request, in seconds since 1970. */
export const requestLogs = sqliteTable('request_logs', {
  // Ids of deleted records are never reused: a client may keep records by their id.
  id: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  key_id: integer().notNull(),
  method: text().notNull(),
  path: text().notNull(),
  query: text().notNull(),
  status: integer().notNull(),
  latency_us: integer().notNull(),
  /** Of the body, as sent. */
  bytes: integer().notNull(),
  ip: text().notNull(),
  user_agent: text(),
  request_id: text().notNull(),
})

/**
 * Records on their way into `request_logs`, a line each. Writing one text costs the thread that answers requests an
 * eighth of writing the rows; another thread makes rows of it.
 */
export const logInbox = sqliteTable('log_inbox', {
  id: integer().primaryKey(),
  records: text().notNull(),
})

/** Deleted keys whose records are being removed. Kept for a day, in case another process still brings some. */
export const erasedKeys = sqliteTable('erased_keys', {
  keyId: integer('key_id').primaryKey(),
  /** Seconds since 1970. */
  erasedAt: integer('erased_at').notNull(),
})
