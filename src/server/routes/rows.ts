/**
 * Rows, files, groups and facets of one dataset: below `/v1/{domain}/{dataset}` with a key (specification 4.4-4.7, contract
 * 7), and below `/datasets/{id}` without one, for the explorer.
 */

import type { App } from '../../app.ts'
import type { ErrorCode } from '../../base/error-codes.ts'
import { ApiError } from '../../base/errors.ts'
import { findDefinition } from '../../publish/edition/identity.ts'
import { FORMAT_TABLE } from '../../query/formats.ts'
import { requireDataset } from '../../query/query-schema.ts'
import { refuseDataset } from '../../store/catalog/missing-dataset.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { holdsDataset } from '../../store/catalog/search/places.ts'
import { FACET, facetsOf, GROUP, groupsOf, pageOf, ROW } from '../bodies/dataset-bodies.ts'
import type { Call } from '../call.ts'
import { AGGREGATE_QUERY, EXPORT_QUERY, FACETS_QUERY, LIST_QUERY } from '../declaration/dataset-query.ts'
import { type Description, type Route, route } from '../declaration/route.ts'
import { answerExport } from '../rows/export-answer.ts'
import { answerAggregate, answerFacets, answerList } from '../rows/list-answer.ts'

type Path = '' | '/rows' | '/export' | '/download' | '/aggregate' | '/facets'
type Named = readonly [path: Path, id: string, summary: string]

interface Asked extends Pick<Description, 'query' | 'answers' | 'isStreamed'> {
  /** Below `/v1/:domain/:dataset`, with a key. */
  readonly keyed: Named
  /** Below `/datasets/:id`, without one. */
  readonly open: Named
  readonly errors: readonly ErrorCode[]
  readonly answer: typeof answerList
}

const FILE_TYPES = Object.values(FORMAT_TABLE).map((format) => format.contentType.split(';')[0]!)
const FILE_HEADERS = ['ETag', 'Content-Disposition', 'Last-Modified', 'Accept-Ranges', 'Repr-Digest']

const ERRORS: readonly ErrorCode[] = [
  'unknown_column',
  'unknown_operator',
  'unknown_parameter',
  'duplicate_parameter',
  'rate_limited',
  'service_unavailable',
]
const PAGE_ERRORS = ['invalid_sort', 'invalid_limit', 'invalid_offset'] as const

const ASKED: readonly Asked[] = [
  {
    keyed: ['', 'listRows', 'List rows'],
    open: ['/rows', 'browseRows', 'List rows without a key, for people'],
    query: LIST_QUERY,
    answers: {
      200: {
        says: 'A page of rows: by offset, or by cursor when `cursor` is given.',
        body: pageOf(ROW),
        headers: ['ETag', 'Link'],
      },
    },
    errors: ['invalid_fields', ...PAGE_ERRORS, 'invalid_cursor', 'cursor_expired', 'cursor_conflict'],
    answer: answerList,
  },
  {
    keyed: ['/export', 'exportRows', 'Export all matching rows'],
    open: ['/download', 'downloadRows', 'Download all matching rows without a key'],
    query: EXPORT_QUERY,
    answers: {
      200: {
        says: 'The file. With filters, `sort` or `fields` it is a stream, and a transfer that breaks off is incomplete. A whole dataset is a file of its version: with a length, a digest and a strong tag.',
        types: FILE_TYPES,
        headers: FILE_HEADERS,
      },
      206: {
        says: 'The part of a whole dataset that `Range` asks for. It is one call of the quota.',
        types: FILE_TYPES,
        headers: ['Content-Range', ...FILE_HEADERS],
      },
    },
    errors: ['invalid_fields', 'invalid_sort', 'invalid_format', 'too_many_rows', 'range_not_satisfiable'],
    isStreamed: true,
    answer: answerExport,
  },
  {
    keyed: ['/aggregate', 'aggregateRows', 'Group rows, and measure the groups'],
    open: ['/aggregate', 'browseGroups', 'Group rows and measure the groups without a key, for people'],
    query: AGGREGATE_QUERY,
    answers: {
      200: {
        says: 'A page of groups, or with `format` a file of all of them, as a stream. A transfer that breaks off is incomplete.',
        body: groupsOf(GROUP),
        types: FILE_TYPES,
        headers: ['ETag', 'Link', 'Content-Disposition'],
      },
    },
    errors: ['invalid_aggregate', 'too_many_groups', ...PAGE_ERRORS, 'invalid_format'],
    answer: answerAggregate,
  },
  {
    keyed: ['/facets', 'listFacets', 'Count the most frequent values of columns'],
    open: ['/facets', 'browseFacets', 'Count the most frequent values of columns without a key, for people'],
    query: FACETS_QUERY,
    answers: {
      200: {
        says: 'The facets of each column, in the order asked for.',
        body: facetsOf(FACET),
        headers: ['ETag'],
      },
    },
    errors: ['invalid_limit'],
    answer: answerFacets,
  },
]

function describe(
  [, id, summary]: Named,
  { keyed: _, open: __, answer: ___, errors, ...facts }: Asked,
  more: readonly ErrorCode[],
) {
  return {
    ...facts,
    id,
    summary,
    tag: 'Datasets' as const,
    errors: [...more, ...ERRORS, ...errors],
  }
}

export const DATASET_ROUTES: readonly Route[] = ASKED.map((asked) =>
  route('key', `/v1/:domain/:dataset${asked.keyed[0]}`, {
    ...describe(asked.keyed, asked, ['dataset_not_ingested']),
    handle: ({ app, state, exchange, params }) => {
      const served = requireServed(app, exchange, params)
      return asked.answer({ app, exchange, served, readers: state.keyed }, state.lists)
    },
  }),
)

export const OPEN_ROW_ROUTES: readonly Route[] = ASKED.map((asked) =>
  route('none', `/datasets/:id${asked.open[0]}`, {
    ...describe(asked.open, asked, ['api_key_missing']),
    handle: async ({ app, state, exchange, params }) => {
      const served = requireDataset(app.catalog, params.id)
      await state.open.admit(exchange, served)
      return asked.answer({ app, exchange, served, readers: state.open.readers }, state.lists)
    },
  }),
)

/**
 * The served version of a dataset in a domain, for a key that may read it.
 * @throws ApiError `dataset_not_ingested` when only its definition is known, else `dataset_not_found`
 */
function requireServed(
  app: App,
  { key }: Call,
  { domain, dataset: id }: { readonly domain: string; readonly dataset: string },
): ServedDataset {
  const { reads } = key!.scopes
  const isReadable = reads === 'all' || holdsDataset(reads, domain, id)
  const served = app.catalog.find(id)
  if (isReadable && served !== undefined && served.domain === domain) return served
  if (isReadable && served === undefined && findDefinition(domain, id) !== undefined) {
    throw new ApiError(
      'dataset_not_ingested',
      `Dataset ${domain}/${id} is known but has not been ingested yet: it has no rows until the operator of this service publishes them.`,
    )
  }
  throw refuseDataset(app.catalog, id, `${domain}/${id}`, 'path.dataset', reads)
}
