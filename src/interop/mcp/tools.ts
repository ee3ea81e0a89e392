/** The five tools: they pass questions to the query layer of lists, aggregates and facets. */

import { ApiError } from '../../base/errors.ts'
import { shorten } from '../../base/text/fit-text.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { listGroups } from '../../query/aggregate/aggregate.ts'
import { parseAggregateQuery } from '../../query/aggregate/aggregate-query.ts'
import { listFacets, parseFacetsQuery } from '../../query/aggregate/facets-query.ts'
import { type ListedPage, listByOffset } from '../../query/list/list-page.ts'
import { ListReader } from '../../query/list/list-reader.ts'
import type { OpenDatasets } from '../../query/open-datasets.ts'
import { type QuerySchema, schemaOf } from '../../query/query-schema.ts'
import type { QueryShare } from '../../query/query-shares.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { refuseDataset } from '../../store/catalog/missing-dataset.ts'
import { datasetEndpoint, type ServedDataset } from '../../store/catalog/record.ts'
import { holdsDataset, type Places } from '../../store/catalog/search/places.ts'
import type { RowReads } from '../../store/catalog/search/search.ts'
import { cutText, fitResult, readItems, type ToolAnswer, type ToolResult } from './answers.ts'
import { type ToolArguments, toQuery } from './arguments.ts'

/** Rows or groups by default: a model reads few, and asks for more where it needs them. */
const DEFAULT_ROWS = 50

export async function searchDatasets(reader: ToolReader, given: ToolArguments): Promise<ToolResult> {
  const { q = '', domain, limit = 20, offset = 0 } = given
  const { catalog } = reader
  const within = domain === undefined ? reader.within : partOf(reader.within, domain)
  const page = { limit, offset }
  const isAll = q.trim() === ''
  const { total, datasets, ...beside } = isAll
    ? catalog.list(page, within)
    : await catalog.answerSearch(q, page, { within, reads: await reader.readsValues() })
  return fitResult(datasets.length, (shown) => ({
    total,
    datasets: datasets.slice(0, shown).map((entry) => ({
      dataset: entry.id,
      domain: entry.domain,
      title: cutText(entry.title),
      row_count: entry.row_count,
      last_updated: entry.last_updated,
      description: entry.description === null ? null : shorten(entry.description, LONGEST_DESCRIPTION),
      ...('matches' in entry && { matches: entry.matches }),
    })),
    ...moreAfter(offset + shown, total),
    ...(total === 0 &&
      !isAll && { ...beside, hint: 'No dataset holds all these words: try one word, or none.' }),
  }))
}

function partOf(within: Places, domain: string): Places {
  if (within === 'all' || within.has(domain)) return new Set([domain])
  return new Set([...within].filter((place) => place.startsWith(`${domain}/`)))
}

const LONGEST_DESCRIPTION = 300

export function describeDataset(reader: ToolReader, given: ToolArguments): ToolResult {
  const served = requireDataset(reader, given.dataset)
  const found = reader.catalog.descriptor(served.id)!
  const { row_count, columns } = found
  const { offset = 0 } = given
  // Smallest, largest and sample are values of rows, as on the dataset's page.
  const showsValues = reader.readsRows(served)
  const sample = showsValues ? found.sample_row : null
  const about = {
    dataset: found.id,
    domain: found.domain,
    title: cutText(found.title),
    row_count,
    description: cutOrNull(found.description),
    publisher: cutOrNull(found.publisher),
    license: cutOrNull(found.license),
    source_url: cutOrNull(found.provenance.source_url),
    keywords: found.keywords.slice(0, 50).map(cutText),
    primary_key: found.primary_key,
    last_updated: served.lastUpdated,
    version: served.version,
    column_count: columns.length,
  }
  return fitResult(Math.max(0, columns.length - offset), (shown) => ({
    ...about,
    columns: columns
      .slice(offset, offset + shown)
      .map(({ name, title, type, unit, description, null_count, distinct_count, min, max }) => ({
        name,
        title: cutOrNull(title),
        type,
        unit: cutOrNull(unit),
        description: cutOrNull(description),
        null_count,
        distinct_count,
        min: showsValues ? asText(min) : null,
        max: showsValues ? asText(max) : null,
        sample: asText(sample?.[name]),
      })),
    ...moreAfter(offset + shown, columns.length),
    rest: restOf(reader, served, 'columns'),
  }))
}

function cutOrNull(text: string | null): string | null {
  return text === null ? null : cutText(text)
}

function asText(value: unknown): string | null {
  return value === null || value === undefined ? null : shorten(String(value), LONGEST_DESCRIPTION)
}

const lists = new ListReader()

export function queryRows(reader: ToolReader, given: ToolArguments): Promise<ToolResult> {
  return answer(reader, { limit: DEFAULT_ROWS, ...given }, 'rows', (query, place, served, schema) => {
    const read = lists.read(query, served, schema)
    return (dataset) => listByOffset(dataset, read, true, place)
  })
}

export function aggregate(reader: ToolReader, given: ToolArguments): Promise<ToolResult> {
  return answer(reader, { limit: DEFAULT_ROWS, ...given }, 'groups', (query, place, _, schema) => {
    const request = parseAggregateQuery(query, schema)
    return (dataset) => listGroups(dataset, request, schema, place)
  })
}

export function facets(reader: ToolReader, given: ToolArguments): Promise<ToolResult> {
  return answer(reader, given, 'facets', (query, place, _, schema) => {
    const request = parseFacetsQuery(query, schema)
    return (dataset) => listFacets(dataset, request, place)
  })
}

type Kind = 'columns' | 'rows' | 'groups' | 'facets'

/** Paths below a dataset for the same question to the API and for its file, and how a tool continues. */
const WAYS: Readonly<Record<Kind, { readonly api: string; readonly file?: string; readonly how: string }>> = {
  columns: { api: '', file: 'download', how: 'Columns by "offset" of this tool, rows by query_rows' },
  rows: { api: '', file: 'download', how: 'Rows by "limit" and "offset" of this tool' },
  groups: { api: '/aggregate', file: 'aggregate', how: 'Groups by "limit" and "offset" of this tool' },
  facets: { api: '/facets', how: 'Other columns by "columns", other values by "filters" of this tool' },
}

async function answer(
  reader: ToolReader,
  given: ToolArguments,
  kind: Kind,
  read: (
    query: string,
    place: { readonly base: string; readonly path: string },
    served: ServedDataset,
    schema: QuerySchema,
  ) => (dataset: OpenDataset) => ValueOrPromise<ListedPage>,
): Promise<ToolResult> {
  const query = toQuery(given)
  try {
    const served = requireDataset(reader, given.dataset)
    await reader.admit(served)
    const path = datasetEndpoint(served.domain, served.id) + WAYS[kind].api
    const run = read(query, { base: reader.base, path }, served, schemaOf(served))
    // The bytes of the rows are valid in this turn only, so they are read at once.
    const page = await reader.openDatasets.use(
      served,
      (dataset) => withValue(run(dataset), (page) => ({ ...page, ...readItems(page.rows) })),
      reader.share(query),
    )
    reader.note(served, page.items.length)
    return fitItems(reader, served, given, kind, query, page)
  } catch (error) {
    throw reader.refuse(error, query)
  }
}

function fitItems(
  reader: ToolReader,
  served: ServedDataset,
  { offset = 0 }: ToolArguments,
  kind: Kind,
  query: string,
  page: ListedPage & ReturnType<typeof readItems>,
): ToolResult {
  const { items, isCut, hints, pagination } = page
  const total = typeof pagination?.total === 'number' ? pagination.total : items.length
  // A hint may repeat a list of thousands of values.
  const shownHints = hints?.filter(({ value }) => cutText(value) === value) ?? []
  const result = fitResult(items.length, (shown) => ({
    dataset: served.id,
    version: served.version,
    last_updated: served.lastUpdated,
    ...(kind !== 'facets' && { total }),
    [kind]: items.slice(0, shown),
    ...(kind !== 'facets' && moreAfter(offset + shown, total)),
    ...(shown < items.length && { left_off: items.length - shown }),
    ...(kind === 'facets' &&
      shown < items.length && { left_off_columns: items.slice(shown).map(({ column }) => column) }),
    ...(isCut && { texts_cut: true }),
    ...(shownHints.length > 0 && { hints: shownHints }),
    rest: restOf(reader, served, kind, query),
  }))
  if (result.structuredContent?.left_off !== items.length) return result
  const [what, where] = kind === 'facets' ? ['column', 'limit'] : ['row', 'fields']
  const how = kind === 'facets' ? 'ask for fewer values by "limit"' : 'name fewer columns in "fields"'
  const message = `One ${what} is larger than an answer may be: ${how}.`
  throw new ApiError('invalid_fields', message, [{ location: `arguments.${where}`, message }])
}

function moreAfter(end: number, total: number): ToolAnswer {
  return end < total ? { has_more: true, next_offset: end } : { has_more: false, next_offset: null }
}

/** As for links of lists (contract 2). */
const LONGEST_LINK = 4096

/** Where the whole answer is: the same question to the API and, where there is one, as a file. */
function restOf({ base, isPublic }: ToolReader, served: ServedDataset, kind: Kind, query = ''): ToolAnswer {
  const { id, domain } = served
  const { api, file, how } = WAYS[kind]
  const endpoint = `${base}${datasetEndpoint(domain, id)}`
  const asked = query.split('&').filter((part) => part !== '' && !/^(limit|offset)=/.test(part))
  const isLong = base.length + query.length > LONGEST_LINK
  const kept = isLong ? [] : asked
  const open = isPublic(served)
  const path = open
    ? `${base}/datasets/${id}/${file}`
    : `${endpoint}/${file === 'download' ? 'export' : file}`
  const ways = [
    how,
    '"api" needs an API key as Authorization: Bearer',
    ...(file === undefined ? [] : [`"file" is everything as CSV${open ? '' : ', with the key'}`]),
    ...(isLong ? ['the question is too long for an address: the addresses are without it'] : []),
  ]
  return {
    how: ways.join('; '),
    page: `${base}/datasets/${id}`,
    api: `${endpoint}${api}${kept.length === 0 ? '' : `?${kept.join('&')}`}`,
    ...(file !== undefined && { file: `${path}?${[...kept, 'format=csv'].join('&')}` }),
  }
}

/** @throws ApiError `dataset_not_found`, with the ids of datasets with similar names */
function requireDataset({ catalog, within }: ToolReader, name = ''): ServedDataset {
  const id = name.split('/').pop() ?? ''
  const served = catalog.find(id)
  const isMeant = served !== undefined && (name === id || name === `${served.domain}/${id}`)
  if (isMeant && holdsDataset(within, served.domain, id)) return served
  const { code, detail } = refuseDataset(catalog, id, id, 'arguments.dataset', within)
  const near = detail?.[0]?.suggestions ?? []
  const message = `There is no dataset ${JSON.stringify(name.slice(0, 80))}. ${
    near.length === 0 ? 'search_datasets finds those there are.' : `Did you mean ${near.join(' or ')}?`
  }`
  throw new ApiError(code, message, [
    { location: 'arguments.dataset', message, ...(near.length > 0 && { suggestions: near }) },
  ])
}

export interface ToolReader {
  readonly catalog: Catalog
  readonly openDatasets: OpenDatasets
  /** The part of the catalog that the caller may read. */
  readonly within: Places
  /** Absolute address of the service, without a slash at the end. */
  readonly base: string
  /** Whether the files of a dataset need no key. */
  isPublic(served: ServedDataset): boolean
  /** The datasets whose values a search may look into. @throws ApiError `rate_limited` */
  readsValues(): ValueOrPromise<RowReads>
  /** Whether the caller may read rows of a dataset. */
  readsRows(served: ServedDataset): boolean
  /**
   * Admits a query of rows.
   * @throws ApiError `api_key_missing`, `rate_limited`
   */
  admit(served: ServedDataset): ValueOrPromise<void>
  /**
   * The caller's share of the queries that take long; undefined: as many as it likes.
   * @param query in the one query language
   */
  share(query: string): QueryShare | undefined
  /** Counts what was read, for the usage of datasets. */
  note(served: ServedDataset, rows: number): void
  /** Turns a failure into the refusal for the caller, and logs what the caller must not know. */
  refuse(error: unknown, query: string): ApiError
}
