/** Response headers, as the description explains them. */

import type { Node } from './openapi31.ts'

const MEANINGS = {
  'X-Request-Id': 'Name of this request; a well-formed one sent along is kept.',
  ETag: 'Tag of the answer, weak but for whole datasets; send it as `If-None-Match` to learn whether anything changed.',
  Link: 'Repeats `links.next`, `prev`, `first` and `last` (RFC 8288); left out above 4 KB.',
  HelpLink: '`rel="help"`: the section of the guide that explains the code.',
  'Cache-Control':
    '`private, no-cache`: keep it, but ask before using it again. Under `/account` `no-store`.',
  Vary: 'Request headers that the answer depends on.',
  'Content-Encoding': '`zstd` or `gzip`, negotiated for bodies over 1 KB.',
  'Content-Disposition': 'Names the downloaded file.',
  'Content-Range': 'Which bytes of the file these are.',
  'Accept-Ranges': '`bytes`: parts of the file may be asked for.',
  'Repr-Digest': 'SHA-256 of the whole file (RFC 9530).',
  'Last-Modified': 'When the version was published.',
  'Set-Cookie':
    'The session of the browser: `HttpOnly`, `SameSite=Lax`, 30 days from its last use, 90 from the sign-in at most.',
  'WWW-Authenticate': '`Bearer`',
  'Retry-After': 'Seconds after which to try again.',
  Allow: 'The methods of the address.',
  'RateLimit-Policy':
    'What the plan allows (IETF draft); left out on a plan without limits, like the next ones.',
  RateLimit: 'What is left of it, and the seconds until there is more (IETF draft).',
  'X-RateLimit-Limit': 'Requests a minute.',
  'X-RateLimit-Remaining': 'What is left of them.',
  'X-RateLimit-Reset': 'Seconds until all of them are there again.',
} as const

export type HeaderName = keyof typeof MEANINGS

export const HEADERS: Readonly<Record<string, Node>> = Object.fromEntries(
  Object.entries(MEANINGS).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
)

/** Of every answer. */
export const EVERYWHERE: readonly HeaderName[] = ['X-Request-Id', 'Vary', 'Cache-Control', 'Content-Encoding']

/** Of every answer to a key. */
export const LIMIT_HEADERS: readonly HeaderName[] = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

export function headerRefs(names: readonly string[]): Node {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
