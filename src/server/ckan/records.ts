/** The records of a `datastore_search`, page by page. */

import { ApiError } from '../../base/errors.ts'
import { writeQueryString } from '../../base/text/query-string.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { listPage } from '../../engine/run.ts'
import { StreamTurns } from '../../engine/turns.ts'
import { type DatastoreQuery, MOST_RECORDS } from '../../interop/ckan/datastore-query.ts'
import { listGroups } from '../../query/aggregate/aggregate.ts'
import { parseAggregateQuery } from '../../query/aggregate/aggregate-query.ts'
import { type ListQuery, parseListQuery } from '../../query/query.ts'
import { type QuerySchema, schemaOf } from '../../query/query-schema.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { Call } from '../call.ts'

/** Rows that are rendered between two turns of the event loop: about a millisecond of work as CSV. */
const ROWS_AT_ONCE = 200

export type Use = <T>(run: (dataset: OpenDataset) => T | Promise<T>) => T | Promise<T>

export interface FoundRecords {
  readonly total: number | null
  /** Whether rows were asked for that the bound of an answer keeps out. */
  readonly isCut: boolean
  readonly fields: ServedDataset['columns']
  /** JSON arrays of objects, the first of them made already. */
  readonly pages: AsyncGenerator<Pick<RowsPage, 'rows' | 'count'>>
}

/** The rows in pages; the first is there before the answer begins, so that its refusals are refusals. */
export async function findRecords(
  use: Use,
  served: ServedDataset,
  query: DatastoreQuery,
): Promise<FoundRecords> {
  const list = parseListQuery(writeQueryString(query.parameters), schemaOf(served))
  const first = await pageAt(use, list, query, 0)
  const fields = list.fields.map((column) => served.columns[column]!)
  const pages = pagesFrom(use, list, query, first)
  return { ...totalOf(first.total, query), fields, pages }
}

/** What was cut is known by the total. */
function needsTotal({ count, askedLimit }: DatastoreQuery): boolean {
  return count || askedLimit > MOST_RECORDS
}

function totalOf(total: number | null, { count, askedLimit, limit, offset }: DatastoreQuery) {
  const isCut = askedLimit > MOST_RECORDS && total !== null && total > offset + limit
  return { total: count ? total : null, isCut }
}

interface RowsPage {
  readonly total: number | null
  readonly count: number
  readonly rows: Uint8Array
}

async function pageAt(use: Use, list: ListQuery, query: DatastoreQuery, done: number): Promise<RowsPage> {
  const limit = Math.min(ROWS_AT_ONCE, query.limit - done)
  const page = { ...list, limit, offset: query.offset + done, count: needsTotal(query) && done === 0 }
  return await use(async (dataset) => {
    const found = await listPage(dataset, page)
    return { total: found.total, count: found.count, rows: found.rows.slice() }
  })
}

async function* pagesFrom(
  use: Use,
  list: ListQuery,
  query: DatastoreQuery,
  first: RowsPage,
): AsyncGenerator<RowsPage> {
  const turns = new StreamTurns()
  try {
    let page = first
    for (let done = 0; page.count > 0; ) {
      yield page
      done += page.count
      if (done >= query.limit || page.count < ROWS_AT_ONCE) return
      await turns.rest()
      page = await pageAt(use, list, query, done)
    }
  } finally {
    turns.end()
  }
}

/** The most columns whose distinct rows can be asked for: as many as groups may have. */
const MOST_DISTINCT = 4

/** The distinct rows of some columns are their groups. */
export async function findDistinct(
  use: Use,
  served: ServedDataset,
  asked: DatastoreQuery,
  exchange: Call,
): Promise<FoundRecords> {
  const { parameters, limit, offset } = asked
  const names = parameters.find(({ name }) => name === 'fields')?.value
  const columns = names?.split(',') ?? served.columns.map(({ name }) => name)
  if (columns.length > MOST_DISTINCT) {
    const message = `takes up to ${MOST_DISTINCT} columns in fields`
    throw new ApiError('invalid_value', `distinct: ${message}`, [{ location: 'query.distinct', message }])
  }
  const others = parameters.filter(({ name }) => name !== 'fields')
  const schema = schemaOf(served)
  const counted = unusedName(schema)
  const text = writeQueryString([
    ...others,
    { name: 'group_by', value: columns.join(',') },
    { name: 'measures', value: `${counted}:count` },
  ])
  const request = parseAggregateQuery(text, schema)
  const page = {
    ...request,
    query: { ...request.query, limit: Math.max(1, limit), offset, count: needsTotal(asked) },
  }
  const listed = await use((dataset) => listGroups(dataset, page, schema, exchange))
  const rows = limit === 0 ? new TextEncoder().encode('[]') : leaveOut(listed.rows, counted)
  const total = (listed.pagination?.total ?? null) as number | null
  return {
    ...totalOf(total, asked),
    fields: columns.map((name) => served.columns.find((column) => column.name === name)!),
    pages: oneOf({ rows, count: limit === 0 ? 0 : (listed.pagination?.count as number) }),
  }
}

/** Groups without their last result, a whole number. No text of JSON has a quote behind a comma, so nothing else is found. */
function leaveOut(groups: Uint8Array, name: string): Uint8Array {
  const text = new TextDecoder().decode(groups)
  return new TextEncoder().encode(text.replaceAll(new RegExp(`,"${name}":\\d+}`, 'g'), '}'))
}

/** A name for a result that no column has. */
function unusedName({ positions }: QuerySchema): string {
  let name = 'rows_of_group'
  while (positions.has(name)) name += '_'
  return name
}

async function* oneOf<T>(page: T): AsyncGenerator<T> {
  yield page
}
