/** From the header of a file and a definition to the columns of a dataset. */

import { plainTextOrNull } from '../../base/text/plain-text.ts'
import {
  columnName,
  LONGEST_NAME,
  longColumnName,
  plainHeader,
  shortenInside,
  snakeCase,
} from '../../base/text/snake-case.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import { refuse } from '../report/reasons.ts'
import type { DefinedColumn, Definition } from './definition.ts'
import { type FormerName, findFormerNames, oldestName, type ServedName, TAIL_ROOMS } from './former-names.ts'

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
  readonly title: string | null
  readonly unit: string | null
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
  /** What the columns that the sheet hides would be called. */
  readonly hidden: readonly string[]
  /** Columns that keep the name they are served by. */
  readonly former: readonly FormerName[]
}

/**
 * @param header the header's cells as the file has them
 * @param served the columns being served: those that were named by the rules of earlier releases keep their names
 * @param hidden cells, from 0, that are left out
 * @throws CommandError `usage` when the definition leaves no column at all, `refused` when nothing but hidden ones is there
 */
export function planColumns(
  header: readonly string[],
  definition: Definition | null,
  served: readonly ServedName[] = [],
  hidden: readonly number[] = [],
): ColumnPlan {
  const declared = definition?.columns ?? []
  const cellOf = matchHeader(header, declared, hidden)
  const columns = declared.map((column, i) => toPlanned(column, header, cellOf[i] as number))
  const missing = columns.filter(({ cell }) => cell < 0).map(({ name }) => name)
  const others = header
    .map((_, cell) => cell)
    .filter((cell) => !cellOf.includes(cell) && !hidden.includes(cell))
  const undeclared = others.map((cell) => header[cell] as string)
  const names = nameHeader(header)
  const left = hidden.flatMap((cell) => names[cell] ?? [])
  if (left.length > 0 && left.length === header.length) throw refuse('columns_hidden', {})
  if (definition?.other_columns === 'drop') {
    if (columns.length > 0) return { columns, missing, undeclared, hidden: left, former: [] }
    throw refuse('no_columns', {})
  }
  const taken = new Set(
    columns.flatMap(({ name, canonical }) => (canonical === null ? [name] : [name, `${name}_canonical`])),
  )
  /** Where the search for a free number goes on: thousands of columns may share a name. */
  const numbers = new Map<string, number>()
  const kept = findFormerNames(header, names, served)
  const former: FormerName[] = []
  for (const cell of others) {
    const byHeader = names[cell] as string
    const name = freeName(kept.get(cell) ?? byHeader, taken, numbers)
    if (name === kept.get(cell)) former.push({ name, byHeader })
    columns.push(toPlanned({ name }, header, cell))
  }
  return { columns, missing, undeclared, hidden: left, former }
}

/**
 * The cell of each declared column, -1 without one. A header goes to the column that says which of several equal ones it
 * is, else to the first column that asks for it.
 */
function matchHeader(
  header: readonly string[],
  declared: readonly DefinedColumn[],
  hidden: readonly number[],
): number[] {
  const plain = header.map(plainHeader)
  const names = nameHeader(header)
  // What columns were called before signs became words, and before other scripts did.
  const plainNames = header.map(snakeCase)
  const oldestNames = header.map(oldestName)
  const numbered = declared.map(({ name, source, source_number: number }) => {
    if (number === undefined) return undefined
    const wanted = plainHeader(source ?? name)
    const cell = plain.flatMap((header, cell) => (header === wanted ? [cell] : []))[number - 1] ?? -1
    return hidden.includes(cell) ? -1 : cell
  })
  const taken = new Set([...numbered, ...hidden])
  const take = (cell: number): number => {
    if (cell >= 0) taken.add(cell)
    return cell
  }
  const free = (list: readonly string[], wanted: string) =>
    list.findIndex((candidate, cell) => candidate === wanted && !taken.has(cell))
  const bySource = declared.map(
    ({ name, source }, i) => numbered[i] ?? take(free(plain, plainHeader(source ?? name))),
  )
  // Files that already carry the dataset's own names need no other header.
  return declared.map(({ name, source }, i) => {
    const found = bySource[i] as number
    if (found >= 0 || numbered[i] !== undefined) return found
    // A column without a header is declared by the name that its place gives it.
    const byPlace = source === undefined ? -1 : free(names, source)
    const byName = byPlace >= 0 ? byPlace : free(names, name)
    const byPlainName = byName >= 0 ? byName : free(plainNames, name)
    return take(byPlainName >= 0 ? byPlainName : free(oldestNames, source ?? name))
  })
}

/** The names of all headers. Long ones that would be cut to the same name keep their last words instead. */
function nameHeader(header: readonly string[]): string[] {
  const long = header.map(longColumnName)
  const cut = header.map((text, cell) => columnName(text) || `column_${cell + 1}`)
  const spellings = Map.groupBy(long.keys(), (cell) => cut[cell] as string)
  return cut.map((name, cell) => {
    const own = long[cell] as string
    const alike = [...new Set(spellings.get(name)?.map((other) => long[other] as string))]
    if (alike.length < 2) return name
    // As few of its last words as tell it from the others.
    const room = TAIL_ROOMS.find((room) => {
      const shortened = shortenInside(own, room)
      return alike.every((other) => other === own || shortenInside(other, room) !== shortened)
    })
    return shortenInside(own, room ?? TAIL_ROOMS[0]) || name
  })
}

function toPlanned(column: DefinedColumn, header: readonly string[], cell: number): PlannedColumn {
  return {
    name: column.name,
    sourceName: cell < 0 ? null : (header[cell] as string),
    cell,
    type: column.type ?? null,
    required: column.required ?? false,
    title: plainTextOrNull(column.title),
    unit: plainTextOrNull(column.unit),
    description: plainTextOrNull(column.description),
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
