/** Turns the header of a file and a definition into the columns of a dataset. */

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
  /** The header as it was in the file; null for a column that no file has. */
  readonly source_name: string | null
}

/** `byHeader`: the column's name in a new dataset. */
type FormerName = { readonly name: string; readonly byHeader: string }

/** Lengths, in characters, that the last words of a long name may have. */
const TAIL_ROOMS = [32, 44, 56] as const
const SHOWN_NAMES = 3

/** A planned column: where it comes from and what is declared about it. */
export interface PlannedColumn {
  readonly name: string
  /** The header as it is in the file; null if the file lacks the column. */
  readonly sourceName: string | null
  /** Cell, from 0, within a record; -1 if the file lacks the column. */
  readonly cell: number
  /** null: to be inferred. */
  readonly type: ColumnType | null
  /** Its numbers may be in any notation, with this mark for ambiguous ones; null: in one notation. */
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
  /** The names that the columns hidden by the sheet would get. */
  readonly hidden: readonly string[]
  /** Columns that keep the name by which they are served. */
  readonly former: readonly FormerName[]
}

/**
 * @param header the header's cells as they are in the file
 * @param served the served columns: those named by the rules of earlier releases keep their names
 * @param hidden cells, from 0, that are left out
 * @throws CommandError `usage` when the definition leaves no column, `refused` when all columns are hidden
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
  /** Where the search for a free number continues: thousands of columns may share a name. */
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
 * The cell of each declared column, -1 if it has none. A header goes to the column that gives its number among equal ones,
 * else to the first column that names it.
 */
function matchHeader(
  header: readonly string[],
  declared: readonly DefinedColumn[],
  hidden: readonly number[],
): number[] {
  const plain = header.map(plainHeader)
  const names = nameHeader(header)
  // The names of columns before signs, and before other scripts, were spelt out.
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
  // A file may already use the dataset's own names.
  return declared.map(({ name, source }, i) => {
    const found = bySource[i] as number
    if (found >= 0 || numbered[i] !== undefined) return found
    // A column without a header is declared by the name of its position.
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
    // Keeps only as many of its last words as distinguish it.
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

/** The title of a column without a given one: its header (contract 14); null without a header. */
export function headerTitle(sourceName: string | null): string | null {
  return sourceName === null ? null : titleOf(sourceName, LONGEST_TITLE)
}

/** The name, or `name_2`, `name_3` … if it is taken; marks it as taken. */
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
 * Names by which columns are served although they would get others now: what programs request stays, even when the rules
 * for names change or a new column begins like an old one. Earlier releases left symbols out, cut all long names at the
 * end, and numbered headers without Latin letters.
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
    // Only their order distinguishes several columns with one header.
    if (text === null || cells === undefined || cells.length !== columns.length) continue
    for (const [i, cell] of cells.entries()) {
      const { name } = columns[i] as ServedName
      if (name !== names[cell] && isFormerName(name, text, cell)) kept.set(cell, name)
    }
  }
  return kept
}

/** Whether a column got its name from its header, now or by earlier rules, and not from a definition. */
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

/** A column's name by the oldest rule, when only Latin letters made names. */
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
