/** CKAN's datastore: `datastore_search`, `datastore_info` and the dump, answered by the engine of lists. */

import type { App } from '../../app.ts'
import { ApiError } from '../../base/errors.ts'
import { writeQueryString } from '../../base/text/query-string.ts'
import { csvCell } from '../../base/text/quoting.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { listPage } from '../../engine/run.ts'
import { StreamTurns } from '../../engine/turns.ts'
import { compressStream, negotiateEncoding } from '../../http/compression.ts'
import { JSON_TYPE } from '../../http/headers.ts'
import { isHead } from '../../http/plain-requests.ts'
import { respond, respondStream } from '../../http/respond.ts'
import { emptyStream } from '../../http/stream.ts'
import type { ActionArguments } from '../../interop/ckan/arguments.ts'
import { type DatastoreQuery, MOST_RECORDS, readDatastoreQuery } from '../../interop/ckan/datastore-query.ts'
import { DATASTORE_TYPES, datasetOfRows, rowsId } from '../../interop/ckan/shapes.ts'
import { listGroups } from '../../query/aggregate/aggregate.ts'
import { parseAggregateQuery } from '../../query/aggregate/aggregate-query.ts'
import { type ListQuery, parseExportQuery, parseListQuery } from '../../query/query.ts'
import { type QuerySchema, schemaOf } from '../../query/query-schema.ts'
import { refuseDataset } from '../../store/catalog/missing-dataset.ts'
import { holdsDataset } from '../../store/catalog/places.ts'
import type { Descriptor, ServedDataset } from '../../store/catalog/record.ts'
import type { Call } from '../call.ts'
import { answerRowsFile } from '../rows/export-answer.ts'
import type { Readers } from '../rows/readers.ts'
import type { ServerState } from '../state.ts'
import { helpAddress } from './ckan-error.ts'

/** Rows that are rendered between two turns of the event loop: about a millisecond of work as CSV. */
const ROWS_AT_ONCE = 200

/**
 * The dataset of a resource, for a reader who may see its rows.
 * @throws ApiError `dataset_not_found`, `api_key_missing` for rows that need a key, `rate_limited`
 */
async function admitRows(
  app: App,
  state: ServerState,
  exchange: Call,
  id: string,
): Promise<{ served: ServedDataset; readers: Readers }> {
  const { key } = exchange
  const reads = key?.scopes.reads ?? 'all'
  const served = app.catalog.find(id)
  if (served === undefined || !holdsDataset(reads, served.domain, id))
    throw refuseDataset(app.catalog, id, id, 'query.resource_id', reads)
  exchange.dataset = served.id
  if (key === undefined) await state.open.admit(exchange, served)
  return { served, readers: key === undefined ? state.open.readers : state.keyed }
}

/** Answers `datastore_search`. */
export async function answerSearch(
  app: App,
  state: ServerState,
  exchange: Call,
  given: ActionArguments,
): Promise<Response> {
  const id = datasetOfRows(given.requireText('resource_id', 'id'))
  if (id === '') given.finish()
  const { served, readers } = await admitRows(app, state, exchange, id)
  const query = readDatastoreQuery(given, served.columns)
  if (query.distinct && query.format !== 'objects') given.refuse('distinct', 'needs records_format=objects')
  given.finish()
  const share = readers.shares.of(readers.readerOf(exchange), exchange.query)
  let hasBegun = false
  const require = () => {
    // Of the first page: an answer that has begun is not refused.
    if (!hasBegun) share.require()
    hasBegun = true
  }
  const use = <T>(run: (dataset: OpenDataset) => T | Promise<T>): T | Promise<T> =>
    app.openDatasets.use(served, run, { require, hold: share.hold })
  const found = query.distinct
    ? await findDistinct(use, served, query, exchange)
    : await findRecords(use, served, query)
  const head = headOf(exchange, served, query, found)
  return sendRecords(app, exchange, readers, { head, found, query })
}

type Use = <T>(run: (dataset: OpenDataset) => T | Promise<T>) => T | Promise<T>

interface FoundRecords {
  readonly total: number | null
  /** Whether rows were asked for that the bound of an answer keeps out. */
  readonly isCut: boolean
  readonly fields: ServedDataset['columns']
  /** JSON arrays of objects, the first of them made already. */
  readonly pages: AsyncGenerator<Pick<RowsPage, 'rows' | 'count'>>
}

/** The rows in pages; the first is there before the answer begins, so that its refusals are refusals. */
async function findRecords(use: Use, served: ServedDataset, query: DatastoreQuery): Promise<FoundRecords> {
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
async function findDistinct(
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

/** All of the result but its records. */
function headOf(
  { path }: Call,
  { id }: ServedDataset,
  query: DatastoreQuery,
  { total, fields, isCut }: FoundRecords,
) {
  const at = (offset: number) => {
    const given = [{ name: 'resource_id', value: rowsId(id) }, ...linkParameters(query)]
    const paging = [
      { name: 'limit', value: String(query.limit) },
      ...(offset > 0 ? [{ name: 'offset', value: String(offset) }] : []),
    ]
    return `${path}?${writeQueryString([...given, ...paging])}`
  }
  const links = { start: at(0), next: at(query.offset + query.limit) }
  return {
    resource_id: rowsId(id),
    fields: fields.map(({ name, type }) => ({ id: name, type: DATASTORE_TYPES[type] })),
    records_format: query.format,
    include_total: query.count,
    limit: query.limit,
    ...(query.offset > 0 && { offset: query.offset }),
    ...(query.filters && { filters: query.filters }),
    ...(query.q !== undefined && { q: query.q }),
    ...(total !== null && { total, total_was_estimated: false }),
    ...(isCut && { records_truncated: true }),
    _links: areShort(links) ? links : {},
  }
}

/** As for links of lists (contract 2): a question that long is sent by POST, and no address repeats it. */
const LONGEST_LINK = 4096

function areShort({ start, next }: { readonly start: string; readonly next: string }): boolean {
  return Math.max(start.length, next.length) <= LONGEST_LINK
}

/** What of the question CKAN's own links repeat. */
function linkParameters({ filters, q, format, parameters }: DatastoreQuery) {
  const kept = parameters.filter(({ name }) => name === 'fields')
  const sort = parameters.find(({ name }) => name === 'sort')?.value
  const words = sort?.split(',').map((item) => (item.startsWith('-') ? `${item.slice(1)} desc` : item))
  return [
    ...(filters === undefined ? [] : [{ name: 'filters', value: JSON.stringify(filters) }]),
    ...(q === undefined ? [] : [{ name: 'q', value: typeof q === 'string' ? q : JSON.stringify(q) }]),
    ...kept,
    ...(words === undefined ? [] : [{ name: 'sort', value: words.join(', ') }]),
    ...(format === 'objects' ? [] : [{ name: 'records_format', value: format }]),
  ]
}

function sendRecords(
  app: App,
  exchange: Call,
  { headers: shared }: Readers,
  { head, found, query }: { head: object; found: FoundRecords; query: DatastoreQuery },
): Response {
  const encoding = negotiateEncoding(exchange.request.headers.get('accept-encoding'))
  const headers = {
    ...shared,
    'Content-Type': JSON_TYPE,
    ...(encoding !== null && { 'Content-Encoding': encoding }),
  }
  if (isHead(exchange.request)) return respond(exchange, 200, headers, emptyStream())
  exchange.rows = 0
  const body = writeAnswer(exchange, head, found, query)
  return respondStream(exchange, headers, encoding === null ? body : compressStream(body, encoding), {
    failed: (error) => app.log.error({ err: error, request_id: exchange.requestId }, 'records broke off'),
    over: () => void body.return(undefined),
  })
}

async function* writeAnswer(
  exchange: Call,
  head: object,
  { pages, fields }: FoundRecords,
  { format }: DatastoreQuery,
): AsyncGenerator<Uint8Array> {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]
  const isText = format === 'csv' || format === 'tsv'
  const start = JSON.stringify({ help: helpAddress(exchange), success: true, result: head }).slice(0, -2)
  yield encoder.encode(`${start},"records":${isText ? '"' : '['}`)
  let isFirst = true
  for await (const { rows: page, count } of pages) {
    const text = decoder.decode(page)
    const rows = writeRows(text, fields, format)
    if (rows === '') continue
    yield encoder.encode(isFirst || isText ? rows : `,${rows}`)
    isFirst = false
    exchange.rows! += count
  }
  yield encoder.encode(`${isText ? '"' : ']'}}}`)
}

type JsonRow = Readonly<Record<string, string | number | boolean | null>>

/** A page of rows in the format of the records, without what stands around them. */
function writeRows(page: string, fields: ServedDataset['columns'], format: DatastoreQuery['format']): string {
  if (format === 'objects') return page.slice(1, -1)
  const rows = JSON.parse(page) as readonly JsonRow[]
  const values = rows.map((row) => fields.map(({ name }) => row[name] ?? null))
  if (format === 'lists') return JSON.stringify(values).slice(1, -1)
  const delimiter = format === 'tsv' ? '\t' : ','
  const lines = values.map((row) => row.map((value) => cellOf(value, delimiter)).join(delimiter))
  return JSON.stringify(lines.map((line) => `${line}\n`).join('')).slice(1, -1)
}

function cellOf(value: string | number | boolean | null, delimiter: string): string {
  return value === null ? '' : value === '' ? '""' : csvCell(String(value), delimiter)
}

/** The result of `datastore_info`. */
export function describeResource({ id, columns, row_count: count }: Descriptor) {
  return {
    meta: {
      id: rowsId(id),
      count,
      table_type: 'BASE TABLE',
      db_size: null,
      size: null,
      idx_size: null,
      aliases: [],
    },
    fields: columns.map(({ name, title, type, description, unit }) => ({
      ...{ id: name, type: DATASTORE_TYPES[type] },
      info: { label: title ?? name, notes: description ?? '', ...(unit !== null && { unit }) },
    })),
  }
}

const DUMP_FORMATS = ['csv', 'tsv']
/** Arguments without a meaning for a file. */
const OF_SEARCH = ['include_total', 'records_format', 'distinct']

/** Answers `/datastore/dump/{resource}`: the rows that filters leave, or a part of them, as a file. */
export async function answerDump(
  app: App,
  state: ServerState,
  exchange: Call,
  id: string,
  given: ActionArguments,
): Promise<Response> {
  const { served, readers } = await admitRows(app, state, exchange, datasetOfRows(id))
  const format = given.text('format') ?? 'csv'
  if (!DUMP_FORMATS.includes(format)) given.refuse('format', `is one of ${DUMP_FORMATS.join(', ')}`)
  const query = readDatastoreQuery(given, served.columns)
  const isMarked = given.flag('bom', false)
  for (const name of OF_SEARCH) if (given.has(name)) given.refuse(name, 'is for datastore_search')
  given.finish()
  const parameters = [
    ...query.parameters,
    { name: 'format', value: 'csv' },
    ...(format === 'tsv' ? [{ name: 'delimiter', value: 'tab' }] : []),
    ...(isMarked ? [{ name: 'bom', value: 'true' }] : []),
  ]
  const read = parseExportQuery(writeQueryString(parameters), schemaOf(served), 'csv')
  const part = {
    ...(query.offset > 0 && { offset: query.offset }),
    ...(given.has('limit') && { limit: query.askedLimit }),
  }
  const named = Object.entries(part).map(([name, value]) => ({ name, value: String(value) }))
  return answerRowsFile(app, exchange, served, readers, {
    ...{ ...read, ...part },
    parameters: [...read.parameters, ...named],
  })
}
