/**
 * Changes the texts of a dataset, and whether its rows are shown without a key, without a new version: its data,
 * digests and cursors stay. An edit applies to all kept versions, so a rollback does not undo it, and to later ones
 * until an ingest brings a new value for the same text.
 */

import { and, eq } from 'drizzle-orm'
import { CommandError } from '../../base/errors.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { raiseRevision } from '../../db/catalog.ts'
import { datasets, versions } from '../../db/schema/catalog-schema.ts'
import type { Transaction } from '../../db/transaction.ts'
import { headerTitle } from '../../read/definition/columns.ts'
import {
  type ColumnTexts,
  completeRecord,
  type DatasetInfo,
  type DatasetTexts,
  type DescriptorColumn,
  type VersionRecord,
} from './record.ts'
import type { SearchIndex } from './search/search-index.ts'

/** Texts left out stay; columns are by name. */
export interface DatasetEdit {
  readonly dataset: Partial<DatasetTexts>
  readonly columns: Readonly<Record<string, Partial<ColumnTexts>>>
  /** Whether rows and files are shown without a key. */
  readonly open?: boolean | undefined
}

/** The fields that an edit changes, without the texts: for the audit log. */
export function changedFields({ dataset, columns, open }: DatasetEdit): string[] {
  const fields = Object.keys(dataset)
  if (Object.keys(columns).length > 0) fields.push('columns')
  if (open !== undefined) fields.push(open ? 'opened' : 'closed')
  return fields
}

/** @throws CommandError `failed` when there is no such dataset, `usage` when the served version lacks a column */
export async function editDataset(
  tx: Transaction,
  index: SearchIndex,
  id: string,
  edit: DatasetEdit,
): Promise<void> {
  const [dataset] = await tx.select().from(datasets).where(eq(datasets.id, id))
  if (dataset?.servedVersion == null) throw new CommandError('failed', `there is no dataset ${id}`)
  const rows = await tx.select().from(versions).where(eq(versions.datasetId, id))
  const columns = Object.entries(edit.columns).map(([name, texts]) => [name, plainTexts(texts)])
  const texts = { ...edit, dataset: plainTexts(edit.dataset), columns: Object.fromEntries(columns) }
  for (const { version, record } of rows) {
    const stored = completeRecord(record as VersionRecord)
    const names = stored.columns.map(({ name }) => name)
    const unknown = Object.keys(edit.columns).find((name) => !names.includes(name))
    if (version === dataset.servedVersion && unknown !== undefined)
      throw new CommandError('usage', `${id} has no column '${unknown}'; its columns are ${names.join(', ')}`)
    const edited = applyEdit(stored, texts)
    const { title, description } = edited.dataset
    const isIt = and(eq(versions.datasetId, id), eq(versions.version, version))
    await tx.update(versions).set({ title, description, record: edited }).where(isIt)
    if (version === dataset.servedVersion) index.put(dataset.number, edited)
  }
  if (edit.open !== undefined) await tx.update(datasets).set({ open: edit.open }).where(eq(datasets.id, id))
  await raiseRevision(tx)
}

function plainTexts<T extends object>(texts: T): T {
  const plain = (value: unknown): unknown =>
    typeof value === 'string' ? plainText(value) : Array.isArray(value) ? value.map(plain) : value
  return Object.fromEntries(Object.entries(texts).map(([field, value]) => [field, plain(value)])) as T
}

function applyEdit(record: VersionRecord, edit: DatasetEdit): VersionRecord {
  const { dataset, columns, said } = record
  const saidOfColumns = { ...said.columns }
  for (const column of columns) {
    const texts = edit.columns[column.name]
    if (texts !== undefined)
      saidOfColumns[column.name] = { ...pick(column, texts), ...saidOfColumns[column.name] }
  }
  return {
    ...record,
    dataset: { ...dataset, ...edit.dataset },
    columns: columns.map((column) => ({ ...column, ...edit.columns[column.name] })),
    said: { dataset: { ...pick(dataset, edit.dataset), ...said.dataset }, columns: saidOfColumns },
  }
}

/** The texts of a dataset when the version was published, before any edit. */
export function textsAtPublication({ dataset, said }: VersionRecord): DatasetInfo {
  return { ...dataset, ...said.dataset }
}

/**
 * A new version with the edits of the one before it, except for texts to which its ingest gives a new value.
 * @param served undefined: the dataset is new
 */
export function carryEdits(record: VersionRecord, served: VersionRecord | undefined): VersionRecord {
  if (served === undefined) return record
  const { said = {} } = served
  const ofDataset = stillSaid(record.dataset, said.dataset ?? {})
  const edits = new Map<string, { said: Partial<ColumnTexts>; now: Partial<ColumnTexts> }>()
  for (const column of record.columns) {
    const before = served.columns.find(({ name }) => name === column.name)
    // A header does not replace a title that a person has changed: only a definition does.
    const isByHeader = column.title === headerTitle(column.source_name)
    const { [column.name]: edited = {} } = said.columns ?? {}
    const asBefore = isByHeader && 'title' in edited ? { ...edited, title: column.title } : edited
    const kept = stillSaid<DescriptorColumn, ColumnTexts>(column, asBefore)
    if (before !== undefined) edits.set(column.name, { said: kept, now: pick(before, kept) })
  }
  return {
    ...record,
    dataset: { ...record.dataset, ...pick(served.dataset, ofDataset) },
    columns: record.columns.map((column) => ({ ...column, ...edits.get(column.name)?.now })),
    said: {
      dataset: ofDataset,
      columns: Object.fromEntries([...edits].map(([name, texts]) => [name, texts.said])),
    },
  }
}

/** The texts that have the same value in this ingest as in the one before it. */
function stillSaid<Now extends Texts, Texts extends object>(now: Now, said: Partial<Texts>): Partial<Texts> {
  const same = Object.entries(said).filter(
    ([field, text]) => JSON.stringify(now[field as keyof Now]) === JSON.stringify(text),
  )
  return Object.fromEntries(same) as Partial<Texts>
}

function pick<From extends object, Like extends object>(from: From, like: Like): Partial<Like> {
  const fields = Object.keys(like).map((field) => [field, from[field as keyof From & string]])
  return Object.fromEntries(fields) as Partial<Like>
}
