/** What a column's values are for, judged by its name, title, unit, type and bounds. */

import { wordsOf } from '../../base/text/words.ts'
import type { DatePart } from '../../engine/aggregate/group-query.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { COLUMN_WORDS, type Meaning } from './texts/column-words.ts'

export type NamedColumn = Pick<DescriptorColumn, 'name' | 'title' | 'unit' | 'type' | 'min' | 'max'>

/**
 * `amount`: counts or measures, whose sums mean something; `rate`: means do, sums do not; `code`: numbers that name a
 * thing, a moment or a place; `year`; `plain`: numbers about which nothing is known; `other`: not numbers.
 */
export type Role = 'amount' | 'rate' | 'code' | 'year' | 'plain' | 'other'

const RATE_UNIT = /[%‰/°]|\bpe\b|\bper\b/

export function roleOf(column: NamedColumn): Role {
  const { type, unit, min, max } = column
  if (type !== 'integer' && type !== 'decimal') return 'other'
  const words = columnWords(column)
  const has = (meaning: Meaning) => words.some((word) => COLUMN_WORDS[meaning].has(word))
  const isBetween = (low: number, high: number) => Number(min) >= low && Number(max) <= high
  if (has('place') && isBetween(-180, 180)) return 'code'
  if (has('rate') || (unit !== null && RATE_UNIT.test(unit))) return 'rate'
  if (has('code')) return 'code'
  if (unit !== null || has('amount') || has('main')) return 'amount'
  if (has('document')) return 'code'
  if (has('number')) return words.some((word) => !isOrdinal(word)) || !isShort(words) ? 'amount' : 'code'
  if (has('year') && type === 'integer' && isBetween(1800, 2100)) return 'year'
  return has('order') || has('year') ? 'code' : 'plain'
}

/** Whether a word says nothing about what a number counts. */
function isOrdinal(word: string): boolean {
  return (['number', 'order', 'year'] as const).some((meaning) => COLUMN_WORDS[meaning].has(word))
}

/** `Nr.` alone numbers the rows of a list; `Număr` counts something. */
function isShort(words: readonly string[]): boolean {
  return words.every((word) => word.length < 'numar'.length)
}

/** The words of its name and title. */
export function columnWords({ name, title }: Pick<NamedColumn, 'name' | 'title'>): string[] {
  return wordsOf(`${name} ${title ?? ''}`)
}

/** The length of the periods that a column's values name: days for dates and moments; undefined if they are not periods. */
export function periodOf(column: NamedColumn): DatePart | undefined {
  const { type, min, max } = column
  if (type === 'date' || type === 'datetime') return 'day'
  if (roleOf(column) === 'year') return 'year'
  if (type !== 'string') return undefined
  // As `group_by` writes months and quarters.
  const areAll = (form: RegExp) => form.test(String(min)) && form.test(String(max))
  if (areAll(/^\d{4}-(0\d|1[0-2])$/)) return 'month'
  return areAll(/^\d{4}-Q[1-4]$/) ? 'quarter' : undefined
}
