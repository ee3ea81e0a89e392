/** Turns filter parameters (`county=Cluj`, `year[gte]=2023`) into typed filters: specification 4.5, contract 3. */

import type { ErrorCode } from '../base/error-codes.ts'
import type { ColumnType, Value } from '../engine/columns/column.ts'
import { findOperator, OPERATOR_TABLE, OPERATORS, type Operator } from '../engine/operators.ts'
import { type ColumnFilter, type Filter, isColumnFilter } from '../engine/row-query.ts'
import type { Findings } from './findings.ts'
import type { QuerySchema } from './query-schema.ts'
import { unknownFilter, unknownOperator, unsuitableOperator } from './unknown-names.ts'
import { coerceToEqual, coerceValue, isRefusal, quote, type Refusal, splitList, toBoolean } from './values.ts'

/** Splits `county[gte]`; a name that does not end in a pair of brackets is a plain name. */
export function splitFilterName(name: string): { column: string; operator: string | undefined } {
  const open = name.indexOf('[')
  if (open === -1 || !name.endsWith(']')) return { column: name, operator: undefined }
  return { column: name.slice(0, open), operator: name.slice(open + 1, -1) }
}

/** The column that a parameter names as a filter: `county` of `county[gte]`. */
export function columnOfFilter(name: string): string {
  return splitFilterName(name).column
}

/** How a text becomes a value: for operators that test equality, and for the others. */
export type Reading = { readonly [purpose in 'toEqual' | 'toCompare']: typeof coerceValue }

/** Collects the filters of a query: filters on one column with the same operator are alternatives. */
export function filterGroups(
  schema: QuerySchema,
  findings: Findings,
  reading: Reading = { toEqual: coerceToEqual, toCompare: coerceValue },
) {
  const groups = new Map<number, { column: number; operator: Operator; operands: (readonly Value[])[] }>()
  return {
    /** Adds a parameter; `others`: names other than columns that a misspelt one may have meant. */
    add(name: string, text: string, others: readonly string[]) {
      const refuse = (code: ErrorCode, refusal: Refusal | (() => Refusal)) =>
        findings.add(code, `query.${name}`, refusal)
      const written = splitFilterName(name)
      const column = schema.positions.get(written.column)
      if (column === undefined)
        return refuse('unknown_column', () => unknownFilter(name, written.column, schema, others))
      const { type } = schema.columns[column]!
      const operator = findOperator(written.operator ?? 'eq')
      if (operator === undefined)
        return refuse('unknown_operator', unknownOperator(name, written.operator ?? '', type))
      if (!OPERATOR_TABLE[operator].on.includes(type))
        return refuse('unknown_operator', unsuitableOperator(operator, written.column, type))
      const values = readValues(operator, type, text, reading)
      if (isRefusal(values)) {
        const message = `${values.message} (column ${written.column}, ${type})`
        return refuse('invalid_value', { ...values, message })
      }
      const key = column * OPERATORS.length + OPERATORS.indexOf(operator)
      const group = groups.get(key)
      if (group) group.operands.push(values)
      else groups.set(key, { column, operator, operands: [values] })
    },
    get filters(): ColumnFilter[] {
      return [...groups.values()]
    },
  }
}

function readValues(
  operator: Operator,
  type: ColumnType,
  text: string,
  { toEqual, toCompare }: Reading,
): readonly Value[] | Refusal {
  const { takes, emptyText, isEquality } = OPERATOR_TABLE[operator]
  const read = isEquality ? toEqual : toCompare
  switch (takes) {
    case 'flag':
      return all([toBoolean(text)])
    case 'list': {
      const items = splitList(text)
      return isRefusal(items) ? items : all(items.map((item) => read(type, item)))
    }
    case 'value':
      if (text !== '' || emptyText) return all([read(type, text)])
      return { message: `operator ${quote(operator)} needs a text that is not empty` }
    default: {
      const never: never = takes
      return never
    }
  }
}

function all(values: readonly (Value | Refusal)[]): readonly Value[] | Refusal {
  return values.find(isRefusal) ?? (values as readonly Value[])
}

/**
 * The same text for all spellings of the same filters: independent of the order of parameters, of an explicit `[eq]`, and
 * of how a value was written. Cursors are bound to it.
 */
export function canonicalFilters(filters: readonly Filter[]): string {
  const written = filters.map((filter) => {
    if (!isColumnFilter(filter)) return JSON.stringify([...new Set(filter.words)].sort())
    const { column, operator, operands } = filter
    // `sort` compares as texts.
    const alternatives = operands.map((operand) => JSON.stringify([...operand].sort()))
    return JSON.stringify([column, operator, [...new Set(alternatives)].sort()])
  })
  return written.sort().join()
}
