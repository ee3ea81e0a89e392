/** Groups and measures in words, and as the entries of an address. */

import { shorten } from '../../base/text/fit-text.ts'
import type { Language } from '../../base/text/language.ts'
import type { DatePart, GroupKey, Measure } from '../../engine/aggregate/group-query.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { SUMMARY_TEXTS } from '../texts/site.ts'
import { formatDigits } from '../texts/texts.ts'
import { columnTitle } from './shown-column.ts'

type Columns = readonly Pick<DescriptorColumn, 'name'>[]

/** A group as an entry of `group_by`. */
export function entryOf(
  key: { column: number; part: DatePart | null } | null,
  columns: Columns,
): string | null {
  if (key === null) return null
  const { name } = columns[key.column]!
  return key.part === null ? name : `${key.part}(${name})`
}

/** A measure as an entry of `measures`. */
export function measureEntryOf({ kind, column }: Measure, columns: Columns): string {
  return column === null ? kind : `${kind}(${columns[column]!.name})`
}

type Column = Pick<DescriptorColumn, 'name' | 'title' | 'unit' | 'type'>

/** What rows are grouped by: `Luna, pe ani`. */
export function keyLabel(language: Language, { column, part }: GroupKey, columns: readonly Column[]): string {
  const name = columnTitle(columns, columns[column]!.name)
  return part === null ? name : SUMMARY_TEXTS[language].byPart(name, SUMMARY_TEXTS[language][part])
}

/** A measure in words: `Suma: Valoare (lei)`. */
export function measureLabel(
  language: Language,
  { kind, column }: Measure,
  columns: readonly Column[],
): string {
  const texts = SUMMARY_TEXTS[language]
  if (column === null) return texts.rowCount
  const measured = columns[column]!
  const label = texts[kind](columnTitle(columns, measured.name))
  const hasUnit = measured.unit !== null && kind !== 'count' && kind !== 'count_distinct'
  return hasUnit ? texts.withUnit(label, measured.unit) : label
}

/** The value of a group, for people. */
export function groupLabel(language: Language, type: ColumnType, value: string | null): string {
  const texts = EXPLORER_TEXTS[language]
  if (value === null) return texts.missing
  if (value === '') return texts.quoted('')
  if (type === 'boolean') return texts[value === 'true' ? 'yes' : 'no']
  if (type === 'decimal') return formatDigits(language, value)
  return shorten(value, 120)
}

/** A measured value, for people; means and medians are rounded, everything else has all its digits. */
export function measureText(
  language: Language,
  { kind }: Measure,
  type: ColumnType,
  value: string | null | undefined,
): string {
  if (value === null || value === undefined) return '–'
  if (type !== 'integer' && type !== 'decimal') return groupLabel(language, type, value)
  const number = Number(value)
  if ((kind !== 'avg' && kind !== 'median') || Math.abs(number) >= 1e15) return formatDigits(language, value)
  // Two decimals, or three digits of a small number, without an exponent.
  if (Math.abs(number) >= 1 || number === 0) return formatDigits(language, number.toFixed(2))
  const small = Number(number.toPrecision(3))
  const plain = Math.abs(small) < 1e-6 ? small.toFixed(20).replace(/0+$/, '') : String(small)
  return formatDigits(language, plain)
}
