/** From the header of a file and a definition to the columns of a dataset. */

import { listSome } from '../../base/text/fit-text.ts'
import { plainTextOrNull, titleOf } from '../../base/text/plain-text.ts'
import {
  columnName,
  LONGEST_NAME,
  longColumnName,
  plainHeader,
  shortenInside,
  snakeCase,
  stripDiacritics,
} from '../../base/text/snake-case.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import type { Decision } from '../report/decisions.ts'
import { refuse } from '../report/reasons.ts'
import type { DefinedColumn, Definition } from './definition.ts'
import { LONGEST_TITLE } from './names.ts'

export interface ServedName {
  readonly name: string
  /** The header as the file had it; null for a column that no file has. */
  readonly source_name: string | null
}

/** `byHeader` is what the column would be called in a new dataset. */
type FormerName = { readonly name: string; readonly byHeader: string }

/** Characters of a long name that its last words may have. */
const TAIL_ROOMS = [32, 44, 56] as const
const SHOWN_NAMES = 3

/** A column to be: where it comes from and what is declared of it. */
export interface PlannedColumn {
  readonly name: string
  /** The header as the file has it; null when the file lacks the column. */
  readonly sourceName: string | null
  /** Cell, from 0, within a record; -1 when the file lacks the column. */
  readonly cell: number
  /** null: to be inferred. */
  readonly type: ColumnType | null
  /** Its numbers may be written in any notation; null: in one. */
  readonly decimalMark: '.' | ',' | null
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
    const ways = [free(names, source ?? name), free(names, name), free(plainNames, name)]
    return take([...ways, free(oldestNames, source ?? name)].find((cell) => cell >= 0) ?? -1)
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
  const sourceName = cell < 0 ? null : (header[cell] as string)
  return {
    name: column.name,
    sourceName,
    cell,
    type: column.type ?? null,
    decimalMark: column.decimal_mark ?? null,
    required: column.required ?? false,
    title: plainTextOrNull(column.title) ?? headerTitle(sourceName),
    unit: plainTextOrNull(column.unit),
    description: plainTextOrNull(column.description),
    canonical: column.canonical ?? null,
  }
}

/** What people call a column that nobody gave a title: its header (contract 14); null where it has none. */
export function headerTitle(sourceName: string | null): string | null {
  return sourceName === null ? null : titleOf(sourceName, LONGEST_TITLE)
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

/**
 * Names that columns are served by although they would get others now: what programs ask for stays, also when the rules for
 * names change or a new column begins like an old one. Earlier releases left symbols out, cut all long names at the end, and
 * numbered what has no Latin letter.
 * @returns the name by cell, for columns that keep one
 */
function findFormerNames(
  header: readonly string[],
  names: readonly string[],
  served: readonly ServedName[],
): Map<number, string> {
  const kept = new Map<number, string>()
  const cellsOf = Map.groupBy(header.keys(), (cell) => header[cell] as string)
  for (const [text, columns] of Map.groupBy(served, ({ source_name: source }) => source)) {
    const cells = text === null ? undefined : cellsOf.get(text)
    // Several columns with one header are told apart by their order alone.
    if (text === null || cells === undefined || cells.length !== columns.length) continue
    for (const [i, cell] of cells.entries()) {
      const { name } = columns[i] as ServedName
      if (name !== names[cell] && isFormerName(name, text, cell)) kept.set(cell, name)
    }
  }
  return kept
}

/** Whether a column was named by its header, now or by earlier releases, and by no definition. */
function isFormerName(name: string, header: string, cell: number): boolean {
  const long = longColumnName(header)
  const given = [
    oldestName(header, cell),
    cutName(long),
    ...TAIL_ROOMS.map((room) => shortenInside(long, room)),
  ]
  if (given.includes(name)) return true
  const numbered = /^(.+)_\d+$/.exec(name)?.[1]
  return numbered !== undefined && given.some((text) => text.startsWith(numbered))
}

/** What a column was called when only Latin letters made names. */
function oldestName(header: string, cell: number): string {
  return cutName(stripDiacritics(header)) || `column_${cell + 1}`
}

function cutName(text: string): string {
  const name = text.replace(/[^a-z0-9]+/g, '_').replace(/^_+/, '')
  return name.slice(0, LONGEST_NAME).replace(/_+$/, '')
}

export function describeFormerNames(kept: readonly FormerName[]): Decision[] {
  if (kept.length === 0) return []
  const named = kept.map(({ name, byHeader }) => `'${name}' (by its header: '${byHeader}')`)
  const reason = `columns keep the names that they are served by: ${listSome(named, SHOWN_NAMES)}`
  return [{ kind: 'former_names', reason, override: '"columns" in a definition' }]
}
