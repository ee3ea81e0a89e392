/** How a column and its values are shown to people, and what a page shows of wide tables and long cells: files and the API have all. */

import { shorten } from '../../base/text/fit-text.ts'
import type { Language } from '../../base/text/language.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { formatValue } from '../texts/texts.ts'
import type { ExplorerColumn } from './question.ts'

/** Words of names and titles of numbers that name a thing, a moment or a place in an order: they aren't amounts. */
const NAMING = new Set(
  (
    'id cod code nr no numar number siruta cui cif cnp cn8 cn caen cor nuts postal zip telefon phone fax iban ' +
    'an anul year luna month zi ziua day ora hour trimestru quarter niv nivel level rang rank sortare fsj regiune jud tip'
  ).split(' '),
)

/** Whether the numbers of a column are names, such as codes and years, which are written without separators. */
function isNaming({ name, title, unit, type }: NamedColumn): boolean {
  if (type !== 'integer' || unit !== null) return false
  const words = `${name} ${title ?? ''}`
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return words.some((word) => NAMING.has(word))
}

type NamedColumn = Pick<DescriptorColumn, 'name' | 'title' | 'unit' | 'type'>

export function toExplorerColumn(
  column: NamedColumn & Pick<DescriptorColumn, 'description'>,
): ExplorerColumn {
  const { name, title, unit, type, description } = column
  return { name, title, unit, type, description, isNaming: isNaming(column) }
}

/** A number as the language writes it: `1.234.567,5`; a code as it stands. */
export function showNumber(language: Language, { isNaming }: ExplorerColumn, value: number): string {
  return isNaming ? String(value) : formatValue(language, value)
}

export type Row = Readonly<Record<string, string | number | boolean | null>>

/** Columns that a page offers and describes. */
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
