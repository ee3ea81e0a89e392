/** CKAN's datastore: `datastore_search`, `datastore_info` and the dump, answered by the engine of lists. */

import type { App } from '../../app.ts'
import { writeQueryString } from '../../base/text/query-string.ts'
import { csvCell } from '../../base/text/quoting.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { compressStream, negotiateEncoding } from '../../http/compression.ts'
import { JSON_TYPE } from '../../http/headers.ts'
import { isHead } from '../../http/plain-requests.ts'
import { respond, respondStream } from '../../http/respond.ts'
import { emptyStream } from '../../http/stream.ts'
import type { ActionArguments } from '../../interop/ckan/arguments.ts'
import { type DatastoreQuery, readDatastoreQuery } from '../../interop/ckan/datastore-query.ts'
import { DATASTORE_TYPES, datasetOfRows, rowsId } from '../../interop/ckan/shapes.ts'
import { parseExportQuery } from '../../query/query.ts'
import { schemaOf } from '../../query/query-schema.ts'
import { refuseDataset } from '../../store/catalog/missing-dataset.ts'
import { holdsDataset } from '../../store/catalog/places.ts'
import type { Descriptor, ServedDataset } from '../../store/catalog/record.ts'
import type { Call } from '../call.ts'
import { answerRowsFile } from '../rows/export-answer.ts'
import type { Readers } from '../rows/readers.ts'
import type { ServerState } from '../state.ts'
import { helpAddress } from './ckan-error.ts'
import { type ActionCall, readsOf } from './packages.ts'
import { type FoundRecords, findDistinct, findRecords } from './records.ts'

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
  const reads = readsOf(exchange)
  const served = app.catalog.find(id)
  if (served === undefined || !holdsDataset(reads, served.domain, id))
    throw refuseDataset(app.catalog, id, id, 'query.resource_id', reads)
  exchange.dataset = served.id
  if (key === undefined) await state.open.admit(exchange, served)
  return { served, readers: key === undefined ? state.open.readers : state.keyed }
}

/** Answers `datastore_search`. */
export async function answerSearch({ app, state, exchange, given }: ActionCall): Promise<Response> {
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

/** A page of rows in the format of the records, without what is around them. */
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
  return answerRowsFile(
    { app, exchange, served, readers },
    {
      ...{ ...read, ...part },
      parameters: [...read.parameters, ...named],
    },
  )
}
