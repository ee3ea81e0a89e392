/** The first question about a table: which sum tells most, by which groups, and which measures make sense (contract 14). */

import type { DatePart, GroupKey, Measure, MeasureKind } from '../../engine/aggregate/group-query.ts'
import type { DescriptorColumn, ServedDataset } from '../../store/catalog/record.ts'
import { columnWords, periodOf, type Role, roleOf } from './column-roles.ts'
import { COLUMN_WORDS } from './texts/column-words.ts'

type Asked = Pick<ServedDataset, 'columns' | 'rows' | 'primaryKey'>

export const COUNT_ROWS: Measure = { kind: 'count', column: null }

/** The sum of a column that counts or measures, preferably of totals or values; if there is none, the number of rows. */
export function firstMeasure(served: Asked): Measure {
  const { columns } = served
  const amounts = [...columns.keys()].filter(
    (at) => columns[at]!.distinct_count > 1 && usefulRole(served, at) === 'amount',
  )
  const main = amounts.find((at) => columnWords(columns[at]!).some((word) => COLUMN_WORDS.main.has(word)))
  const column = main ?? amounts[0]
  return column === undefined ? COUNT_ROWS : { kind: 'sum', column }
}

/** Integers about which nothing else is known are codes if they have at most this many distinct values. */
const MOST_CODES = 20

/** The role of a column in its table: numbers that identify rows are codes, whatever their name. */
function usefulRole({ columns, rows, primaryKey }: Asked, at: number): Role {
  const column = columns[at]!
  const { type, min, max, distinct_count: distinct, name } = column
  const isRunning =
    type === 'integer' && rows > 1 && distinct === rows && Number(max) - Number(min) === rows - 1
  if (isRunning || primaryKey.includes(name)) return 'code'
  const role = roleOf(column)
  return role === 'plain' && type === 'integer' && distinct <= MOST_CODES ? 'code' : role
}

const MOST_TEXTS = 50
/** Limit for other columns, by which a table without such a text is grouped. */
const MOST_OTHERS = 60

/**
 * Groups by time if there is a period, else by the first text with 2 to 50 values, else by the first column whose values
 * repeat.
 * @param fixed names of the columns that a filter fixes to one value
 */
export function firstGroup({ columns, rows }: Asked, fixed: ReadonlySet<string>): GroupKey {
  const open = [...columns.keys()].filter(
    (at) => columns[at]!.distinct_count > 1 && !fixed.has(columns[at]!.name),
  )
  const find = (matches: (column: DescriptorColumn) => boolean) => open.find((at) => matches(columns[at]!))
  const period = find((column) => periodOf(column) !== undefined)
  if (period !== undefined) return { column: period, part: partFor(columns[period]!) }
  const isText = ({ type, distinct_count: distinct }: DescriptorColumn) =>
    type === 'string' && distinct <= MOST_TEXTS
  const text = find((column) => isText(column) && !isCodeText(column)) ?? find(isMonth) ?? find(isText)
  const repeated = () => find(({ distinct_count: distinct }) => distinct <= Math.min(MOST_OTHERS, rows / 2))
  return { column: text ?? repeated() ?? open[0] ?? 0, part: null }
}

/** Texts such as `011` or `12*`, which only their publisher understands. */
function isCodeText(column: DescriptorColumn): boolean {
  return /^\d/.test(String(column.max)) || columnWords(column).some((word) => COLUMN_WORDS.code.has(word))
}

/** Numbers of months or quarters, in a year that the table does not name. */
function isMonth(column: DescriptorColumn): boolean {
  const isInYear = column.type === 'integer' && Number(column.min) >= 1 && Number(column.max) <= 12
  return isInYear && columnWords(column).some((word) => COLUMN_WORDS.inYear.has(word))
}

const DAY_MS = 86_400_000

/** Days up to two months, months up to three years, else years; null for a column that isn't a date. */
function partFor({ type, min, max }: DescriptorColumn): DatePart | null {
  if (type !== 'date' && type !== 'datetime') return null
  const days = (Date.parse(String(max)) - Date.parse(String(min))) / DAY_MS
  if (days <= 62) return 'day'
  return days <= 1100 ? 'month' : 'year'
}

const SENSIBLE: Readonly<Record<Role, readonly MeasureKind[]>> = {
  amount: ['sum', 'avg'],
  rate: ['avg', 'median'],
  plain: ['avg'],
  code: [],
  year: [],
  other: [],
}
const MOST_SENSIBLE = 24

/** The measures offered first: the number of rows, sums that make sense, means. @param most columns to look at */
export function sensibleMeasures(served: Asked, most: number): Measure[] {
  const offered = [...served.columns.keys()]
    .slice(0, most)
    .flatMap((column) => SENSIBLE[usefulRole(served, column)].map((kind): Measure => ({ kind, column })))
  const kinds: readonly MeasureKind[] = ['sum', 'avg', 'median']
  const ordered = kinds.flatMap((kind) => offered.filter((one) => one.kind === kind))
  return [COUNT_ROWS, ...ordered.slice(0, MOST_SENSIBLE)]
}
