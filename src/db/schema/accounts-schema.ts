/** Tables of `accounts.db`, which cannot be rebuilt. Indexes, checks and triggers are in the migrations. */

import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { LANGUAGES } from '../../base/text/language.ts'

const ALERT_KINDS = [
  'ingest_refused',
  'refresh_failed',
  'backup_late',
  'disk_low',
  'certificate_ending',
  'certificate_failed',
  'personal_data_served',
] as const

const MAIL_KINDS = [
  'verify',
  'reset',
  'invitation',
  'password_changed',
  'second_factor_on',
  'second_factor_off',
  'recovery_code_used',
  'key_created',
  'key_rotated',
  'key_expires',
  'account_deleted',
  ...ALERT_KINDS,
  ...ALERT_KINDS.map((kind) => `${kind}_over` as const),
] as const

/** The account with which a row is deleted. */
const ofUser = () => integer('user_id').references(() => users.id, { onDelete: 'cascade' })

/** The limits of keys and accounts. null: no limit. */
export const plans = sqliteTable('plans', {
  name: text().primaryKey(),
  monthly_quota: integer(),
  max_active_keys: integer(),
  per_minute: integer(),
})

/** People. Numbers are never reused: audit rows and other databases refer to them. */
export const users = sqliteTable('users', {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text().notNull(),
  /** The address as it is compared (`accounts/people/email-address.ts`). */
  emailKey: text('email_key').notNull(),
  /** argon2id with its parameters; null until the owner of an account made by the operator has set one. */
  passwordHash: text('password_hash'),
  emailVerifiedAt: text('email_verified_at'),
  fullName: text('full_name'),
  organization: text(),
  language: text({ enum: LANGUAGES }).notNull(),
  plan: text()
    .notNull()
    .references(() => plans.name),
  /** Readers use data; publishers also bring it in; operators publish everywhere and run the service. */
  role: text({ enum: ['reader', 'publisher', 'operator'] })
    .notNull()
    .default('reader'),
  /** The domains that a publisher may change; null: all of them, as for operators. Empty for readers. */
  publisherDomains: text('publisher_domains', { mode: 'json' }).$type<readonly string[]>().default([]),
  createdAt: text('created_at').notNull(),
  /** Of the authenticator app (`accounts/people/sign-in/second-factor.ts`); set before the second factor is on. */
  secondFactorSecret: blob('second_factor_secret', { mode: 'buffer' }),
  secondFactorSince: text('second_factor_since'),
  /** The latest step whose code was used, so that none works twice. */
  secondFactorStep: integer('second_factor_step'),
})

/** Recovery codes that were not used yet, as SHA-256. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    userId: ofUser().notNull(),
    codeHash: blob('code_hash', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

/** Browsers that are signed in. The cookie's token is stored as SHA-256 only; `session_id` names it in lists. */
export const sessions = sqliteTable('sessions', {
  sessionId: text('session_id').primaryKey(),
  userId: ofUser().notNull(),
  tokenHash: blob('token_hash', { mode: 'buffer' }).notNull(),
  createdAt: text('created_at').notNull(),
  lastSeenAt: text('last_seen_at').notNull(),
  expiresAt: text('expires_at').notNull(),
  ip: text().notNull(),
  userAgent: text('user_agent'),
})

/** Attempts to sign in to an account. Those for addresses without an account are not kept. */
export const signIns = sqliteTable('sign_ins', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** null only inside a transaction that deletes the row again. */
  userId: ofUser(),
  attemptedAt: text('attempted_at').notNull(),
  success: integer({ mode: 'boolean' }).notNull(),
  ip: text().notNull(),
  userAgent: text('user_agent'),
  reason: text({ enum: ['wrong_password', 'too_many_failures', 'code_missing', 'wrong_code'] }),
  /** What limits count the address as; null for IPv6 addresses from before networks were stored. */
  network: text(),
})

/** Proofs of an e-mail address, sent in links. A row that is used, replaced or expired is deleted. */
export const tokens = sqliteTable('tokens', {
  tokenId: text('token_id').primaryKey(),
  userId: ofUser().notNull(),
  purpose: text({ enum: ['verify', 'reset', 'entry'] }).notNull(),
  tokenHash: blob('token_hash', { mode: 'buffer' }).notNull(),
  expiresAt: text('expires_at').notNull(),
})

/** Mail to be sent. Holds no token: the mail's text is made for each attempt and not stored. */
export const mailQueue = sqliteTable('mail_queue', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** null for the notice of a deleted account, which outlives it. */
  userId: ofUser(),
  recipient: text().notNull(),
  kind: text({ enum: MAIL_KINDS }).notNull(),
  language: text({ enum: LANGUAGES }).notNull(),
  /** What its text names in braces, besides the host and the time; nothing secret. */
  facts: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull().default({}),
  tokenId: text('token_id').references(() => tokens.tokenId, { onDelete: 'cascade' }),
  /** The key that a reminder is about; the reminder is deleted with it. */
  keyId: integer('key_id').references(() => apiKeys.keyId, { onDelete: 'cascade' }),
  queuedAt: text('queued_at').notNull(),
  attempts: integer().notNull().default(0),
  nextAttemptAt: text('next_attempt_at').notNull(),
  giveUpAt: text('give_up_at').notNull(),
})

/** Problems that were reported by mail and persist. When one is over, a mail says so and its row is deleted. */
export const alerts = sqliteTable(
  'alerts',
  {
    kind: text({ enum: ALERT_KINDS }).notNull(),
    subject: text().notNull(),
    raisedAt: text('raised_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.subject] })],
)

/** Deleted accounts and keys whose records in other databases are not yet cleared; finished ones are removed. */
export const tombstones = sqliteTable('tombstones', {
  id: integer().primaryKey({ autoIncrement: true }),
  kind: text({ enum: ['account', 'key'] }).notNull(),
  subjectId: integer('subject_id').notNull(),
  deletedAt: text('deleted_at').notNull(),
})

/** Who did what to accounts, keys and plans. Append-only (triggers in a migration); numbers, never addresses. */
export const audit = sqliteTable('audit', {
  id: integer().primaryKey({ autoIncrement: true }),
  at: text().notNull(),
  actor: text({ enum: ['operator', 'account', 'service', 'shell'] }).notNull(),
  event: text().notNull(),
  user_id: integer(),
  key_id: integer(),
  detail: text(),
  /** Of the actor `operator`: the account that acted; null: the shell, or a key of the operator. */
  operator_id: integer(),
})

/**
 * Secrets are stored only as SHA-256. Numbers are never reused. `userId` null: the operator's; `expiresAt` and
 * `monthlyQuota` null: none.
 */
export const apiKeys = sqliteTable('api_keys', {
  keyId: integer('key_id').primaryKey({ autoIncrement: true }),
  label: text().notNull(),
  userId: integer('user_id').references(() => users.id),
  /** null: made by an account; follows the account's plan and shares its quota. */
  plan: text().references(() => plans.name),
  state: text({ enum: ['active', 'revoked'] }).notNull(),
  secretHash: blob('secret_hash', { mode: 'buffer' }).notNull(),
  hint: text().notNull(),
  createdAt: text('created_at').notNull(),
  rotatedAt: text('rotated_at'),
  revokedAt: text('revoked_at'),
  expiresAt: text('expires_at'),
  scopes: text({ mode: 'json' }).$type<readonly string[]>().notNull().default(['read']),
  monthlyQuota: integer('monthly_quota'),
  /** Days before the end, as in the last reminder; null: none was sent for this end. */
  remindedDays: integer('reminded_days'),
})

/** Random bytes that seal cursors, mailed tokens and CSRF tokens. Made once per data directory. */
export const secrets = sqliteTable('secrets', {
  name: text().primaryKey(),
  bytes: blob({ mode: 'buffer' }).notNull(),
})
