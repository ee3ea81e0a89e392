/** Tables of `catalog.db`: what is published. The FTS5 table `search` is in a migration. */

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ErrorCode } from '../../base/error-codes.ts'
import type { Reason } from '../../base/errors.ts'

/**
 * One row per id that ever had a version number. It outlives the dataset's removal, so that numbers are never used
 * twice; `number` is the row in the search index.
 */
export const datasets = sqliteTable('datasets', {
  number: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  lastVersion: integer('last_version').notNull(),
  /** null: never published, or removed. */
  servedVersion: integer('served_version'),
  domain: text(),
  /** Whether its rows and files are shown without a key, if the service shows any. */
  open: integer({ mode: 'boolean' }).notNull().default(true),
  /** Versions that were taken down; anything that still reads one is ended. */
  dropped: text({ mode: 'json' }).$type<readonly number[]>().notNull().default([]),
})

/**
 * One row per kept version file. A rollback serves it again as it was. `record` holds everything (`VersionRecord`,
 * `store/catalog/record.ts`); other columns repeat what lists show, so that these need not parse it.
 */
export const versions = sqliteTable(
  'versions',
  {
    datasetId: text('dataset_id')
      .notNull()
      .references(() => datasets.id),
    version: integer().notNull(),
    /** The version served when this one was published: where a rollback goes. */
    previousVersion: integer('previous_version'),
    title: text().notNull(),
    description: text(),
    rowCount: integer('row_count').notNull(),
    importedAt: text('imported_at').notNull(),
    record: text({ mode: 'json' }).notNull(),
    /** Texts that searches look into besides the record (`store/catalog/search/searched-texts.ts`); null: none. */
    searchTexts: text('search_texts', { mode: 'json' }),
  },
  (table) => [primaryKey({ columns: [table.datasetId, table.version] })],
)

/** One row: a number that every publish, rollback and removal raises. */
export const revision = sqliteTable('revision', { value: integer().notNull() })

/**
 * The last file that was refused for a dataset, published or not, until something is published after it. For the
 * operator and the dataset's publishers.
 */
export const refusals = sqliteTable('refusals', {
  dataset: text('dataset_id').primaryKey(),
  domain: text().notNull(),
  at: text('refused_at').notNull(),
  reason: text().notNull(),
  /** The reason for pages; null in rows of an earlier release. */
  reasons: text({ mode: 'json' }).$type<readonly Reason[]>(),
})

/**
 * Where a dataset's data can be fetched again, and how that went. One row per dataset with such an address; a later
 * ingest from elsewhere replaces or removes it.
 */
export const sources = sqliteTable('sources', {
  dataset: text('dataset_id')
    .primaryKey()
    .references(() => datasets.id),
  /** `https://…`, `http://…` or `ckan:…`, without passwords. */
  address: text().notNull(),
  /** The reading options of the last ingest (`NewSource`, `store/catalog/sources.ts`). */
  options: text({ mode: 'json' }).$type<Readonly<Record<string, unknown>>>().notNull(),
  schedule: text(),
  /** Where the served bytes came from, with their validators; null: not fetched yet. */
  fetchedUrl: text('fetched_url'),
  etag: text(),
  lastModified: text('last_modified'),
  /** Of the last ingested bytes, lower-case hex. */
  sha256: text().notNull(),
  checked_at: text(),
  changed_at: text().notNull(),
  failed_at: text(),
  error: text(),
  reasons: text({ mode: 'json' }).$type<readonly Reason[]>(),
  failures: integer().notNull(),
  next_run_at: text(),
  /** Whether a publisher set address and schedule, which later ingests then leave alone. */
  byPublisher: integer('by_publisher', { mode: 'boolean' }).notNull().default(false),
  /** The schedule in the last ingest, if a publisher set another one. */
  saidSchedule: text('said_schedule'),
})

type Fields = Readonly<Record<string, unknown>>

/**
 * Files on their way to becoming editions (`store/catalog/drafts.ts`). One row per draft; its files are in a folder of
 * its own. A publication and the row of its draft change in one transaction.
 */
export const drafts = sqliteTable('drafts', {
  /** Random, so that it cannot be guessed. */
  id: text().primaryKey(),
  accountId: integer('account_id'),
  keyId: integer('key_id'),
  state: text({
    enum: [
      'receiving',
      'waiting',
      'reading',
      'ready',
      'refused',
      'failed',
      'publishing',
      'published',
      'unchanged',
    ],
  }).notNull(),
  /** Raised by every change of decisions: a reading for an earlier revision is out of date. */
  revision: integer().notNull(),
  /** How often a process began to work on this revision since the service started. */
  attempts: integer().notNull(),
  /** How often the service was restarted while there was work to do for this revision. */
  restarts: integer().notNull().default(0),
  fileName: text('file_name').notNull(),
  bytes: integer(),
  sha256: text(),
  /** `https://…`, `http://…` or `ckan:…` of a file that is fetched, as it was given; null: uploaded. */
  address: text(),
  /** What the fetch found out (`FetchedSource`, `publish/fetch/`), without the file. */
  fetched: text({ mode: 'json' }).$type<Fields>(),
  /** The dataset that it is an edition of, by the file's name; null: a new one. */
  dataset: text(),
  /** Decisions, as a part of a definition that takes precedence over the dataset's. */
  changes: text({ mode: 'json' }).$type<Fields>().notNull(),
  /** What was accepted for the requested publication; null: none was requested. */
  answers: text({ mode: 'json' }).$type<Fields>(),
  /** The version served when the file was read, null for none. */
  baseVersion: integer('base_version'),
  version: integer(),
  /** Why the last step failed: a frozen code, a sentence for people, and its reasons for pages. */
  problem: text({ mode: 'json' }).$type<{
    readonly code: ErrorCode
    readonly message: string
    readonly detail?: readonly { readonly location: string; readonly message: string }[]
    readonly reasons?: readonly Reason[]
  }>(),
  createdAt: text('created_at').notNull(),
  changedAt: text('changed_at').notNull(),
})
