/** Names of columns, groups and measures in a summary, and its values as a language writes them. */

import { shorten } from '../../base/text/fit-text.ts'
import type { Language } from '../../base/text/language.ts'
import type { GroupKey, Measure } from '../../engine/aggregate/query.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { SUMMARY_TEXTS } from '../texts/site.ts'
import { formatDigits } from '../texts/texts.ts'

type Column = Pick<DescriptorColumn, 'name' | 'title' | 'unit' | 'type'>

/** Characters of a group's value that are shown. */
const LONGEST_LABEL = 120

/** A column as people call it. */
function columnLabel({ name, title }: Column): string {
  return title ?? name
}

/** `Luna, pe ani`: what groups are made of. */
export function keyLabel(language: Language, { column, part }: GroupKey, columns: readonly Column[]): string {
  const name = columnLabel(columns[column]!)
  return part === null ? name : SUMMARY_TEXTS[language].byPart(name, SUMMARY_TEXTS[language][part])
}

/** `Suma: Valoare (lei)`. */
export function measureLabel(
  language: Language,
  { kind, column }: Measure,
  columns: readonly Column[],
): string {
  const texts = SUMMARY_TEXTS[language]
  if (column === null) return texts.rowCount
  const measured = columns[column]!
  const label = texts[kind](columnLabel(measured))
  const hasUnit = measured.unit !== null && kind !== 'count' && kind !== 'count_distinct'
  return hasUnit ? texts.withUnit(label, measured.unit) : label
}

/** The value of a group. */
export function groupLabel(language: Language, type: ColumnType, value: string | null): string {
  const texts = EXPLORER_TEXTS[language]
  if (value === null) return texts.missing
  if (value === '') return texts.quoted('')
  if (type === 'boolean') return texts[value === 'true' ? 'yes' : 'no']
  if (type === 'decimal') return formatDigits(language, value)
  return shorten(value, LONGEST_LABEL)
}

/** A measured value; means and medians are rounded, everything else has all its digits. */
export function measureText(
  language: Language,
  { kind }: Measure,
  type: ColumnType,
  value: string | null | undefined,
): string {
  if (value === null || value === undefined) return '–'
  if (type !== 'integer' && type !== 'decimal') return groupLabel(language, type, value)
  return formatDigits(language, kind === 'avg' || kind === 'median' ? roundMean(value) : value)
}

/** Two decimals, or three digits of a small number. */
function roundMean(value: string): string {
  const number = Number(value)
  if (Math.abs(number) >= 1e15) return value
  return Math.abs(number) >= 1 || number === 0 ? number.toFixed(2) : plain(Number(number.toPrecision(3)))
}

/** Without an exponent. */
function plain(number: number): string {
  return Math.abs(number) < 1e-6 ? number.toFixed(20).replace(/0+$/, '') : String(number)
}
