/** Hints for a query without rows: what would have found some (contract 7). */

import type { Parameter } from '../base/text/query-string.ts'
import { wordsOf } from '../base/text/words.ts'
import type { ValueOrPromise } from '../base/value-or-promise.ts'
import type { Value } from '../engine/columns/column.ts'
import type { OpenDataset } from '../engine/memory/open-dataset.ts'
import {
  findNearNumbers,
  findNearValues,
  findNearWords,
  findRespelledParts,
  findRespellings,
  WRITTEN_WORDS,
} from '../engine/near-values.ts'
import { OPERATOR_TABLE } from '../engine/operators.ts'
import { type ColumnFilter, type Filter, isColumnFilter, type WordFilter } from '../engine/row-query.ts'
import { totalOf } from '../engine/run.ts'
import { BusyError, DeadlineError, type Work } from '../engine/turns.ts'
import { listItem } from './values.ts'

/** A parameter in a form that finds rows. */
export interface Hint {
  readonly parameter: string
  readonly value: string
  /** Rows that the query would have; if several parameters match nothing, with all their hints followed. */
  readonly rows: number
}

/** A query whose filters left no row. */
export interface EmptyQuery {
  readonly filters: readonly Filter[]
  /** As given, so that hints name parameters as they were written. */
  readonly parameters: readonly Parameter[]
}

/** The most filters that get hints; a query may have thousands. */
const MOST_REPAIRED = 5

interface Repair {
  readonly at: number
  readonly filter: Filter
  readonly parameter: string
  readonly value: string
}

/**
 * Adds hints to an answer without rows, if its filters exclude all rows and a near value would not. If the service is too
 * busy to search, the answer has no hints.
 * @throws DamagedFileError when a segment does not load
 */
export function withHints<Answer extends { readonly rows: Uint8Array; readonly hints?: readonly Hint[] }>(
  dataset: OpenDataset,
  query: EmptyQuery,
  answer: Answer,
): ValueOrPromise<Answer> {
  // The rows may be valid only for a moment, see `listPage`.
  const kept = { ...answer, rows: answer.rows.slice() }
  if (query.filters.length === 0) return kept
  const add = (hints: readonly Hint[]) => (hints.length === 0 ? kept : { ...kept, hints })
  const found = dataset.turns.run(hintsOf(dataset, query))
  if (!(found instanceof Promise)) return add(found)
  return found.then(add, (error) => {
    if (error instanceof BusyError || error instanceof DeadlineError) return kept
    throw error
  })
}

/**
 * Texts of `eq`, `in`, `contains` and `starts_with` and words of `q` are replaced by the same text with other diacritics,
 * else by the nearest one; numbers and dates of `eq` and `in` by the nearest below and above; bounds by the nearest that
 * admits a value.
 */
function* hintsOf(dataset: OpenDataset, query: EmptyQuery): Work<readonly Hint[]> {
  const { filters } = query
  if ((yield* totalOf(dataset, filters)) > 0) return []
  const unmet: number[] = []
  for (const [at, filter] of filters.entries()) {
    if ((yield* totalOf(dataset, [filter])) === 0) unmet.push(at)
  }
  if (unmet.length === 0) return yield* respell(dataset, query)
  if (unmet.length > MOST_REPAIRED) return []
  const choices: (readonly Repair[])[] = []
  for (const at of unmet) {
    const filter = filters[at]!
    const near = (value: Value) => nearestTo(dataset, filter as ColumnFilter, value)
    if (!isColumnFilter(filter)) choices.push(yield* repairWords(dataset, query, at, filter))
    else choices.push(yield* repairValues(dataset, query, at, filter, near))
  }
  // All of them must change before any row is found.
  const [first, ...others] = choices
  const rest = others.map(([nearest]) => nearest)
  const found: Hint[] = []
  for (const repair of first!) {
    const repairs = [repair, ...rest].filter((chosen) => chosen !== undefined)
    if (repairs.length < unmet.length) return []
    found.push(...(yield* tryRepairs(dataset, filters, repairs)))
    // Below and above are two answers; near texts are one.
    if (found.length > 0 && (rest.length > 0 || isText(dataset, repair.filter))) return found
  }
  return found
}

function isText({ columns }: OpenDataset, filter: Filter): boolean {
  return !isColumnFilter(filter) || columns[filter.column]!.type === 'string'
}

/** Each filter matches something, but together they match nothing: other diacritics or a wider bound may help. */
function* respell(dataset: OpenDataset, query: EmptyQuery): Work<readonly Hint[]> {
  const hints: Hint[] = []
  for (const [at, filter] of query.filters.slice(0, MOST_REPAIRED).entries()) {
    if (!isColumnFilter(filter)) continue
    if (!isText(dataset, filter) && OPERATOR_TABLE[filter.operator].isEquality) continue
    const near = (value: Value) => respellingsOf(dataset, filter, value)
    for (const repair of yield* repairValues(dataset, query, at, filter, near)) {
      hints.push(...(yield* tryRepairs(dataset, query.filters, [repair])))
    }
  }
  return hints
}

function* tryRepairs(
  dataset: OpenDataset,
  filters: readonly Filter[],
  repairs: readonly Repair[],
): Work<readonly Hint[]> {
  const repaired = filters.map((filter, at) => repairs.find((repair) => repair.at === at)?.filter ?? filter)
  const rows = yield* totalOf(dataset, repaired)
  return rows === 0 ? [] : repairs.map(({ parameter, value }) => ({ parameter, value, rows }))
}

/** A filter's value with other diacritics, or the nearest number. */
function* respellingsOf(dataset: OpenDataset, filter: ColumnFilter, value: Value): Work<string[]> {
  const { column, operator } = filter
  if (!isText(dataset, filter)) return findNearNumbers(dataset, filter, value)
  const text = String(value)
  const { nearText } = OPERATOR_TABLE[operator]
  return nearText === 'value' || nearText === undefined
    ? yield* findRespellings(dataset, column, text)
    : yield* findRespelledParts(dataset, column, text, nearText)
}

/** A filter's value with other diacritics, else the nearest one: a value of the column, or a word in one. */
function* nearestTo(dataset: OpenDataset, filter: ColumnFilter, value: Value): Work<string[]> {
  const { column, operator } = filter
  const text = String(value)
  if (!isText(dataset, filter) || OPERATOR_TABLE[operator].nearText !== 'value') {
    const respelt = yield* respellingsOf(dataset, filter, value)
    if (respelt.length > 0 || !isText(dataset, filter)) return respelt
    const [word, ...more] = wordsOf(text)
    if (operator === 'contains' && word !== undefined && more.length === 0)
      return yield* findNearWords(dataset, word, [column])
  }
  return yield* findNearValues(dataset, column, text)
}

/** The filter with one value replaced, for each value near the first one that has any. */
function* repairValues(
  dataset: OpenDataset,
  { parameters }: EmptyQuery,
  at: number,
  filter: ColumnFilter,
  near: (value: Value) => Work<string[]>,
): Work<readonly Repair[]> {
  const { column, operator, operands } = filter
  const { name, type } = dataset.columns[column]!
  const { nearText, nearCodes, takes } = OPERATOR_TABLE[operator]
  if (type === 'string' ? nearText === undefined : type === 'boolean' || nearCodes === undefined) return []
  for (const [which, operand] of operands.slice(0, MOST_REPAIRED).entries()) {
    for (const [item, value] of operand.slice(0, MOST_REPAIRED).entries()) {
      const found = yield* near(value)
      if (found.length === 0) continue
      const isPlain = parameters.some(
        (given) => given.name === name && (type !== 'string' || given.value === value),
      )
      return found.map((text) => {
        const isNumber = type === 'integer' || type === 'decimal'
        const values = operand.with(item, isNumber ? Number(text) : text)
        return {
          at,
          filter: { ...filter, operands: operands.with(which, values) },
          parameter: operator === 'eq' && isPlain ? name : `${name}[${operator}]`,
          value: takes === 'list' ? values.map((one) => listItem(String(one))).join() : text,
        }
      })
    }
  }
  return []
}

function* repairWords(
  dataset: OpenDataset,
  { parameters }: EmptyQuery,
  at: number,
  { words }: WordFilter,
): Work<readonly Repair[]> {
  let value = parameters.find(({ name }) => name === 'q')?.value ?? words.join(' ')
  let repaired = words
  const missing: string[] = []
  for (const word of new Set(words)) {
    if (missing.length < MOST_REPAIRED && (yield* totalOf(dataset, [{ words: [word] }])) === 0)
      missing.push(word)
  }
  for (const word of missing) {
    const [nearest] = yield* findNearWords(dataset, word)
    if (nearest === undefined) return []
    // Words are replaced in place; a fraction is several words in one place.
    value = value.replace(WRITTEN_WORDS, (written) => {
      const folded = wordsOf(written)
      if (!folded.includes(word)) return written
      return folded.map((part) => (part === word ? nearest : part)).join(' ')
    })
    repaired = repaired.flatMap((other) => (other === word ? wordsOf(nearest) : [other]))
  }
  return missing.length === 0 ? [] : [{ at, filter: { words: repaired }, parameter: 'q', value }]
}
