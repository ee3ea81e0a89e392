/** The records of a `datastore_search`, page by page. */

import { ApiError } from '../../base/errors.ts'
import { writeQueryString } from '../../base/text/query-string.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { listPage } from '../../engine/run.ts'
import { StreamTurns } from '../../engine/turns.ts'
import { type DatastoreQuery, MOST_RECORDS } from '../../interop/ckan/datastore-query.ts'
import { listGroups } from '../../query/aggregate/aggregate.ts'
import { parseAggregateQuery } from '../../query/aggregate/aggregate-query.ts'
import { MOST_GROUP_COLUMNS } from '../../query/aggregate/entries.ts'
import { parseListQuery } from '../../query/query.ts'
import { schemaOf } from '../../query/query-schema.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { Call } from '../call.ts'

/** Rows rendered in one turn of the event loop: about a millisecond of work as CSV. */
const ROWS_AT_ONCE = 200

export type Use = <T>(run: (dataset: OpenDataset) => T | Promise<T>) => T | Promise<T>

export interface FoundRecords {
  readonly total: number | null
  /** Whether the bound of an answer leaves out requested rows. */
  readonly isCut: boolean
  readonly fields: ServedDataset['columns']
  /** JSON arrays of objects; the first is already made. */
  readonly pages: AsyncGenerator<{ readonly rows: Uint8Array; readonly count: number }>
}

/** The rows in pages; the first is made before the answer begins, so that it can still be refused. */
export async function findRecords(
  use: Use,
  served: ServedDataset,
  query: DatastoreQuery,
): Promise<FoundRecords> {
  const list = parseListQuery(writeQueryString(query.parameters), schemaOf(served))
  const pageAt = (done: number) => {
    const limit = Math.min(ROWS_AT_ONCE, query.limit - done)
    const page = { ...list, limit, offset: query.offset + done, count: needsTotal(query) && done === 0 }
    return use(async (dataset) => {
      const found = await listPage(dataset, page)
      return { total: found.total, count: found.count, rows: found.rows.slice() }
    })
  }
  const first = await pageAt(0)
  const fields = list.fields.map((column) => served.columns[column]!)
  const pages = async function* () {
    using turns = new StreamTurns()
    let page = first
    for (let done = 0; page.count > 0; ) {
      yield page
      done += page.count
      if (done >= query.limit || page.count < ROWS_AT_ONCE) return
      await turns.rest()
      page = await pageAt(done)
    }
  }
  return { ...totalOf(first.total, query), fields, pages: pages() }
}

/** Whether rows were cut can only be told from the total. */
const needsTotal = ({ count, askedLimit }: DatastoreQuery) => count || askedLimit > MOST_RECORDS

function totalOf(total: number | null, { count, askedLimit, limit, offset }: DatastoreQuery) {
  const isCut = askedLimit > MOST_RECORDS && total !== null && total > offset + limit
  return { total: count ? total : null, isCut }
}

/** The distinct rows of some columns: their groups. */
export async function findDistinct(
  use: Use,
  served: ServedDataset,
  asked: DatastoreQuery,
  exchange: Call,
): Promise<FoundRecords> {
  const { parameters, limit, offset } = asked
  const names = parameters.find(({ name }) => name === 'fields')?.value
  const columns = names?.split(',') ?? served.columns.map(({ name }) => name)
  if (columns.length > MOST_GROUP_COLUMNS) {
    const message = `takes up to ${MOST_GROUP_COLUMNS} columns in fields`
    throw new ApiError('invalid_value', `distinct: ${message}`, [{ location: 'query.distinct', message }])
  }
  const others = parameters.filter(({ name }) => name !== 'fields')
  const schema = schemaOf(served)
  // A name for the count that no column has.
  let counted = 'rows_of_group'
  while (schema.positions.has(counted)) counted += '_'
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
  // Drop the last result of each group, the count. A JSON string holds no bare quote, so nothing else matches.
  const last = new RegExp(`,"${counted}":\\d+}`, 'g')
  const groups = limit === 0 ? '[]' : new TextDecoder().decode(listed.rows).replaceAll(last, '}')
  const count = limit === 0 ? 0 : (listed.pagination?.count as number)
  const total = (listed.pagination?.total ?? null) as number | null
  return {
    ...totalOf(total, asked),
    fields: columns.map((name) => served.columns.find((column) => column.name === name)!),
    pages: (async function* () {
      yield { rows: new TextEncoder().encode(groups), count }
    })(),
  }
}
