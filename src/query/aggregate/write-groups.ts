/** Groups as JSON and CSV. Values come as exact texts, and numbers are written as they come: a sum may have more digits than a double. */

import { csvCell } from '../../base/text/csv-cell.ts'
import type { ResultRow } from '../../engine/aggregate/query.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import type { QuerySchema } from '../query-schema.ts'

type Columns = QuerySchema['columns']

/** A value as JSON. @param text as the engine gives it; null is null */
export function jsonValue(type: ColumnType, text: string | null): string {
  if (text === null) return 'null'
  return type === 'integer' || type === 'decimal' || type === 'boolean' ? text : JSON.stringify(text)
}

/** Writes rows as JSON objects, with the results' names as members. */
export function jsonRows(results: Columns): (row: ResultRow) => string {
  const members = results.map(({ name }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
  return (row) => {
    let json = ''
    for (const [index, { type }] of results.entries()) json += members[index]! + jsonValue(type, row[index]!)
    return `${json}}`
  }
}

/** The header line of a CSV file (RFC 4180). */
export function csvHeader(results: Columns): string {
  return `${results.map(({ name }) => name).join()}\r\n`
}

/** A line of a CSV file: null as nothing, an empty text as `""`. */
export function csvLine(row: ResultRow): string {
  return `${row.map((text) => (text === '' ? '""' : csvCell(text ?? ''))).join()}\r\n`
}
