/**
 * The query language over plain rows, as slow and obvious as possible, to compare the engine's answers with.
 * It shares no code with the engine or with `src/base/text`, only the types of queries.
 */

import type { Value } from '../../src/engine/columns/column.ts'
import { type ColumnFilter, type Filter, isColumnFilter, type SortField } from '../../src/engine/row-query.ts'
import { plainWords } from './plain-words.ts'
import type { PlainTable } from './random-table.ts'

const foldedBefore = new Map<string, string>()

/** Contract 3: NFC, then the simple lower case of each code point, then comma for cedilla. */
function folded(text: string): string {
  const known = foldedBefore.get(text)
  if (known !== undefined) return known
  const lower = [...text.normalize('NFC')].map((character) =>
    character === 'İ' ? 'i' : character.toLowerCase(),
  )
  const made = lower.join('').replaceAll('ş', 'ș').replaceAll('ţ', 'ț')
  foldedBefore.set(text, made)
  return made
}

const STROKED: Record<string, string> = { đ: 'd', ħ: 'h', ı: 'i', ł: 'l', ø: 'o', ŧ: 't' }

/** What decides a character's place, most important first. */
function placeOf(character: string): number[] {
  const point = character.codePointAt(0)!
  if (/\p{L}/u.test(character)) {
    const [base, ...accents] = STROKED[character] ?? character.normalize('NFD')
    const isBare = base === character
    const isBreve = accents.length === 1 && accents[0] === '\u0306'
    return [2, base!.codePointAt(0)!, isBare ? 0 : isBreve ? 1 : point]
  }
  return [/\p{Nd}/u.test(character) ? 1 : 0, point, 0]
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

function compareFolded(a: string, b: string): number {
  const left = [...folded(a)]
  const right = [...folded(b)]
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = compareLists(placeOf(left[i]!), placeOf(right[i]!))
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function compareInstants(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => {
    const [seconds, fraction = ''] = text.slice(0, -1).split('.')
    return { seconds: Date.parse(`${seconds}Z`), fraction: fraction.padEnd(30, '0') }
  })
  if (left!.seconds !== right!.seconds) return left!.seconds - right!.seconds
  return left!.fraction < right!.fraction ? -1 : left!.fraction > right!.fraction ? 1 : 0
}

function compareDays(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Negative, zero or positive as value `a` of a column comes before, equals, or comes after `b`. */
export function compareValues(table: PlainTable, column: number, a: Value, b: Value): number {
  const { type } = table.columns[column]!
  if (type === 'string') return compareFolded(String(a), String(b))
  if (type === 'datetime' && String(b).length === 'YYYY-MM-DD'.length)
    return compareDays(String(a).slice(0, 10), String(b))
  if (type === 'datetime') return compareInstants(String(a), String(b))
  return a < b ? -1 : a > b ? 1 : 0
}

function passesOperand(
  table: PlainTable,
  filter: ColumnFilter,
  value: Value | null,
  operand: readonly Value[],
) {
  if (filter.operator === 'is_null') return (value === null) === operand[0]
  if (value === null) return false
  const compared = operand.map((candidate) => compareValues(table, filter.column, value, candidate))
  switch (filter.operator) {
    case 'eq':
      return compared[0] === 0
    case 'ne':
      return compared[0] !== 0
    case 'gt':
      return compared[0]! > 0
    case 'gte':
      return compared[0]! >= 0
    case 'lt':
      return compared[0]! < 0
    case 'lte':
      return compared[0]! <= 0
    case 'in':
      return compared.includes(0)
    case 'not_in':
      return !compared.includes(0)
    case 'contains':
      return folded(String(value)).includes(folded(String(operand[0])))
    case 'starts_with':
      return folded(String(value)).startsWith(folded(String(operand[0])))
  }
}

/** Contract 7: every word begins a word of some text column. */
function hasWords(table: PlainTable, row: number, words: readonly string[]): boolean {
  const values = table.rows[row]!.filter((_, column) => table.columns[column]!.type === 'string')
  const present = values.flatMap((value) => (value === null ? [] : plainWords(String(value))))
  return words.length > 0 && words.every((word) => present.some((other) => other.startsWith(word)))
}

/** The numbers of the rows that all filters match, in file order. */
export function matchingRows(table: PlainTable, filters: readonly Filter[]): number[] {
  return [...table.rows.keys()].filter((row) =>
    filters.every((filter) =>
      isColumnFilter(filter)
        ? filter.operands.some((operand) =>
            passesOperand(table, filter, table.rows[row]![filter.column]!, operand),
          )
        : hasWords(table, row, filter.words),
    ),
  )
}

/** The row numbers sorted: by the sort, then by the default order, then as in the file. */
export function sortedRows(
  table: PlainTable,
  rows: readonly number[],
  sort: readonly SortField[],
  defaultSort: readonly SortField[],
): number[] {
  return rows.toSorted((a, b) => {
    for (const { column, descending } of [...sort, ...defaultSort]) {
      const left = table.rows[a]![column]!
      const right = table.rows[b]![column]!
      if (left === null && right === null) continue
      if (left === null || right === null) return left === null ? 1 : -1
      const difference = compareValues(table, column, left, right)
      if (difference !== 0) return descending ? -difference : difference
    }
    return a - b
  })
}

/** A row as clients see it. */
export function rowObject(
  table: PlainTable,
  row: number,
  fields: readonly number[],
): Record<string, Value | null> {
  return Object.fromEntries(fields.map((column) => [table.columns[column]!.name, table.rows[row]![column]!]))
}
