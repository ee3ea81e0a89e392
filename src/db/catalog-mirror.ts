/** `catalog.db` as a copy of a catalog in PostgreSQL: the same tables, and how far the copy is. */

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { CatalogDb } from './catalog.ts'

/** One row: changes up to this number are here, but for the datasets in `mirror_behind`. */
export const mirror = sqliteTable('mirror', { number: integer().notNull() })

/** The latest change of each dataset that is here. */
export const mirrored = sqliteTable('mirrored', {
  id: text('dataset_id').primaryKey(),
  number: integer().notNull(),
  mark: text().notNull(),
})

/** Datasets that stay as they were, because the file of a version is not here yet. */
export const mirrorBehind = sqliteTable('mirror_behind', {
  datasetId: text('dataset_id').primaryKey(),
  reason: text().notNull(),
  since: text().notNull(),
})

const TABLES = `
CREATE TABLE IF NOT EXISTS mirror (number INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS mirrored (
  dataset_id TEXT PRIMARY KEY NOT NULL, number INTEGER NOT NULL, mark TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mirror_behind (
  dataset_id TEXT PRIMARY KEY NOT NULL, reason TEXT NOT NULL, since TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO mirror SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM mirror);
`

/** Whether a catalog is a copy. */
export function isMirror({ reading }: CatalogDb): boolean {
  return reading.prepare("SELECT 1 FROM sqlite_master WHERE name = 'mirror'").get() !== undefined
}

/** Makes an empty catalog a copy, unless it is one. Changes lost in a power cut are copied again. */
export function makeMirror({ writing }: CatalogDb): void {
  writing.pragma('synchronous = NORMAL')
  writing.transaction(() => writing.exec(TABLES)).immediate()
}
