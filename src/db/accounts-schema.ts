/** Tables of `accounts.db`: what a person or an operator would miss. Back this file up first. */

import { sql } from 'drizzle-orm'
import { blob, check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** What a key or an account may do. null: no limit. */
export const plans = sqliteTable('plans', {
  name: text().primaryKey(),
  monthlyQuota: integer('monthly_quota'),
  maxActiveKeys: integer('max_active_keys'),
  perMinute: integer('per_minute'),
})

/** Secrets are stored as SHA-256 only. Numbers are never given out twice (AUTOINCREMENT). */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    keyId: integer('key_id').primaryKey({ autoIncrement: true }),
    label: text().notNull(),
    plan: text()
      .notNull()
      .references(() => plans.name),
    state: text({ enum: ['active', 'revoked'] }).notNull(),
    secretHash: blob('secret_hash', { mode: 'buffer' }).notNull(),
    hint: text().notNull(),
    createdAt: text('created_at').notNull(),
    rotatedAt: text('rotated_at'),
    revokedAt: text('revoked_at'),
  },
  (table) => [
    uniqueIndex('api_keys_secret_hash').on(table.secretHash),
    index('api_keys_plan').on(table.plan),
    check('api_keys_state', sql`${table.state} IN ('active', 'revoked')`),
    check('api_keys_secret_hash_length', sql`length(${table.secretHash}) = 32`),
  ],
)

/** Random bytes that seal what the service hands out (cursors). Made once per data folder. */
export const secrets = sqliteTable('secrets', {
  name: text().primaryKey(),
  bytes: blob({ mode: 'buffer' }).notNull(),
})
