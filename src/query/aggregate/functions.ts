/** The functions of `group_by` and `measures`, one row each: where they apply, and their explanation in the reference. */

import { DATE_PARTS, type DatePart, MEASURES, type MeasureKind } from '../../engine/aggregate/group-query.ts'
import { COLUMN_TYPES, type ColumnType } from '../../engine/columns/column.ts'

interface FunctionRow {
  readonly on: readonly ColumnType[]
  readonly meaning: string
  readonly foreign?: readonly string[]
}

const NUMBERS: readonly ColumnType[] = ['integer', 'decimal']
const MOMENTS: readonly ColumnType[] = ['date', 'datetime']
const ORDERED = COLUMN_TYPES.filter((type) => type !== 'boolean')

/** Contract 7. */
export const DATE_PART_TABLE: Readonly<Record<DatePart, FunctionRow>> = {
  year: { on: MOMENTS, meaning: 'the year, an integer', foreign: ['yyyy'] },
  quarter: { on: MOMENTS, meaning: 'the quarter, as `2024-Q1`' },
  month: { on: MOMENTS, meaning: 'the month, as `2024-01`', foreign: ['yearmonth', 'year_month'] },
  day: { on: MOMENTS, meaning: 'the day, a date', foreign: ['date', 'date_trunc_day'] },
}

/** Contract 7. `count` without a column counts rows. */
export const MEASURE_TABLE: Readonly<Record<MeasureKind, FunctionRow>> = {
  count: {
    on: COLUMN_TYPES,
    meaning: 'the number of rows; with a column, of its values',
    foreign: ['n', 'rows', 'size'],
  },
  count_distinct: {
    on: COLUMN_TYPES,
    meaning: 'the number of different values, as `eq` tells them apart',
    foreign: ['distinct', 'countdistinct', 'nunique', 'unique'],
  },
  sum: { on: NUMBERS, meaning: 'the exact sum', foreign: ['total'] },
  avg: { on: NUMBERS, meaning: 'the mean, rounded to 15 significant digits', foreign: ['average', 'mean'] },
  min: { on: ORDERED, meaning: 'the least value', foreign: ['minimum'] },
  max: { on: ORDERED, meaning: 'the greatest value', foreign: ['maximum'] },
  median: { on: NUMBERS, meaning: 'the median', foreign: ['med'] },
}

const FUNCTIONS = { group_by: DATE_PART_TABLE, measures: MEASURE_TABLE }

/** The names of each parameter's functions. */
export interface FunctionNames {
  readonly group_by: DatePart
  readonly measures: MeasureKind
}

/** The functions of a parameter, in the contract's order. */
export function functionsOf<P extends keyof FunctionNames>(parameter: P): [FunctionNames[P], FunctionRow][] {
  return Object.entries(FUNCTIONS[parameter]) as [FunctionNames[P], FunctionRow][]
}

/** The function of this name, and where it applies; undefined: the parameter has no such function. */
export function findFunction<P extends keyof FunctionNames>(name: string, parameter: P) {
  const [kind, row] = functionsOf(parameter).find(([kind]) => kind === name) ?? []
  return kind && row && { kind, on: row.on }
}

/** The function that another language calls by this name; undefined if none is known. */
export function findForeignFunction<P extends keyof FunctionNames>(name: string, parameter: P) {
  return functionsOf(parameter).find(([, { foreign }]) => foreign?.includes(name.toLowerCase()))?.[0]
}

/** The measures that take a column of this type, in the contract's order. */
export function measuresOn(type: ColumnType): MeasureKind[] {
  return MEASURES.filter((kind) => MEASURE_TABLE[kind].on.includes(type))
}

/** All functions that take a column of this type: parts of dates, then measures. */
export function functionsFor(type: ColumnType): string[] {
  return [...DATE_PARTS.filter((part) => DATE_PART_TABLE[part].on.includes(type)), ...measuresOn(type)]
}
