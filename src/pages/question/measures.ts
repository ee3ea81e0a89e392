/** Groups and measures in words, and as the entries of an address. */

import type { Language } from '../../base/text/language.ts'
import type { DatePart, GroupKey, Measure } from '../../engine/aggregate/group-query.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { SUMMARY_TEXTS } from '../texts/site.ts'
import { formatDigits } from '../texts/texts.ts'
import { columnTitle, groupLabel, type ShownColumn } from './shown-column.ts'

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

/** A measured value, for people; means and medians are rounded, everything else has all its digits. */
export function measureText(
  language: Language,
  { kind, column }: Measure,
  columns: readonly ShownColumn[],
  value: string | null | undefined,
): string {
  if (value === null || value === undefined) return '–'
  if (column !== null && (kind === 'min' || kind === 'max'))
    return groupLabel(language, columns[column]!, value)
  const number = Number(value)
  if ((kind !== 'avg' && kind !== 'median') || Math.abs(number) >= 1e15) return formatDigits(language, value)
  // Two decimals, or three digits of a small number.
  const isSmall = Math.abs(number) < 1 && number !== 0
  return formatDigits(language, isSmall ? String(Number(number.toPrecision(3))) : number.toFixed(2))
}
