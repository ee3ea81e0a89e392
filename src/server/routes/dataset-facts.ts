/** What keyed and open rows have in common: their answers and refusals. */

import type { ErrorCode } from '../../base/error-codes.ts'
import { FORMAT_TABLE } from '../../query/formats.ts'
import { FACET, facetsOf, GROUP, groupsOf, pageOf, ROW } from '../bodies/dataset-bodies.ts'
import type { AnswerFacts } from '../declaration/route.ts'

/** Media types of exports. */
const FILE_TYPES = Object.values(FORMAT_TABLE).map((format) => format.contentType.split(';')[0]!)

const EXPORT_ERRORS = [
  'dataset_not_found',
  'unknown_column',
  'unknown_operator',
  'unknown_parameter',
  'duplicate_parameter',
  'invalid_fields',
  'rate_limited',
  'service_unavailable',
] as const satisfies readonly ErrorCode[]

export const LIST_ERRORS: readonly ErrorCode[] = [
  ...EXPORT_ERRORS,
  'invalid_sort',
  'invalid_limit',
  'invalid_offset',
  'invalid_cursor',
  'cursor_expired',
  'cursor_conflict',
]
export const FILE_ERRORS: readonly ErrorCode[] = [
  ...EXPORT_ERRORS,
  'invalid_sort',
  'invalid_format',
  'too_many_rows',
  'range_not_satisfiable',
]

/** Of an aggregate, which is also a file. */
export const AGGREGATE_ERRORS: readonly ErrorCode[] = [
  ...EXPORT_ERRORS.filter((code) => code !== 'invalid_fields'),
  'invalid_aggregate',
  'too_many_groups',
  'invalid_sort',
  'invalid_limit',
  'invalid_offset',
  'invalid_format',
]
export const FACETS_ERRORS: readonly ErrorCode[] = [
  ...EXPORT_ERRORS.filter((code) => code !== 'invalid_fields'),
  'invalid_limit',
]

export const NOT_MODIFIED: AnswerFacts = {
  says: 'Nothing changed since the answer whose `ETag` was sent. It costs no call of the quota.',
  headers: ['ETag'],
}

export const ROWS_ANSWERS = {
  200: {
    says: 'A page of rows: by offset, or by cursor when `cursor` is given.',
    body: pageOf(ROW),
    headers: ['ETag', 'Link'],
  },
  304: NOT_MODIFIED,
}

export const GROUPS_ANSWERS = {
  200: {
    says: 'A page of groups, or with `format` a file of all of them, as a stream. A transfer that breaks off is incomplete.',
    body: groupsOf(GROUP),
    types: FILE_TYPES,
    headers: ['ETag', 'Link', 'Content-Disposition'],
  },
  304: NOT_MODIFIED,
}

export const FACETS_ANSWERS = {
  200: {
    says: 'The facets of each column, in the order asked for.',
    body: facetsOf(FACET),
    headers: ['ETag'],
  },
  304: NOT_MODIFIED,
}

export const FILE_ANSWERS = {
  200: {
    says: 'The file. With filters, `sort` or `fields` it is a stream, and a transfer that breaks off is incomplete. A whole dataset is a file of its version: with a length, a digest and a strong tag.',
    types: FILE_TYPES,
    headers: ['ETag', 'Content-Disposition', 'Last-Modified', 'Accept-Ranges', 'Repr-Digest'],
  },
  206: {
    says: 'The part of a whole dataset that `Range` asks for. It is one call of the quota.',
    types: FILE_TYPES,
    headers: [
      'ETag',
      'Content-Disposition',
      'Content-Range',
      'Last-Modified',
      'Accept-Ranges',
      'Repr-Digest',
    ],
  },
  304: NOT_MODIFIED,
}
