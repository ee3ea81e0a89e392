import { fold } from '../../base/text/fold.ts'
import type { Facet } from '../../engine/facets.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import type { Question } from '../question/question.ts'

/** A column's most frequent values in the rows that match the other filters, as `/facets` answers. */
export interface ShownFacet extends Pick<Facet, 'nulls' | 'other' | 'values'> {
  readonly column: string
  /** The dataset's first measure over the same rows, in words; undefined where that is only their number. */
  readonly measured?:
    | { readonly label: string; readonly values: readonly string[]; readonly nulls: string }
    | undefined
}

const MOST_FACETS = 8
/** All values are listed of a column with at most this many, such as the months of a year; of others the most frequent. */
export const MOST_WHOLE = 12
const FREQUENT_VALUES = 8
/** The most characters of a value in the filter of an address. */
export const LONGEST_FILTER = 200
/** Columns with more distinct texts, or numbers, have no list: their values are searched for. */
const MOST_TEXTS = 1000
const MOST_NUMBERS = 60

export function facetColumns(
  columns: readonly Pick<DescriptorColumn, 'type' | 'distinct_count'>[],
  rows: number,
): number[] {
  return [...columns.entries()]
    .filter(([, { type, distinct_count: distinct }]) => {
      const most =
        type === 'string' ? MOST_TEXTS : type === 'integer' || type === 'boolean' ? MOST_NUMBERS : 0
      return distinct > 1 && distinct <= Math.min(most, rows / 2)
    })
    .slice(0, MOST_FACETS)
    .map(([position]) => position)
}

/** A facet with the values that are listed. */
export function listValues(facet: Facet): Facet {
  if (facet.distinct <= MOST_WHOLE) return facet
  const left = facet.values.slice(FREQUENT_VALUES)
  const other = left.reduce((rows, { count }) => rows + count, facet.other)
  return { ...facet, other, values: facet.values.slice(0, FREQUENT_VALUES) }
}

export function isChosen({ filters }: Question, column: string, value: string | null): boolean {
  return filters.some((filter) => filter.column === column && isFilterOn(filter, value))
}

function isFilterOn({ operator, value: text }: Question['filters'][number], value: string | null): boolean {
  if (value === null) return operator === 'is_null' && text === 'true'
  return operator === 'eq' && fold(text) === fold(value)
}

/**
 * The question with a value added, or removed if it was chosen. Values of one column are alternatives. No row both has a
 * value and lacks one, so choosing values and choosing null replace each other.
 */
export function turnValue(question: Question, column: string, value: string | null): Question {
  const others = question.filters.filter((filter) => filter.column !== column || !isFilterOn(filter, value))
  if (others.length < question.filters.length) return { ...question, filters: others, offset: 0 }
  const against = value === null ? 'eq' : 'is_null'
  const kept = others.filter((filter) => filter.column !== column || filter.operator !== against)
  const filter =
    value === null ? { column, operator: 'is_null', value: 'true' } : { column, operator: 'eq', value }
  return { ...question, filters: [...kept, filter], offset: 0 }
}

export function chosenBeyond({ filters }: Question, { column, values }: ShownFacet): string[] {
  return filters
    .filter((filter) => filter.column === column && filter.operator === 'eq')
    .map(({ value }) => value)
    .filter((value) => !values.some((listed) => fold(listed.value) === fold(value)))
}
