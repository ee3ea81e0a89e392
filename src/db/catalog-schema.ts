/** Tables of `catalog.db`: what is published. The FTS5 table `search` stands beside them in a migration of its own. */

import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * One row per id that was ever given a version number. It outlives the dataset's removal, so that numbers are never
 * used twice; `number` is the row of the search index.
 */
export const datasets = sqliteTable(
  'datasets',
  {
    number: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    /** The highest version number given out. */
    lastVersion: integer('last_version').notNull(),
    /** null: never published, or removed. */
    servedVersion: integer('served_version'),
    /** The served version's domain; null without one. */
    domain: text(),
  },
  (table) => [index('datasets_domain_id').on(table.domain, table.id)],
)

/**
 * One row per kept version file. Never changed once written: a rollback serves it again as it was. `record` holds
 * everything (`VersionRecord`, `catalog/record.ts`); what lists show stands beside it so that they need not parse it.
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
  },
  (table) => [primaryKey({ columns: [table.datasetId, table.version] })],
)

/** One row: a number that every publish, rollback and removal raises. */
export const revision = sqliteTable('revision', { value: integer().notNull() })

/**
 * Where a dataset's data can be fetched again, and how that went. One row per dataset with such an address; a later
 * ingest from elsewhere replaces or removes it.
 */
export const sources = sqliteTable(
  'sources',
  {
    datasetId: text('dataset_id')
      .primaryKey()
      .references(() => datasets.id),
    /** `https://…`, `http://…` or `ckan:…`, without passwords. */
    address: text().notNull(),
    /** How the last ingest was told to read it (`SourceOptions`, `catalog/sources.ts`). */
    options: text({ mode: 'json' }).notNull(),
    /** A cron pattern in UTC; null: refreshed by hand. */
    schedule: text(),
    /** Where the served bytes came from, with what the server compares them by; null: not fetched yet. */
    fetchedUrl: text('fetched_url'),
    etag: text(),
    lastModified: text('last_modified'),
    /** Of the bytes that were ingested last, lower-case hex. */
    sha256: text().notNull(),
    checkedAt: text('checked_at'),
    changedAt: text('changed_at').notNull(),
    /** The last failure since the last success; null without one. */
    failedAt: text('failed_at'),
    error: text(),
    failures: integer().notNull(),
    nextRunAt: text('next_run_at'),
  },
  (table) => [index('sources_next_run_at').on(table.nextRunAt)],
)
