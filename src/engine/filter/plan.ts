/** Compiles typed filters to conditions on codes. */

import { fold } from '../../base/text/fold.ts'
import { type CodeRanges, intersectRanges, joinRanges } from '../columns/code-ranges.ts'
import type { Needs, OpenDataset } from '../memory/open-dataset.ts'
import { OPERATOR_TABLE, type SearchedColumn } from '../operators.ts'
import {
  type ColumnFilter,
  type Filter,
  isColumnFilter,
  type SortField,
  type WordFilter,
} from '../row-query.ts'
import { findEqual, findPrefix } from './entry-search.ts'

/** The rows a query matches are those that meet every condition. */
export type Condition = ColumnCondition | WordCondition

interface Named {
  readonly key: string
}

/**
 * What filters require of a column: a code in one of the ranges, or a folded text that contains one of the texts.
 */
export interface ColumnCondition extends Named {
  readonly column: number
  readonly test:
    | { readonly kind: 'ranges'; readonly ranges: CodeRanges }
    | { readonly kind: 'contains'; readonly texts: readonly string[] }
}

/** Requires that the folded word begins a word in any text column of the row, or in the column `within`. */
export interface WordCondition extends Named {
  readonly word: string
  readonly within: number | undefined
}

/** Whether a condition looks for a word. */
export function isWordCondition(condition: Condition): condition is WordCondition {
  return 'word' in condition
}

/** Conditions in the order of their keys; none: every row matches. `nothing`: no row can match. */
export interface FilterPlan {
  readonly nothing: boolean
  readonly conditions: readonly Condition[]
  /** Names the rows that match: the same for filters that are written differently and mean the same. */
  readonly key: string
}

const NOTHING: FilterPlan = { nothing: true, conditions: [], key: 'nothing' }

/** Plans by dataset, then by list of filters; forgotten with either. */
const plansOf = new WeakMap<OpenDataset, WeakMap<readonly Filter[], FilterPlan>>()

/**
 * Compiles filters to conditions on codes. The plan of a list of filters is kept as long as the list exists, which saves
 * searching the dictionaries again.
 * @throws DamagedFileError when a dictionary does not load
 */
export function planFilters(dataset: OpenDataset, filters: readonly Filter[]): FilterPlan {
  const plans = plansOf.getOrInsertComputed(dataset, () => new WeakMap())
  return plans.getOrInsertComputed(filters, () => makePlan(dataset, filters))
}

function makePlan(dataset: OpenDataset, filters: readonly Filter[]): FilterPlan {
  const searches = filters.filter((filter): filter is WordFilter => !isColumnFilter(filter))
  if (searches.some(({ words }) => words.length === 0)) return NOTHING
  const conditions: Condition[] = []
  for (const [within, alike] of Map.groupBy(searches, (search) => search.within)) {
    // A word with which a longer one begins needs no condition: where the longer one is found, so is it.
    const words = [...new Set(alike.flatMap((search) => search.words))].sort()
    const longest = words.filter((word, at) => !words[at + 1]?.startsWith(word))
    conditions.push(
      ...longest.map((word) => ({ key: `q${within ?? ''}~${JSON.stringify(word)}`, word, within })),
    )
  }
  const columnFilters = filters.filter(isColumnFilter)
  for (const [column, group] of Map.groupBy(columnFilters, ({ column }) => column)) {
    const ranges = rangesOf(dataset, column, group)
    if (ranges.length === 0) return NOTHING
    conditions.push(...columnConditions(dataset, column, ranges, group))
  }
  conditions.sort((a, b) => (a.key < b.key ? -1 : 1))
  return { nothing: false, conditions, key: keyOf(conditions) }
}

function columnConditions(
  dataset: OpenDataset,
  column: number,
  ranges: CodeRanges,
  filters: readonly ColumnFilter[],
): Condition[] {
  const { distinct } = dataset.columns[column]!
  const isEverything =
    ranges.length === 1 && ranges[0]![1] - ranges[0]![0] === distinct - lowestCode(dataset, column)
  const searches = filters
    .filter(({ operator }) => OPERATOR_TABLE[operator].codes === null)
    .map(({ operands }): Condition => {
      const texts = [...new Set(operands.map(([value]) => fold(String(value))))].sort()
      return { key: `${column}~${JSON.stringify(texts)}`, column, test: { kind: 'contains', texts } }
    })
  if (isEverything) return searches
  return [{ key: `${column}:${ranges.join(';')}`, column, test: { kind: 'ranges', ranges } }, ...searches]
}

/** Names a combination by its parts, in the order of their keys. */
export function keyOf(parts: readonly { readonly key: string }[]): string {
  return parts.map((part) => part.key).join('&')
}

/** The lowest code that occurs: 0, null, only where there are nulls. */
export function lowestCode(dataset: OpenDataset, column: number): number {
  return dataset.columns[column]!.nullCount === 0 ? 1 : 0
}

/** The codes that pass every filter of a column, except filters that search texts. */
function rangesOf(dataset: OpenDataset, column: number, filters: readonly ColumnFilter[]): CodeRanges {
  const { distinct } = dataset.columns[column]!
  const searched: SearchedColumn = {
    distinct,
    equal: (value) => findEqual(dataset, column, value),
    startingWith: (value) => findPrefix(dataset, column, String(value)),
  }
  let ranges: CodeRanges = [[lowestCode(dataset, column), distinct]]
  for (const { operator, operands } of filters) {
    const { codes } = OPERATOR_TABLE[operator]
    if (codes === null) continue
    ranges = intersectRanges(ranges, joinRanges(operands.flatMap((values) => codes(searched, values))))
  }
  return ranges
}

/** What is read of columns to find the rows that filters match, and to order them by an effective sort. */
export function rowNeeds(
  dataset: OpenDataset,
  filters: readonly Filter[],
  sort: readonly SortField[] = [],
): Needs {
  const needs: Needs[number][] = filters.map((filter) => {
    if (!isColumnFilter(filter))
      return [filter.within === undefined ? textColumns(dataset) : [filter.within], 'searched']
    const { takes, codes } = OPERATOR_TABLE[filter.operator]
    const hasFolds = dataset.columns[filter.column]!.segments.fold_heap !== undefined
    return [[filter.column], takes === 'flag' ? 'tested' : codes === null && hasFolds ? 'folded' : 'searched']
  })
  if (sort.length > 0) needs.push([sort.map(({ column }) => column), 'ordered'])
  return needs
}

/** Positions of the text columns. */
export function textColumns({ columns }: OpenDataset): number[] {
  return [...columns.keys()].filter((column) => columns[column]!.type === 'string')
}
