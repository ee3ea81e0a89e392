/**
 * The operators of filters, one row each, in the order of specification 4.5 rule 4. A row has all that distinguishes an
 * operator: how its values are written, which codes and results pass, how a hint changes it, and what it is called.
 */

import type { Language } from '../base/text/language.ts'
import { type CodeRange, type CodeRanges, gapsBetween, joinRanges } from './columns/code-ranges.ts'
import { COLUMN_TYPES, type ColumnType, type Value } from './columns/column.ts'

/** The column of a filter. Its values are numbered from 1 to `distinct` in order; 0 is null. */
export interface SearchedColumn {
  readonly distinct: number
  /** The codes equal to a value; `low > high` where there are none, and `low` is its place. */
  readonly equal: (value: Value) => CodeRange
  /** The codes of the texts that start with a value. */
  readonly startingWith: (value: Value) => CodeRange
}

/** The values of one filter: alternatives, each of one value or several. */
export type Operands = readonly (readonly Value[])[]

/** Whether a result passes, by the text that it shows. */
type ShownTest = (text: string) => boolean

/** Tests of results, by their type. */
export interface ShownTests {
  readonly among: (values: readonly Value[]) => ShownTest
  /** After one of the values (`side` 1) or before one (-1). */
  readonly beyond: (values: readonly Value[], side: 1 | -1, orEqual: boolean) => ShownTest
  /** Whether `holds` is true for the folded text and any of the folded parts. */
  readonly withPart: (values: readonly Value[], holds: (text: string, part: string) => boolean) => ShownTest
}

interface OperatorRow {
  /** `value`: one value of the column's type; `list`: several, between commas; `flag`: `true` or `false`. */
  readonly takes: 'value' | 'list' | 'flag'
  readonly on: readonly ColumnType[]
  /** Whether the empty text is a value for it (every text contains and starts with it, which says nothing). */
  readonly emptyText?: boolean
  /** Whether it tests equality: on a datetime column a date is then the whole day. */
  readonly isEquality?: boolean
  /** The operator that does the same with several values. */
  readonly ofSeveral?: 'in' | 'not_in'
  /** The codes that pass one alternative; null: texts are searched for the value. */
  readonly codes: ((column: SearchedColumn, values: readonly Value[]) => CodeRanges) | null
  /** The same for results that are not null. */
  readonly shown: (operands: Operands, tests: ShownTests) => ShownTest
  /** Whether null passes; left out: never. */
  readonly nullPasses?: (operands: Operands) => boolean
  /** Whether a number passes that is not near any of `sorted`, all values of the filter; left out: its text decides. */
  readonly apart?: (number: number, sorted: Float64Array) => boolean
  /** Whether a result is compared with each alternative, not with one set or bound of all of them. */
  readonly isOneByOne?: boolean
  /** Which part of a text a hint may spell differently; left out: none. */
  readonly nearText?: 'value' | 'contains' | 'starts_with'
  /** Codes whose values a hint offers instead of a number or date that has the codes `low` to `high`. */
  readonly nearCodes?: (low: number, high: number) => readonly number[]
  readonly meaning: string
  /** How people read it between a column and a value; for a flag, what `true` and `false` say about the column. */
  readonly words: Readonly<Record<Language, string>>
  readonly falseWords?: Readonly<Record<Language, string>>
  readonly foreign: readonly string[]
}

const ORDERED = COLUMN_TYPES.filter((type) => type !== 'boolean')

function equalTo(column: SearchedColumn, values: readonly Value[]): CodeRanges {
  return joinRanges(values.map(column.equal))
}

const EQUAL = {
  on: COLUMN_TYPES,
  emptyText: true,
  isEquality: true,
  ofSeveral: 'in',
  codes: equalTo,
  shown: (operands, { among }) => among(operands.flat()),
  apart: () => false,
  nearText: 'value',
  nearCodes: (low, high) => [low - 1, high + 1],
} as const satisfies Partial<OperatorRow>

const UNEQUAL = {
  on: COLUMN_TYPES,
  emptyText: true,
  isEquality: true,
  ofSeveral: 'not_in',
  codes: (column, values) => gapsBetween(equalTo(column, values), 1, column.distinct),
  shown: (operands, { among }) => {
    const sets = operands.map(among)
    return (text) => sets.some((isIn) => !isIn(text))
  },
  apart: () => true,
  isOneByOne: true,
} as const satisfies Partial<OperatorRow>

function bound(side: 1 | -1, orEqual: boolean) {
  return {
    takes: 'value',
    on: ORDERED,
    emptyText: true,
    codes: ({ distinct, equal }, [value]) => {
      const [low, high] = equal(value!)
      return side === 1 ? [[orEqual ? low : high + 1, distinct]] : [[1, orEqual ? high : low - 1]]
    },
    shown: (operands, { beyond }) => beyond(operands.flat(), side, orEqual),
    apart: (number, sorted) => (side === 1 ? number > sorted[0]! : number < sorted.at(-1)!),
    nearCodes: (low, high) => [(orEqual === (side === 1) ? low : high) - side],
  } as const satisfies Partial<OperatorRow>
}

const SEARCH = {
  takes: 'value',
  on: ['string'],
  isOneByOne: true,
} as const satisfies Partial<OperatorRow>

const ROWS = {
  eq: {
    ...EQUAL,
    takes: 'value',
    meaning: 'equal (same as no operator); text without regard to case',
    words: { ro: 'este', en: 'is' },
    foreign: ['=', '=='],
  },
  ne: {
    ...UNEQUAL,
    takes: 'value',
    meaning: 'not equal; never matches null',
    words: { ro: 'nu este', en: 'is not' },
    foreign: ['!=', '<>', 'neq', 'not'],
  },
  gt: {
    ...bound(1, false),
    meaning: 'greater than; text in sort order',
    words: { ro: 'mai mare decât', en: 'greater than' },
    foreign: ['>'],
  },
  gte: {
    ...bound(1, true),
    meaning: 'greater or equal',
    words: { ro: 'cel puțin', en: 'at least' },
    foreign: ['>=', 'ge'],
  },
  lt: {
    ...bound(-1, false),
    meaning: 'less than',
    words: { ro: 'mai mic decât', en: 'less than' },
    foreign: ['<'],
  },
  lte: {
    ...bound(-1, true),
    meaning: 'less or equal',
    words: { ro: 'cel mult', en: 'at most' },
    foreign: ['<=', 'le'],
  },
  in: {
    ...EQUAL,
    takes: 'list',
    meaning: 'any of a comma-separated list; a value with a comma in double quotes',
    words: { ro: 'una dintre', en: 'one of' },
    foreign: [],
  },
  not_in: {
    ...UNEQUAL,
    takes: 'list',
    meaning: 'none of a comma-separated list; never matches null',
    words: { ro: 'niciuna dintre', en: 'none of' },
    foreign: ['nin', 'notin'],
  },
  contains: {
    ...SEARCH,
    codes: null,
    shown: (operands, { withPart }) => withPart(operands.flat(), (text, part) => text.includes(part)),
    nearText: 'contains',
    meaning: 'case-insensitive substring',
    words: { ro: 'conține', en: 'contains' },
    foreign: ['like', 'ilike'],
  },
  starts_with: {
    ...SEARCH,
    codes: ({ startingWith }, [value]) => [startingWith(value!)],
    shown: (operands, { withPart }) => withPart(operands.flat(), (text, part) => text.startsWith(part)),
    nearText: 'starts_with',
    meaning: 'case-insensitive prefix',
    words: { ro: 'începe cu', en: 'starts with' },
    foreign: ['prefix', 'startswith'],
  },
  is_null: {
    takes: 'flag',
    on: COLUMN_TYPES,
    emptyText: true,
    codes: ({ distinct }, [isNull]) => (isNull === true ? [[0, 0]] : [[1, distinct]]),
    shown: (operands) => () => operands.some(([isNull]) => isNull === false),
    nullPasses: (operands) => operands.some(([isNull]) => isNull === true),
    meaning: '`true` finds rows without a value, `false` rows with one',
    words: { ro: 'lipsește', en: 'is missing' },
    falseWords: { ro: 'are valoare', en: 'has a value' },
    foreign: ['null', 'isnull'],
  },
} as const satisfies Readonly<Record<string, OperatorRow>>

export type Operator = keyof typeof ROWS

export const OPERATOR_TABLE: Readonly<Record<Operator, OperatorRow>> = ROWS

/** Names of all operators, in the specification's order. */
export const OPERATORS = Object.keys(ROWS) as readonly Operator[]

/** The operator of a name as written in a query (`county[gte]`), or undefined when there is none. */
export function findOperator(name: string): Operator | undefined {
  return Object.hasOwn(ROWS, name) ? (name as Operator) : undefined
}

/** Names of the operators that work on a column of this type, in the specification's order. */
export function operatorsFor(type: ColumnType): readonly Operator[] {
  return OPERATORS.filter((name) => OPERATOR_TABLE[name].on.includes(type))
}
