/** How people see columns and values. Of wide tables and long cells, pages show a part; files and the API have all. */

import { shorten } from '../../base/text/fit-text.ts'
import type { Language } from '../../base/text/language.ts'
import type { Value } from '../../engine/columns/column.ts'
import { type NamedColumn, roleOf } from '../../query/aggregate/column-roles.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { formatDigits } from '../texts/texts.ts'
import type { ExplorerColumn } from './question.ts'

export function toExplorerColumn(
  column: NamedColumn & Pick<DescriptorColumn, 'description'>,
): ExplorerColumn {
  const { name, title, unit, type, description } = column
  // Other values may be long texts.
  const { min, max } = isNumber(column) ? column : { min: null, max: null }
  return { name, title, unit, type, description, min, max, isNaming: isNaming(column) }
}

/** A column of the explorer or the catalog; undefined for texts and parts of dates. */
export type ShownColumn = Pick<ExplorerColumn, 'type' | 'isNaming'> | NamedColumn | undefined

export function isNumber(column: ShownColumn): column is NonNullable<ShownColumn> {
  return column?.type === 'integer' || column?.type === 'decimal'
}

/** Whether the numbers of a column are codes or years. Where nothing else is known, those of four digits may be. */
function isNaming(column: NonNullable<ShownColumn>): boolean {
  if ('isNaming' in column) return column.isNaming
  const { type, min, max } = column
  const role = type === 'integer' ? roleOf(column) : 'other'
  const mayBe = role === 'plain' && Number(min) >= 1000 && Number(max) <= 9999
  return role === 'code' || role === 'year' || mayBe
}

/** A value for people: a number in the form of the language, `1.234.567,5`, but a code or year unchanged. */
export function showValue(language: Language, column: ShownColumn, value: Value): string {
  const text = String(value)
  if (column?.type === 'boolean') return EXPLORER_TEXTS[language][text === 'true' ? 'yes' : 'no']
  return isNumber(column) && !isNaming(column) ? formatDigits(language, text) : text
}

/** A text from an address as it is read: of a column of numbers, `1.000` is `1`; any other text unchanged. */
export function asRead(column: ShownColumn, text: string): string {
  const number = isNumber(column) && text !== '' ? Number(text) : Number.NaN
  return Number.isNaN(number) ? text : String(number)
}

/** The value of a group, for people. */
export function groupLabel(language: Language, column: ShownColumn, value: string | null): string {
  const texts = EXPLORER_TEXTS[language]
  if (value === null) return texts.missing
  return value === '' ? texts.quoted('') : shorten(showValue(language, column, value), LONGEST_LABEL)
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
const LONGEST_LABEL = 120

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
