/** A query for groups and their measures, as the engine takes it: typed, resolved to column positions (contract 7). */

import type { ColumnLayout, ColumnType } from '../columns/column.ts'
import type { Operands, Operator } from '../operators.ts'
import type { Filter, Page, PageQuery } from '../row-query.ts'

/**
 * Two values whose places differ by less than this fraction may be in the other order: values are rounded to 15 digits,
 * places to those of a double.
 */
const NEAR = 1e-13

export const DATE_PARTS = ['year', 'quarter', 'month', 'day'] as const
export type DatePart = (typeof DATE_PARTS)[number]

export const MEASURES = ['count', 'count_distinct', 'sum', 'avg', 'min', 'max', 'median'] as const
export type MeasureKind = (typeof MEASURES)[number]

/** What rows are grouped by: a column, or a part of a date or datetime. */
export interface GroupKey {
  readonly column: number
  readonly part: DatePart | null
}

/** `count` without a column counts rows; all others ignore nulls. */
export interface Measure {
  readonly kind: MeasureKind
  readonly column: number | null
}

/** A filter on the value that a result shows. Results are numbered: groups first, then measures. */
export interface ResultFilter {
  readonly result: number
  readonly operator: Operator
  /** As in a filter on a column. Numbers may also be texts with all their digits. */
  readonly operands: Operands
}

export interface ResultSort {
  readonly result: number
  readonly descending: boolean
}

/** A query for all groups, in order. */
export interface GroupsQuery {
  readonly filters: readonly Filter[]
  /** Empty: one group of all matching rows, even if there are none. */
  readonly groups: readonly GroupKey[]
  readonly measures: readonly Measure[]
  readonly having: readonly ResultFilter[]
  /** Ties are in the groups' order; nulls last in both directions. */
  readonly sort: readonly ResultSort[]
}

/** A query for one page of groups. */
export type AggregateQuery = GroupsQuery & Pick<PageQuery, 'limit' | 'offset' | 'count'>

/** Exact texts, as JSON and CSV show them: column values as lists write them; sums and means without an exponent. */
export type ResultRow = readonly (string | null)[]

/** Its groups are those that pass the filters on results. */
export interface AggregatePage extends Omit<Page, 'rows'> {
  readonly rows: readonly ResultRow[]
}

/** More groups than these, before filters on results, are refused. */
export const MOST_GROUPS = 1_000_000

/** The rows fall into more than `MOST_GROUPS` groups. */
export class TooManyGroupsError extends Error {
  /** Position of the grouped column with the most values. */
  readonly column: number

  constructor(column: number) {
    super(`more than ${MOST_GROUPS} groups`)
    this.name = 'TooManyGroupsError'
    this.column = column
  }
}

/** What a result shows, for file formats with their own types. */
export interface ResultFacts {
  readonly type: ColumnType
  /** The column whose values it shows unchanged; null for counts and calculated results. */
  readonly column: number | null
  /** Whether it is a number with all its digits, however many. */
  readonly isExact: boolean
}

/** What every result shows, groups first. */
export function resultFacts(
  columns: readonly Pick<ColumnLayout, 'type'>[],
  query: Pick<GroupsQuery, 'groups' | 'measures'>,
): readonly ResultFacts[] {
  const types = resultTypes(columns, query)
  const { groups, measures } = query
  const shown = [
    ...groups.map(({ column, part }) => ({ column: part === null ? column : null, isExact: false })),
    ...measures.map(({ kind, column }) => ({
      column: kind === 'min' || kind === 'max' ? column : null,
      isExact: kind === 'sum',
    })),
  ]
  return shown.map((facts, index) => ({ ...facts, type: types[index]! }))
}

/** The type of every result, groups first, from the columns alone. */
export function resultTypes(
  columns: readonly Pick<ColumnLayout, 'type'>[],
  { groups, measures }: Pick<GroupsQuery, 'groups' | 'measures'>,
): readonly ColumnType[] {
  return [
    ...groups.map(({ column, part }) => (part === null ? columns[column]!.type : PART_TYPES[part])),
    ...measures.map(({ kind, column }) =>
      kind === 'count' || column === null ? 'integer' : measureType(kind, columns[column]!.type),
    ),
  ]
}

const PART_TYPES: Readonly<Record<DatePart, ColumnType>> = {
  year: 'integer',
  quarter: 'string',
  month: 'string',
  day: 'date',
}

function measureType(kind: MeasureKind, type: ColumnType): ColumnType {
  if (kind === 'count' || kind === 'count_distinct') return 'integer'
  return kind === 'avg' || kind === 'median' ? 'decimal' : type
}

// Groups with their measures, as filters on results and sorts need them.
/** One result of every group. */
export interface ResultColumn {
  /** Writes the place of each listed group: a number that follows the results' order, NaN for null. */
  readonly readPlaces: (groups: Uint32Array, places: Float64Array) => void
  /**
   * Places are ranks in the column's order, or the values as numbers, or numbers near the values: where two of these are
   * nearly the same, the texts of the values decide.
   */
  readonly places: 'ranks' | 'values' | 'near'
  /** For numbers near the values: whether two groups certainly have the same value; cheaper than comparing texts. */
  readonly isSame?: (a: number, b: number) => boolean
  readonly textOf: (group: number) => string | null
}

export interface Groups {
  readonly count: number
  /** In the order of the query: groups first, then measures. */
  readonly results: readonly ResultColumn[]
  /** Whether they are numbered in the groups' order. */
  readonly isOrdered: boolean
  /** Releases the memory of the groups; they must not be used afterwards. */
  readonly release: () => void
}

/** `readPlaces` from a function that gives the place of one group. */
export function readEachPlace(placeOf: (group: number) => number): ResultColumn['readPlaces'] {
  return (groups, places) => {
    for (let i = 0; i < groups.length; i++) places[i] = placeOf(groups[i]!)
  }
}

/** Near zero doubles have fewer digits (IEEE 754, subnormal numbers). */
const LEAST_APART = 1e-290

/** How far a value may be from its place. */
export function errorOf(place: number): number {
  return Math.max(NEAR * Math.abs(place), LEAST_APART)
}

/** Whether the texts of values with these places decide. Infinite places are near any others. */
export function isNear(left: number, right: number): boolean {
  return left === right || !(Math.abs(left - right) > Math.max(errorOf(left), errorOf(right)))
}
