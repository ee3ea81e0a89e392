/** CKAN's datastore: `datastore_search`, `datastore_info` and the dump, answered by the engine of lists. */

import { writeQueryString } from '../../base/text/query-string.ts'
import { csvCell } from '../../base/text/quoting.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { JSON_TYPE } from '../../http/headers.ts'
import { type DatastoreQuery, readDatastoreQuery } from '../../interop/ckan/datastore-query.ts'
import { DATASTORE_TYPES, datasetOfRows, rowsId } from '../../interop/ckan/shapes.ts'
import { parseExportQuery } from '../../query/query.ts'
import { schemaOf } from '../../query/query-schema.ts'
import { refuseDataset } from '../../store/catalog/missing-dataset.ts'
import type { Descriptor, ServedDataset } from '../../store/catalog/record.ts'
import { holdsDataset } from '../../store/catalog/search/places.ts'
import type { Call } from '../call.ts'
import { respondMade } from '../made-answer.ts'
import { answerRowsFile } from '../rows/export-answer.ts'
import type { RowsCall } from '../rows/readers.ts'
import { helpAddress } from './ckan-error.ts'
import { type ActionCall, type Asked, readsOf } from './packages.ts'
import { type FoundRecords, findDistinct, findRecords } from './records.ts'

/**
 * The dataset of a resource, for a reader who may see its rows.
 * @throws ApiError `dataset_not_found`, `api_key_missing` for rows that need a key, `rate_limited`
 */
async function admitRows({ app, state, exchange }: Asked, id: string): Promise<RowsCall> {
  const { key } = exchange
  const reads = readsOf(exchange)
  const served = app.catalog.find(id)
  if (served === undefined || !holdsDataset(reads, served.domain, id))
    throw refuseDataset(app.catalog, id, id, 'query.resource_id', reads)
  exchange.dataset = served.id
  if (key === undefined) await state.open.admit(exchange, served)
  return { app, exchange, served, readers: key === undefined ? state.open.readers : state.keyed }
}

export async function answerSearch(asked: ActionCall): Promise<Response> {
  const { given } = asked
  const id = datasetOfRows(given.requireText('resource_id', 'id'))
  if (id === '') given.finish()
  const { app, exchange, served, readers } = await admitRows(asked, id)
  const query = readDatastoreQuery(given, served.columns)
  if (query.distinct && query.format !== 'objects') given.refuse('distinct', 'needs records_format=objects')
  given.finish()
  const share = readers.shares.of(readers.readerOf(exchange), exchange.query)
  let hasBegun = false
  const require = () => {
    // For the first page only: an answer that has begun is not refused.
    if (!hasBegun) share.require()
    hasBegun = true
  }
  const use = <T>(run: (dataset: OpenDataset) => T | Promise<T>): T | Promise<T> =>
    app.openDatasets.use(served, run, { require, hold: share.hold })
  const found = query.distinct
    ? await findDistinct(use, served, query, exchange)
    : await findRecords(use, served, query)
  const make = () => {
    exchange.rows = 0
    return writeAnswer(exchange, headOf(exchange, served, query, found), found, query)
  }
  const headers = { ...readers.headers, 'Content-Type': JSON_TYPE }
  return respondMade(app, exchange, headers, make, { broke: 'records broke off' })
}

/** As for links of lists (contract 2): a longer question is sent by POST, and no address repeats it. */
const LONGEST_LINK = 4096

function headOf(
  { path }: Call,
  { id }: ServedDataset,
  query: DatastoreQuery,
  { total, fields, isCut }: FoundRecords,
) {
  const resource_id = rowsId(id)
  const { limit, offset, filters, q } = query
  const at = (offset: number) => {
    const paging = { limit, ...(offset > 0 && { offset }) }
    const parameters = [
      { name: 'resource_id', value: resource_id },
      ...linkParameters(query),
      ...Object.entries(paging).map(([name, value]) => ({ name, value: String(value) })),
    ]
    return `${path}?${writeQueryString(parameters)}`
  }
  const links = { start: at(0), next: at(offset + limit) }
  return {
    resource_id,
    fields: fields.map(({ name, type }) => ({ id: name, type: DATASTORE_TYPES[type] })),
    records_format: query.format,
    include_total: query.count,
    limit,
    ...(offset > 0 && { offset }),
    ...(filters && { filters }),
    ...(q !== undefined && { q }),
    ...(total !== null && { total, total_was_estimated: false }),
    ...(isCut && { records_truncated: true }),
    _links: Math.max(links.start.length, links.next.length) > LONGEST_LINK ? {} : links,
  }
}

function linkParameters({ filters, q, format, parameters }: DatastoreQuery) {
  const fields = parameters.find(({ name }) => name === 'fields')?.value
  const sort = parameters.find(({ name }) => name === 'sort')?.value
  const words = sort?.split(',').map((item) => (item.startsWith('-') ? `${item.slice(1)} desc` : item))
  const kept = {
    filters: filters && JSON.stringify(filters),
    q: q === undefined || typeof q === 'string' ? q : JSON.stringify(q),
    fields,
    sort: words?.join(', '),
    records_format: format === 'objects' ? undefined : format,
  }
  return Object.entries(kept).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
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
    const rows = writeRows(decoder.decode(page), fields, format)
    if (rows === '') continue
    yield encoder.encode(isFirst || isText ? rows : `,${rows}`)
    isFirst = false
    exchange.rows! += count
  }
  yield encoder.encode(`${isText ? '"' : ']'}}}`)
}

/** A page of rows in the format of the records, without the enclosing brackets or quotes. */
function writeRows(page: string, fields: ServedDataset['columns'], format: DatastoreQuery['format']): string {
  if (format === 'objects') return page.slice(1, -1)
  const rows = JSON.parse(page) as readonly Readonly<Record<string, string | number | boolean | null>>[]
  const values = rows.map((row) => fields.map(({ name }) => row[name] ?? null))
  if (format === 'lists') return JSON.stringify(values).slice(1, -1)
  const delimiter = format === 'tsv' ? '\t' : ','
  const cellOf = (value: string | number | boolean | null) =>
    value === null ? '' : value === '' ? '""' : csvCell(String(value), delimiter)
  const lines = values.map((row) => `${row.map(cellOf).join(delimiter)}\n`)
  return JSON.stringify(lines.join('')).slice(1, -1)
}

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
      id: name,
      type: DATASTORE_TYPES[type],
      info: { label: title ?? name, notes: description ?? '', ...(unit !== null && { unit }) },
    })),
  }
}

/** Answers `/datastore/dump/{resource}`: the matching rows, or a part of them, as a file. */
export async function answerDump({ given, ...asked }: ActionCall, id: string): Promise<Response> {
  const call = await admitRows(asked, datasetOfRows(id))
  const { served } = call
  const format = given.text('format') ?? 'csv'
  if (format !== 'csv' && format !== 'tsv') given.refuse('format', 'is one of csv, tsv')
  const query = readDatastoreQuery(given, served.columns)
  const isMarked = given.flag('bom', false)
  for (const name of ['include_total', 'records_format', 'distinct'])
    if (given.has(name)) given.refuse(name, 'is for datastore_search')
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
  return answerRowsFile(call, {
    ...read,
    ...part,
    parameters: [...read.parameters, ...named],
  })
}
