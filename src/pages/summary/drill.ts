/** From a group to its rows. */

import type { DatePart, GroupKey } from '../../engine/aggregate/query.ts'
import type { Question, QuestionFilter } from '../explorer/question.ts'

/** Characters beyond which a value makes no filter of an address. */
const LONGEST = 200

/**
 * The question that finds the rows of a group; undefined where a filter cannot say which. It replaces filters of the same
 * column and operator: together they would find the rows of either.
 * @param column its name
 */
export function rowsOfGroup(
  question: Question,
  column: string,
  { part }: Pick<GroupKey, 'part'>,
  value: string | null,
): Question | undefined {
  if (value !== null && (value === '' || value.length > LONGEST)) return undefined
  const narrower = filtersOf(column, part, value)
  const kept = question.filters.filter(
    (one) => !narrower.some((other) => one.column === other.column && one.operator === other.operator),
  )
  return { ...question, filters: [...kept, ...narrower], sort: [], fields: [], offset: 0 }
}

function filtersOf(column: string, part: DatePart | null, value: string | null): QuestionFilter[] {
  if (value === null) return [{ column, operator: 'is_null', value: 'true' }]
  if (part === null || part === 'day') return [{ column, operator: 'eq', value }]
  const [first, last] = daysOf(part, value)
  return [
    { column, operator: 'gte', value: first },
    { column, operator: 'lte', value: last },
  ]
}

/** The first and the last day of a year, a quarter or a month. */
function daysOf(part: Exclude<DatePart, 'day'>, value: string): [string, string] {
  const [year = '', rest = ''] = value.split('-')
  const first = part === 'year' ? 1 : part === 'month' ? Number(rest) : Number(rest.slice(1)) * 3 - 2
  const last = part === 'year' ? 12 : part === 'month' ? first : first + 2
  const y = year.padStart(4, '0')
  // The day before the next month; 2000 has a leap day as every year that is divisible by 400.
  const days = new Date(Date.UTC(2000 + (Number(year) % 400), last, 0)).getUTCDate()
  const two = (number: number) => String(number).padStart(2, '0')
  return [`${y}-${two(first)}-01`, `${y}-${two(last)}-${two(days)}`]
}
