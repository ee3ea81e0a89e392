/** Answers, as OpenAPI 3.0 responses: what each status means, its headers, and an example of every error code. */

import type { ErrorCode } from '../../errors.ts'
import { statusOf } from '../errors.ts'
import { type Node, ref } from './schemas.ts'

export const HEADERS: Readonly<Record<string, Node>> = {
  'X-Request-Id': header('Name of this request; a well-formed one sent along is kept.'),
  ETag: header('Weak tag of the answer; send it as `If-None-Match` to learn whether anything changed.'),
  Link: header('Repeats `links.next`, `prev`, `first` and `last` (RFC 8288); left out above 4 KB.'),
  HelpLink: header('`rel="help"`: the section of the guide that explains the code.'),
  'Cache-Control': header(
    '`private, no-cache`: keep it, but ask before using it again. Under `/account` `no-store`.',
  ),
  Vary: header('Request headers that the answer depends on.'),
  'Content-Encoding': header('`zstd` or `gzip`, negotiated for bodies over 1 KB.'),
  'Content-Disposition': header('Names the downloaded file.'),
  'Set-Cookie': header('The session of the browser: `HttpOnly`, `SameSite=Lax`, 30 days from its last use.'),
  'WWW-Authenticate': header('`Bearer`'),
  'Retry-After': header('Seconds after which to try again.'),
  'RateLimit-Policy': header(
    'What the plan allows (IETF draft); left out on a plan without limits, like the next ones.',
  ),
  RateLimit: header('What is left of it, and the seconds until there is more (IETF draft).'),
  'X-RateLimit-Limit': header('Requests a minute.'),
  'X-RateLimit-Remaining': header('What is left of them.'),
  'X-RateLimit-Reset': header('Seconds until all of them are there again.'),
}

/** Of every authenticated `/v1` answer. */
export const LIMIT_HEADERS = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const

function header(description: string): Node {
  return { description, schema: { type: 'string' } }
}

function headers(...names: readonly string[]): Node {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const EVERYWHERE = ['X-Request-Id', 'Vary', 'Cache-Control', 'Content-Encoding']

/** An answer with a JSON body. */
export function jsonResponse(description: string, schema: Node, extra: readonly string[] = []): Node {
  return {
    description,
    headers: headers(...EVERYWHERE, ...extra),
    content: { 'application/json': { schema } },
  }
}

/** An answer without a body. */
export function emptyResponse(description: string, extra: readonly string[] = []): Node {
  return { description, headers: headers('X-Request-Id', 'Vary', 'Cache-Control', ...extra) }
}

/** A 200 with the bytes of a dataset's file. */
export function fileResponse(
  description: string,
  contentTypes: readonly string[],
  limits: readonly string[] = LIMIT_HEADERS,
): Node {
  return {
    description,
    headers: headers(...EVERYWHERE, ...limits, 'ETag', 'Content-Disposition'),
    content: Object.fromEntries(contentTypes.map((type) => [type, { schema: { type: 'string' } }])),
  }
}

/** A 200 with a document that needs no key. */
export function documentResponse(description: string, contentType: string): Node {
  const schema = { type: /\bjson$/.test(contentType) ? 'object' : 'string' }
  return {
    description,
    headers: headers(...EVERYWHERE, 'ETag'),
    content: { [contentType]: { schema } },
  }
}

/** As `NOT_MODIFIED`, for documents that need no key. */
export const DOCUMENT_NOT_MODIFIED: Node = {
  description: 'Nothing changed since the answer whose `ETag` was sent.',
  headers: headers('X-Request-Id', 'ETag', 'Vary', 'Cache-Control'),
}

export const NOT_MODIFIED: Node = {
  description: 'Nothing changed since the answer whose `ETag` was sent. Not counted as use of the quota.',
  headers: headers('X-Request-Id', 'ETag', 'Vary', 'Cache-Control', ...LIMIT_HEADERS),
}

/** An error as an example: the code, and the message that comes with it. */
export interface ErrorExample {
  readonly code: ErrorCode
  readonly message: string
  /** Path and query that bring it about, for those that a request alone can. */
  readonly request?: string
}

/** The error responses of a route, one per status, from examples of every code that it answers with. */
export function errorResponses(
  examples: readonly ErrorExample[],
  path = '',
  meanings: Meanings = API_MEANINGS,
): Record<string, Node> {
  const byStatus = Map.groupBy(examples, ({ code }) => String(statusOf(code, path)))
  const keyed = examples.some(({ code }) => code === 'api_key_missing')
  const extra = (status: string) => (keyed && status !== '401' ? LIMIT_HEADERS : [])
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [status, errorResponse(status, group, meanings, extra(status))]),
  )
}

/** What each status means on a kind of route. */
export type Meanings = Readonly<Record<string, string>>

const API_MEANINGS: Meanings = {
  '401': 'The API key is missing, malformed, unknown or revoked.',
  '404': 'There is nothing of this name.',
  '405': 'The path exists, the method does not; `Allow` names those that do.',
  '413': 'The request body is larger than 1 MB.',
  '422':
    'The query cannot be answered as it stands. `detail` names every offender and what may have been meant.',
  '429':
    'The rate limit, the monthly quota, or the share of long queries of the key is used up. The message says which change of the query would help.',
  '500': 'The service failed; the log has the reason under the request id.',
  '503':
    'Not at the moment: the dataset cannot be read, the query took too long, or too many queries or exports are running. Retry-After says when to ask again.',
}

function errorResponse(
  status: string,
  group: readonly ErrorExample[],
  meanings: Meanings,
  more: readonly string[],
): Node {
  const extra = [
    ...more,
    ...(group.some(({ code }) => code.startsWith('api_key_')) ? ['WWW-Authenticate'] : []),
    ...(['429', '503'].includes(status) ? ['Retry-After'] : []),
  ]
  const examples = group.map(({ code, message, request }) => [
    code,
    { ...(request !== undefined && { summary: request }), value: { error: { code, message } } },
  ])
  return {
    description: meanings[status],
    headers: { ...headers(...EVERYWHERE, ...extra), Link: { $ref: '#/components/headers/HelpLink' } },
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
  { code: 'rate_limited', message: 'This key may make 600 requests a minute; try again in 1 s.' },
  {
    code: 'quota_exceeded',
    message: 'The 10000 calls of this month are used up; there will be new ones on 2025-02-01, 00:00 UTC.',
  },
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
    message: 'There is no dataset economy/no_such_dataset. GET /v1/datasets lists those there are.',
    request: '/v1/economy/no_such_dataset',
  },
  {
    code: 'dataset_not_ingested',
    message:
      'Dataset geospatial/siruta is known but has not been ingested yet: it has no rows until the operator of this service publishes them.',
  },
]
