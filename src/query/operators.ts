/** The filter operators, one row each: what they take, where they apply, how the reference explains them. */

import { COLUMN_TYPES, type ColumnType } from '../engine/columns/column.ts'
import { OPERATORS, type Operator } from '../engine/query.ts'

export interface OperatorRow {
  readonly name: Operator
  /** `value`: one value of the column's type; `list`: several, between commas; `flag`: `true` or `false`. */
  readonly takes: 'value' | 'list' | 'flag'
  /** Column types it works on. */
  readonly on: readonly ColumnType[]
  /** Whether the empty text is a value for it (every text contains and starts with it, which says nothing). */
  readonly emptyText: boolean
  readonly meaning: string
}

const ORDERED = COLUMN_TYPES.filter((type) => type !== 'boolean')
const TEXT: readonly ColumnType[] = ['string']

/** Specification 4.5 rule 4, in its order. */
export const OPERATOR_TABLE: Readonly<Record<Operator, OperatorRow>> = {
  eq: row('eq', 'value', COLUMN_TYPES, 'equal (same as no operator); text without regard to case'),
  ne: row('ne', 'value', COLUMN_TYPES, 'not equal; never matches null'),
  gt: row('gt', 'value', ORDERED, 'greater than; text in sort order'),
  gte: row('gte', 'value', ORDERED, 'greater or equal'),
  lt: row('lt', 'value', ORDERED, 'less than'),
  lte: row('lte', 'value', ORDERED, 'less or equal'),
  in: row('in', 'list', COLUMN_TYPES, 'any of a comma-separated list; a value with a comma in double quotes'),
  not_in: row('not_in', 'list', COLUMN_TYPES, 'none of a comma-separated list; never matches null'),
  contains: row('contains', 'value', TEXT, 'case-insensitive substring', false),
  starts_with: row('starts_with', 'value', TEXT, 'case-insensitive prefix', false),
  is_null: row('is_null', 'flag', COLUMN_TYPES, '`true` finds rows without a value, `false` rows with one'),
}

function row(
  name: Operator,
  takes: OperatorRow['takes'],
  on: readonly ColumnType[],
  meaning: string,
  emptyText = true,
): OperatorRow {
  return { name, takes, on, emptyText, meaning }
}

/** The row of an operator's name as written in a query (`county[gte]`), or undefined when there is none. */
export function findOperator(name: string): OperatorRow | undefined {
  return Object.hasOwn(OPERATOR_TABLE, name) ? OPERATOR_TABLE[name as Operator] : undefined
}

/** Names of the operators that work on a column of this type, in the specification's order. */
export function operatorsFor(type: ColumnType): Operator[] {
  return OPERATORS.filter((name) => OPERATOR_TABLE[name].on.includes(type))
}
