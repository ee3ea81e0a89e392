/** Filters as parameters of a URL. */

import type { Value } from '../../src/engine/columns/column.ts'
import { type ColumnFilter, type Filter, isColumnFilter } from '../../src/engine/row-query.ts'

/** A value as files and filters write it: numbers without exponent. */
export function written(value: Value): string {
  const text = String(value)
  if (typeof value !== 'number' || !text.includes('e')) return text
  const [mantissa = '', exponent = ''] = text.replace(/^-/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  const plain = point <= 0 ? `0.${'0'.repeat(-point)}${digits}` : digits.padEnd(point, '0')
  return (value < 0 ? '-' : '') + plain
}

/** The parameter of one operand of a filter on a column or result of this name. */
export function operandParameter(
  name: string,
  operator: ColumnFilter['operator'],
  operand: readonly Value[],
): [string, string] {
  if (operator !== 'in' && operator !== 'not_in') return [`${name}[${operator}]`, written(operand[0]!)]
  const items = operand.map((value) => `"${written(value).replaceAll('"', '""')}"`)
  return [`${name}[${operator}]`, items.join()]
}

/** The parameters of filters on these columns. */
export function filterParameters(
  columns: readonly { readonly name: string }[],
  filters: readonly Filter[],
): [string, string][] {
  return filters.flatMap((filter): [string, string][] => {
    if (!isColumnFilter(filter)) return [['q', filter.words.join(' ') || '-']]
    const { name } = columns[filter.column]!
    return filter.operands.map((operand) => operandParameter(name, filter.operator, operand))
  })
}
