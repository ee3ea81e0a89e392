/** From the header of a file and a definition to the columns of a dataset. */

import type { ColumnType } from '../../engine/column.ts'
import { CommandError } from '../../errors.ts'
import { LONGEST_NAME, snakeCase } from '../../text/snake-case.ts'
import { type DefinedColumn, type Definition, plainHeader } from './definition.ts'

/** A column to be: where it comes from and what is declared of it. */
export interface PlannedColumn {
  readonly name: string
  /** The header as the file has it; null when the file lacks the column. */
  readonly sourceName: string | null
  /** Cell, from 0, within a record; -1 when the file lacks the column. */
  readonly cell: number
  /** null: to be inferred. */
  readonly type: ColumnType | null
  readonly required: boolean
  readonly description: string | null
  /** A reference table to standardize by. */
  readonly canonical: string | null
}

export interface ColumnPlan {
  /** Declared columns in the definition's order, then the others in the file's. */
  readonly columns: readonly PlannedColumn[]
  /** Declared columns that the file lacks. */
  readonly missing: readonly string[]
  /** Headers of columns that the definition does not declare. */
  readonly undeclared: readonly string[]
}

/**
 * @param header the header's cells as the file has them
 * @throws CommandError `usage` when the definition leaves no column at all
 */
export function planColumns(header: readonly string[], definition: Definition | null): ColumnPlan {
  const declared = definition?.columns ?? []
  const cellOf = matchHeader(header, declared)
  const columns = declared.map((column, i) => toPlanned(column, header, cellOf[i] as number))
  const missing = columns.filter(({ cell }) => cell < 0).map(({ name }) => name)
  const others = header.map((_, cell) => cell).filter((cell) => !cellOf.includes(cell))
  const undeclared = others.map((cell) => header[cell] as string)
  if (definition?.other_columns === 'drop') {
    if (columns.length > 0) return { columns, missing, undeclared }
    throw new CommandError(
      'usage',
      'the definition declares no columns and drops all others ("other_columns": "drop"), and a dataset needs at least one',
    )
  }
  const taken = new Set(
    columns.flatMap(({ name, canonical }) => (canonical === null ? [name] : [name, `${name}_canonical`])),
  )
  /** Where the search for a free number goes on: thousands of columns may share a name. */
  const numbers = new Map<string, number>()
  for (const cell of others) {
    const sourceName = header[cell] as string
    const name = freeName(snakeCase(sourceName) || unnamed(cell), taken, numbers)
    columns.push({ name, sourceName, cell, type: null, required: false, description: null, canonical: null })
  }
  return { columns, missing, undeclared }
}

/** The cell of each declared column, -1 without one. A header goes to the first column that asks for it. */
function matchHeader(header: readonly string[], declared: readonly DefinedColumn[]): number[] {
  const plain = header.map(plainHeader)
  const names = header.map((text, cell) => snakeCase(text) || unnamed(cell))
  const taken = new Set<number>()
  const take = (cell: number): number => {
    if (cell >= 0) taken.add(cell)
    return cell
  }
  const free = (list: readonly string[], wanted: string) =>
    list.findIndex((candidate, cell) => candidate === wanted && !taken.has(cell))
  const bySource = declared.map(({ name, source }) => take(free(plain, plainHeader(source ?? name))))
  // Files that already carry the dataset's own names need no other header.
  return declared.map(({ name }, i) => {
    const found = bySource[i] as number
    return found >= 0 ? found : take(free(names, name))
  })
}

/** What a column is called whose header has no name in it. */
function unnamed(cell: number): string {
  return `column_${cell + 1}`
}

function toPlanned(column: DefinedColumn, header: readonly string[], cell: number): PlannedColumn {
  return {
    name: column.name,
    sourceName: cell < 0 ? null : (header[cell] as string),
    cell,
    type: column.type ?? null,
    required: column.required ?? false,
    description: column.description ?? null,
    canonical: column.canonical ?? null,
  }
}

/** The name, or `name_2`, `name_3` … when it is taken; takes it. */
function freeName(name: string, taken: Set<string>, numbers: Map<string, number>): string {
  let free = name
  for (let number = numbers.get(name) ?? 2; taken.has(free); number++) {
    numbers.set(name, number + 1)
    const suffix = `_${number}`
    free = name.slice(0, LONGEST_NAME - suffix.length) + suffix
  }
  taken.add(free)
  return free
}
