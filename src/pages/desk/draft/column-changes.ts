import { plainHeader } from '../../../base/text/snake-case.ts'
import type { DraftBody } from '../../../publish/drafts/describe-draft.ts'
import { tableReport } from '../../../publish/drafts/questions.ts'
import type { Changes } from '../../../read/definition/changes.ts'
import type { DefinedColumn } from '../../../read/definition/definition.ts'

interface ColumnsPart extends Changes {
  readonly columns: readonly DefinedColumn[]
  readonly other_columns?: 'drop' | null
}

/** What a person may define about a column; null or an empty text removes it. */
export interface ColumnFields {
  readonly name: string
  readonly title: string | null
  readonly unit: string | null
  readonly description: string | null
  /** null infers the type. */
  readonly type: DefinedColumn['type'] | null
  /** null lets numbers be in any notation. */
  readonly decimal_mark: DefinedColumn['decimal_mark'] | null
}

type Asked = Pick<DraftBody, 'definition' | 'report' | 'left_out' | 'left_out_names'>

/**
 * Declares all columns, in their order: a definition puts declared columns first, so a single one would move to the front.
 * A column is found by its header.
 */
function declareAll(draft: Asked): DefinedColumn[] {
  const declared = new Map(draft.definition.columns?.map((column) => [column.name, column]))
  const standard = new Set(
    draft.definition.columns?.flatMap(({ name, canonical }) => (canonical ? [`${name}_canonical`] : [])),
  )
  const found = tableReport(draft as DraftBody)?.columns.filter(({ name }) => !standard.has(name)) ?? []
  const columns = found.map(({ name, source_name: source }) => ({
    name,
    ...(source?.trim() && { source: source.trim() }),
    ...declared.get(name),
  }))
  const names = new Set(columns.map(({ name }) => name))
  return [...numberEqual(columns), ...[...declared.values()].filter(({ name }) => !names.has(name))]
}

/** Numbers columns with equal headers in the order in which they were read, around those already numbered. */
function numberEqual(columns: readonly DefinedColumn[]): DefinedColumn[] {
  const equal = Map.groupBy(columns, (column) => plainHeader(column.source ?? column.name))
  const numbers = new Map<DefinedColumn, number>()
  for (const group of equal.values()) {
    if (group.length === 1) continue
    const taken = new Set(group.map(({ source_number: number }) => number))
    let next = 1
    for (const column of group) {
      while (column.source_number === undefined && taken.has(next)) next++
      numbers.set(column, column.source_number ?? next++)
    }
  }
  return columns.map((column) => {
    const number = numbers.get(column)
    return number === undefined ? column : { ...column, source_number: number }
  })
}

export function describeColumn(draft: Asked, name: string, fields: Partial<ColumnFields>): ColumnsPart {
  return {
    columns: declareAll(draft).map((column) => (column.name === name ? withFields(column, fields) : column)),
  }
}

function withFields(column: DefinedColumn, fields: Partial<ColumnFields>): DefinedColumn {
  const entries = Object.entries({ ...column, ...fields })
  return Object.fromEntries(
    entries.filter(([, value]) => value !== null && value !== ''),
  ) as object as DefinedColumn
}

export function dropColumn(draft: Asked, name: string): ColumnsPart {
  return { columns: declareAll(draft).filter((column) => column.name !== name), other_columns: 'drop' }
}

/** Restores a column that was left out; it comes last. */
export function restoreColumn(draft: Asked, header: string): ColumnsPart {
  const columns = declareAll(draft)
  // With nothing else left out, columns of later editions are no longer dropped silently.
  if (draft.left_out.length === 1) return { columns, other_columns: null }
  const taken = new Set(columns.map(({ name }) => name))
  const stem = draft.left_out_names[draft.left_out.indexOf(header)] ?? 'column'
  let name = stem
  for (let number = 2; taken.has(name); number++) name = `${stem}_${number}`
  return { columns: [...columns, { name, source: header }] }
}

/** Declares that a column of the file is a served one under another header. */
export function renameHeader(draft: Asked, served: string, header: string): ColumnsPart {
  const columns = declareAll(draft)
  const isNew = (column: DefinedColumn) =>
    column.name !== served && (column.source ?? column.name).trim() === header.trim()
  const known = columns.find(({ name }) => name === served)
  const renamed: DefinedColumn = { ...known, name: served, source: header }
  if (known !== undefined)
    return {
      columns: columns
        .filter((column) => !isNew(column))
        .map((column) => (column === known ? renamed : column)),
    }
  return { columns: columns.map((column) => (isNew(column) ? renamed : column)) }
}
