/** Random queries for groups over random tables. */

import fc from 'fast-check'
import {
  type AggregateQuery,
  DATE_PARTS,
  type GroupKey,
  MEASURES,
  type Measure,
  type MeasureKind,
  type ResultFilter,
  resultTypes,
} from '../../src/engine/aggregate/group-query.ts'
import type { ColumnType, Value } from '../../src/engine/columns/column.ts'
import { filtersFor, operatorsOf, type PlainTable, type TableOptions, valuesOf } from './random-table.ts'

const MOST_GROUPED = 4

function keyFor(table: PlainTable): fc.Arbitrary<GroupKey> {
  return fc.nat(table.columns.length - 1).chain((column) => {
    const isDate = table.columns[column]!.type.startsWith('date')
    return (isDate ? fc.constantFrom(null, ...DATE_PARTS) : fc.constant(null)).map((part) => ({
      column,
      part,
    }))
  })
}

/** The measures that a column type takes (contract 7). */
function kindsOf(type: ColumnType): readonly MeasureKind[] {
  if (type === 'integer' || type === 'decimal') return MEASURES
  return type === 'boolean' ? ['count', 'count_distinct'] : ['count', 'count_distinct', 'min', 'max']
}

function measureFor(table: PlainTable): fc.Arbitrary<Measure> {
  const ofColumn = fc
    .nat(table.columns.length - 1)
    .chain((column) =>
      fc.constantFrom(...kindsOf(table.columns[column]!.type)).map((kind) => ({ kind, column })),
    )
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant({ kind: 'count' as const, column: null }) },
    { weight: 5, arbitrary: ofColumn },
  )
}

/** A number that results often have, or a value of the type. */
function operandFor(type: ColumnType, seen: readonly Value[]): fc.Arbitrary<Value> {
  const values = type === 'integer' ? fc.oneof(fc.nat(5), valuesOf(type)) : valuesOf(type)
  return seen.length === 0
    ? values
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...seen) }, { weight: 1, arbitrary: values })
}

function resultFilterFor(
  types: readonly ColumnType[],
  seen: readonly (readonly Value[])[],
): fc.Arbitrary<ResultFilter> {
  return fc.nat(types.length - 1).chain((result) =>
    fc.constantFrom(...operatorsOf(types[result]!)).chain((operator) => {
      const operand = operator === 'is_null' ? fc.boolean() : operandFor(types[result]!, seen[result]!)
      const isList = operator === 'in' || operator === 'not_in'
      const isSearch = operator === 'contains' || operator === 'starts_with'
      return fc
        .array(fc.array(operand, { minLength: 1, maxLength: isList ? 4 : 1 }), { minLength: 1, maxLength: 2 })
        .filter((operands) => !isSearch || operands.every(([text]) => text !== ''))
        .map((operands) => ({ result, operator, operands }))
    }),
  )
}

/** Any query for groups of a table, often with a page past the end. */
export function aggregateQueriesFor(
  table: PlainTable,
  options: TableOptions = {},
): fc.Arbitrary<AggregateQuery> {
  const asked = fc.record({
    filters: fc.oneof(fc.constant([]), filtersFor(table, options)),
    groups: fc.uniqueArray(keyFor(table), {
      maxLength: MOST_GROUPED,
      selector: ({ column, part }) => `${column} ${part}`,
    }),
    measures: fc.array(measureFor(table), { minLength: 1, maxLength: 4 }),
  })
  return asked.chain(({ filters, groups, measures }) => {
    const types = resultTypes(table.columns, { groups, measures })
    const seen = [...groups, ...measures].map(({ column }, result) =>
      column === null || types[result] !== table.columns[column]!.type
        ? []
        : table.rows.map((row) => row[column]!).filter((value) => value !== null),
    )
    const having = fc.array(resultFilterFor(types, seen), { maxLength: 2 })
    const sort = fc.uniqueArray(fc.record({ result: fc.nat(types.length - 1), descending: fc.boolean() }), {
      maxLength: 3,
      selector: ({ result }) => result,
    })
    return fc.record({
      filters: fc.constant(filters),
      groups: fc.constant(groups),
      measures: fc.constant(measures),
      having: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: having }),
      sort,
      limit: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(1000)),
      offset: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(40) }),
      count: fc.boolean(),
    })
  })
}
