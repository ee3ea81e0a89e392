/** Translates the arguments of CKAN's `datastore_search` into parameters of our lists. */

import type { Parameter } from '../../base/text/query-string.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { ActionArguments } from './arguments.ts'

/** The most rows of one answer, as CKAN's own bound. */
export const MOST_RECORDS = 32_000
const USUAL_RECORDS = 100
const RECORD_FORMATS = ['objects', 'lists', 'csv', 'tsv'] as const
type RecordFormat = (typeof RECORD_FORMATS)[number]

export interface DatastoreQuery {
  readonly parameters: readonly Parameter[]
  readonly limit: number
  /** As requested, before the bound. */
  readonly askedLimit: number
  readonly offset: number
  readonly count: boolean
  readonly format: RecordFormat
  readonly distinct: boolean
  /** As given; the answer repeats it. */
  readonly filters: Readonly<Record<string, unknown>> | undefined
  readonly q: string | Readonly<Record<string, unknown>> | undefined
}

/**
 * Reads all arguments except `resource_id`, and notes faults in `given`.
 * @param columns of the dataset; the reader of lists refuses unknown ones
 */
export function readDatastoreQuery(
  given: ActionArguments,
  columns: ServedDataset['columns'],
): DatastoreQuery {
  const parameters: Parameter[] = []
  const filters = given.objectOrText('filters')
  if (typeof filters === 'string') given.refuse('filters', 'is a JSON object of columns and values')
  else if (filters !== undefined) putFilters(given, filters, parameters)
  const q = given.objectOrText('q')
  if (typeof q === 'string') parameters.push({ name: 'q', value: q })
  else if (q !== undefined) putWords(given, q, columns, parameters)
  // Of PostgreSQL's query language, words, `&` and `:*` mean the same here.
  if (!given.flag('plain', true) && /[|!()<>\\']/.test(typeof q === 'string' ? q : JSON.stringify(q ?? '')))
    given.refuse('q', 'With plain=false words are joined by & alone: | ! <-> and brackets are not read')
  const fields = given.list('fields')
  if (fields !== undefined) parameters.push({ name: 'fields', value: fields.join(',') })
  const sort = given.list('sort')
  const order = sort === undefined ? '' : readSort(given, sort)
  if (order !== '') parameters.push({ name: 'sort', value: order })
  const askedLimit = given.integer('limit', USUAL_RECORDS)
  const format = given.text('records_format') ?? 'objects'
  const known = RECORD_FORMATS.find((name) => name === format)
  if (known === undefined) given.refuse('records_format', `is one of ${RECORD_FORMATS.join(', ')}`)
  return {
    parameters,
    askedLimit,
    limit: Math.min(askedLimit, MOST_RECORDS),
    offset: given.integer('offset', 0),
    count: given.flag('include_total', true),
    distinct: given.flag('distinct', false),
    q,
    filters: typeof filters === 'string' ? undefined : filters,
    format: known ?? 'objects',
  }
}

/** `{"county": "Cluj", "year": [2023, 2024]}`; a list means any of its values. */
function putFilters(
  given: ActionArguments,
  filters: Readonly<Record<string, unknown>>,
  parameters: Parameter[],
): void {
  for (const [column, value] of Object.entries(filters)) {
    const values = Array.isArray(value) ? value : [value]
    if (values.length === 0) given.refuse('filters', `${column}: the list is empty`)
    if (values.length > 1 && values.includes(null))
      given.refuse('filters', `${column}: null cannot stand beside other values`)
    for (const one of values) {
      if (one === null) parameters.push({ name: `${column}[is_null]`, value: 'true' })
      else if (typeof one === 'object')
        given.refuse('filters', `${column}: a value is a text, a number, true or false`)
      else parameters.push({ name: `${column}[eq]`, value: String(one) })
    }
  }
}

/** `{"county": "clu"}`: words to find in single columns. */
function putWords(
  given: ActionArguments,
  words: Readonly<Record<string, unknown>>,
  columns: ServedDataset['columns'],
  parameters: Parameter[],
): void {
  for (const [column, text] of Object.entries(words)) {
    const known = columns.find(({ name }) => name === column)
    if (typeof text !== 'string') given.refuse('q', `${column}: is a text`)
    else if (known !== undefined && known.type !== 'string')
      given.refuse('q', `${column}: is of type ${known.type}; use filters`)
    else parameters.push({ name: `${column}[contains]`, value: text })
  }
}

/** `value desc, county asc nulls last`; nulls always come last here. */
function readSort(given: ActionArguments, items: readonly string[]): string {
  // CKAN sorts by `_id` by default; our order without a sort means the same.
  const named = items.filter((item) => !/^"?_id"?(\s+asc)?$/i.test(item.trim()))
  const sort = named.map((item) => {
    const parts = /^"?([^"\s]+)"?(?:\s+(asc|desc))?(?:\s+nulls\s+last)?$/i.exec(item.trim())
    if (parts === null) given.refuse('sort', `"${item}" is not a column with asc or desc after it`)
    return parts === null ? '' : `${parts[2]?.toLowerCase() === 'desc' ? '-' : ''}${parts[1]}`
  })
  return sort.join(',')
}
