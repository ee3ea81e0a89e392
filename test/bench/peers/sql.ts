/** The bench's filters and sorts in SQL, for the peers that speak it. */

import type { Condition } from '../queries.ts'

/** How many rows the conditions match. Peers distinguish case, so values are written as in the table. */
export function countSql(conditions: readonly Condition[]): string {
  const where = conditions.map(conditionSql).join(' AND ')
  return `SELECT count(*) FROM trade WHERE ${where}`
}

/** A page of a sort. */
export function sortSql(fields: readonly string[], offset = 0): string {
  const order = fields.map((field) =>
    field.startsWith('-') ? `${field.slice(1)} DESC NULLS LAST` : `${field} ASC NULLS LAST`,
  )
  return `SELECT * FROM trade ORDER BY ${order.join(', ')} LIMIT 50 OFFSET ${offset}`
}

const SYMBOLS: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
}

export function conditionSql([column, operator, ...values]: Condition): string {
  const first = values[0]
  const list = () => values.map((value) => literal(value)).join(', ')
  switch (operator) {
    case 'in':
      return `${column} IN (${list()})`
    case 'not_in':
      return `${column} NOT IN (${list()})`
    case 'contains':
      return `${column} LIKE '%${String(first)}%'`
    case 'starts_with':
      return `${column} LIKE '${capitalised(String(first))}%'`
    case 'is_null':
      return `${column} IS ${first === true ? '' : 'NOT '}NULL`
    default:
      return `${column} ${SYMBOLS[operator]} ${literal(first)}`
  }
}

/** Codes of two letters are capitals in the table. */
function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.length === 2 ? value.toUpperCase() : value}'` : String(value)
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
