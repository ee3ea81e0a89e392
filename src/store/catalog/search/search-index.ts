/** The catalog's full-text index (FTS5): what is in it, and how it follows the rows. */

import type Database from 'better-sqlite3'
import { saysDamage } from '../../../base/errors.ts'
import type { DataDir } from '../../files/data-dir.ts'
import { completeRecord, type VersionRecord } from '../record.ts'
import { indexedTexts } from './search-terms.ts'
import { type SearchedTexts, searchedTexts } from './searched-texts.ts'

/**
 * Where a word may be found, in the order of weight: the columns of the index, with their names in answers and their
 * texts. The texts of data columns (`value`) are not in the record.
 */
export const FIELDS = {
  title: { name: 'title', texts: ({ dataset }) => [dataset.title] },
  keywords: { name: 'keywords', texts: ({ dataset }) => [...dataset.keywords, dataset.id, dataset.domain] },
  description: { name: 'description', texts: ({ dataset }) => [dataset.description] },
  publisher: { name: 'publisher', texts: ({ dataset }) => [dataset.publisher] },
  columns: { name: 'column', texts: ({ columns }) => columns.flatMap(({ name, title }) => [title, name]) },
  texts: { name: 'value', texts: () => [] },
} as const satisfies Record<
  string,
  { name: string; texts(record: VersionRecord): readonly (string | null)[] }
>
export type Field = keyof typeof FIELDS

/** The index for the rows. PostgreSQL has none (`NO_INDEX`): each node writes its own. */
export interface SearchIndex {
  /** Indexes a version, whose row must exist, under the dataset's number, in place of the earlier one. */
  put(number: number, record: VersionRecord): void
  drop(number: number): void
}

export const NO_INDEX: SearchIndex = { put() {}, drop() {} }

/** The index in `catalog.db`. Use it inside a transaction of that connection. */
export function localIndex(writing: Database.Database): SearchIndex {
  const fields = Object.keys(FIELDS) as Field[]
  const insert = writing.prepare<[number, ...string[]]>(
    `INSERT INTO search (rowid, ${fields.join(', ')}) VALUES (?${', ?'.repeat(fields.length)})`,
  )
  const remove = writing.prepare<[number]>('DELETE FROM search WHERE rowid = ?')
  const words = writing
    .prepare<[string, number], string | null>(
      "SELECT search_texts ->> 'words' FROM versions WHERE dataset_id = ? AND version = ?",
    )
    .pluck()
  return {
    put(number, record) {
      remove.run(number)
      const ofTexts = words.get(record.dataset.id, record.version) ?? ''
      const terms = fields.map((field) =>
        field === 'texts' ? ofTexts : indexedTexts(FIELDS[field].texts(record)),
      )
      insert.run(number, ...terms)
    },
    drop(number) {
      remove.run(number)
    },
  }
}

/**
 * Makes the index of a catalog that has none because it was just upgraded or comes from PostgreSQL.
 * @param files for versions whose texts are not stored yet; null: the files are not here
 */
export function completeIndex(writing: Database.Database, files: DataDir | null): void {
  const isMissing = writing.prepare(
    `SELECT 1 FROM datasets WHERE served_version IS NOT NULL AND NOT EXISTS (SELECT 1 FROM search_docsize) LIMIT 1`,
  )
  if (isMissing.get() === undefined) return
  const keep = writing.prepare('UPDATE versions SET search_texts = ? WHERE dataset_id = ? AND version = ?')
  const rows = writing.prepare<[], { number: number; served: 0 | 1; record: string; isKept: 0 | 1 }>(
    `SELECT d.number, v.version = d.served_version AS served, v.record, v.search_texts IS NOT NULL AS isKept
     FROM datasets d JOIN versions v ON v.dataset_id = d.id`,
  )
  writing
    .transaction(() => {
      const index = localIndex(writing)
      for (const { number, served, record: json, isKept } of rows.all()) {
        const record = completeRecord(JSON.parse(json))
        const { dataset, version } = record
        const texts = isKept === 1 || files === null ? null : textsOfFile(files, record)
        if (texts !== null) keep.run(JSON.stringify(texts), dataset.id, version)
        if (served === 1) index.put(number, record)
      }
    })
    .immediate()
}

function textsOfFile(
  files: DataDir,
  { dataset: { id }, version, definition }: VersionRecord,
): SearchedTexts | null {
  const { personal_data: personal = [] } = (definition ?? {}) as { personal_data?: readonly string[] }
  try {
    return searchedTexts(files.versionFile(id, version), personal)
  } catch (error) {
    // The damage is reported when the rows are read.
    if (saysDamage(error)) return null
    throw error
  }
}
