/** Answers, as OpenAPI 3.0 responses: what each status means, its headers, and an example of every error code. */

import type { ErrorCode } from '../../errors.ts'
import { ERROR_STATUS } from '../errors.ts'
import { type Node, ref } from './schemas.ts'

export const HEADERS: Readonly<Record<string, Node>> = {
  'X-Request-Id': header('Name of this request; a well-formed one sent along is kept.'),
  ETag: header('Weak tag of the answer; send it as `If-None-Match` to learn whether anything changed.'),
  Link: header('Repeats `links.next`, `prev`, `first` and `last` (RFC 8288); left out above 4 KB.'),
  'Cache-Control': header('`private, no-cache`: keep it, but ask before using it again.'),
  Vary: header('Request headers that the answer depends on.'),
  'Content-Encoding': header('`zstd` or `gzip`, negotiated for bodies over 1 KB.'),
  'Content-Disposition': header('Names the downloaded file.'),
  'WWW-Authenticate': header('`Bearer`'),
  'Retry-After': header('Seconds after which to try again.'),
}

function header(description: string): Node {
  return { description, schema: { type: 'string' } }
}

function headers(...names: readonly string[]): Node {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const EVERYWHERE = ['X-Request-Id', 'Vary', 'Cache-Control', 'Content-Encoding']

/** A 200 with a JSON body. */
export function jsonResponse(description: string, schema: Node, extra: readonly string[] = []): Node {
  return {
    description,
    headers: headers(...EVERYWHERE, ...extra),
    content: { 'application/json': { schema } },
  }
}

/** A 200 with the bytes of a file. */
export function fileResponse(description: string, contentTypes: readonly string[]): Node {
  return {
    description,
    headers: headers(...EVERYWHERE, 'ETag', 'Content-Disposition'),
    content: Object.fromEntries(contentTypes.map((type) => [type, { schema: { type: 'string' } }])),
  }
}

export const NOT_MODIFIED: Node = {
  description: 'Nothing changed since the answer whose `ETag` was sent. Not counted as use of the quota.',
  headers: headers('X-Request-Id', 'ETag', 'Vary', 'Cache-Control'),
}

/** An error as an example: the code, and the message that comes with it. */
export interface ErrorExample {
  readonly code: ErrorCode
  readonly message: string
  /** Path and query that bring it about, for those that a request alone can. */
  readonly request?: string
}

/** The error responses of a route, one per status, from examples of every code that it answers with. */
export function errorResponses(examples: readonly ErrorExample[]): Record<string, Node> {
  const byStatus = Map.groupBy(examples, ({ code }) => String(ERROR_STATUS[code]))
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, errorResponse(status, group)]))
}

const MEANINGS: Readonly<Record<string, string>> = {
  '401': 'The API key is missing, malformed, unknown or revoked.',
  '404': 'There is nothing of this name.',
  '405': 'The path exists, the method does not; `Allow` names those that do.',
  '413': 'The request body is larger than 1 MB.',
  '422':
    'The query cannot be answered as it stands. `detail` names every offender and what may have been meant.',
  '429': 'The rate limit or the monthly quota of the key is used up.',
  '500': 'The service failed; the log has the reason under the request id.',
  '503': 'Not at the moment: the dataset cannot be read, or the key runs too many exports.',
}

function errorResponse(status: string, group: readonly ErrorExample[]): Node {
  const extra =
    status === '401' ? ['WWW-Authenticate'] : ['429', '503'].includes(status) ? ['Retry-After'] : []
  const examples = group.map(({ code, message, request }) => [
    code,
    { ...(request !== undefined && { summary: request }), value: { error: { code, message } } },
  ])
  return {
    description: MEANINGS[status],
    headers: headers(...EVERYWHERE, ...extra),
    content: { 'application/json': { schema: ref('Error'), examples: Object.fromEntries(examples) } },
  }
}

/** What every route that needs a key may answer. */
export const KEY_ERRORS: readonly ErrorExample[] = [
  {
    code: 'api_key_missing',
    message: 'An API key is needed: send the header "Authorization: Bearer <API_KEY>".',
  },
  {
    code: 'api_key_malformed',
    message: 'This is not an API key: one is rok_ and 38 letters and digits. Check for a typing mistake.',
  },
  { code: 'api_key_invalid', message: 'No such API key. It may have been rotated or deleted.' },
  { code: 'api_key_revoked', message: 'This API key is revoked.' },
  { code: 'rate_limited', message: 'Too many requests in this minute.' },
  { code: 'quota_exceeded', message: 'The monthly quota is used up.' },
]

/** What any route may answer. */
export const COMMON_ERRORS: readonly ErrorExample[] = [
  {
    code: 'internal_error',
    message: 'Something went wrong on our side. The request id helps to find out what.',
  },
]

/** What distinguishes a route that needs a key. */
export function keyed(operationId: string, tag: string, summary: string): Node {
  return { operationId, tags: [tag], summary, security: [{ ApiKey: [] }] }
}

export const MISSING_DATASET: readonly ErrorExample[] = [
  {
    code: 'dataset_not_found',
    message: 'There is no dataset economy/no_such_dataset.',
    request: '/v1/economy/no_such_dataset',
  },
  {
    code: 'dataset_not_ingested',
    message: 'Dataset geospatial/siruta is known but has not been ingested yet.',
  },
]
