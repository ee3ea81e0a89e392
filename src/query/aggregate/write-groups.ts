/** Groups as JSON and CSV. Numbers are written as the exact texts that arrive: a sum may have more digits than a double. */

import { csvCell } from '../../base/text/quoting.ts'
import type { ResultRow } from '../../engine/aggregate/group-query.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import type { CsvForm } from '../../engine/row-query.ts'
import type { QuerySchema } from '../query-schema.ts'

type Columns = QuerySchema['columns']

/** A value as JSON. @param text from the engine; null is null */
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

/** Writes the lines of a CSV file (RFC 4180, except for the delimiter): null as nothing, an empty text as `""`. */
export function csvWriter(
  results: Columns,
  { delimiter, safe }: CsvForm,
): { readonly header: string; readonly line: (row: ResultRow) => string } {
  const cell = (text: string | null, result: number) => {
    if (text === null) return ''
    if (text === '') return '""'
    const isFormula = safe && results[result]!.type === 'string' && FORMULA.test(text)
    return csvCell(isFormula ? `'${text}` : text, delimiter)
  }
  return {
    header: `${results.map(({ name }) => name).join(delimiter)}\r\n`,
    line: (row) => `${row.map(cell).join(delimiter)}\r\n`,
  }
}

const FORMULA = /^[=+\-@]/
