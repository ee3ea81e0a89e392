/** How people see columns and values. Of wide tables and long cells, pages show a part; files and the API have all. */

import { shorten } from '../../base/text/fit-text.ts'
import type { Language } from '../../base/text/language.ts'
import { type NamedColumn, roleOf } from '../../query/aggregate/column-roles.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { formatValue } from '../texts/texts.ts'
import type { ExplorerColumn } from './question.ts'

export function toExplorerColumn(
  column: NamedColumn & Pick<DescriptorColumn, 'description'>,
): ExplorerColumn {
  const { name, title, unit, type, description } = column
  // Codes and years are shown without thousands separators.
  const isNaming = type === 'integer' && ['code', 'year'].includes(roleOf(column))
  return { name, title, unit, type, description, isNaming }
}

/** A number in the form of the language, `1.234.567,5`; a code unchanged. */
export function showNumber(language: Language, { isNaming }: ExplorerColumn, value: number): string {
  return isNaming ? String(value) : formatValue(language, value)
}

export type Row = Readonly<Record<string, string | number | boolean | null>>

/**
 * A column's title for people, with the name beside it where another column has the same title; the name alone for a column
 * without a title, or one that is not in `columns`.
 */
export function columnTitle(
  columns: readonly Pick<DescriptorColumn, 'name' | 'title'>[],
  name: string,
): string {
  const title = columns.find((column) => column.name === name)?.title
  if (title == null) return name
  const isShared = columns.some((column) => column.title === title && column.name !== name)
  return isShared ? `${title} (${name})` : title
}

/** The most columns that a page offers and describes. */
export const MOST_COLUMNS = 100
const LONGEST_CELL = 500

export function shortenRows(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'string' ? shorten(value, LONGEST_CELL) : value,
      ]),
    ),
  )
}
