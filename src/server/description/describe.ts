/** The OpenAPI 3.1 description of the declared routes, from their own schemas. */

import type { ErrorCode } from '../../base/error-codes.ts'
import { runInTurns } from '../../engine/turns.ts'
import { statusOf } from '../../http/errors.ts'
import { CSRF_HEADER, sessionCookieName } from '../admission/session.ts'
import { CKAN_ERROR, ERROR, MCP_ERROR } from '../bodies/dataset-bodies.ts'
import { ACCESS, type Access } from '../declaration/access.ts'
import { NO_QUERY, queryErrors } from '../declaration/parameters.ts'
import { describedPath, pathParametersOf } from '../declaration/path-parameters.ts'
import { type AnswerFacts, type Description, type Route, TAGS } from '../declaration/route.ts'
import type { TObject } from '../declaration/schema.ts'
import { ERROR_MEANINGS } from './texts/error-meanings.ts'

type Node = { readonly [key: string]: unknown }

/** Schemas that have a name; each is written once. */
type Named = Record<string, unknown>

const MEANINGS = {
  'X-Request-Id': 'Id of this request; a well-formed one sent with the request is kept.',
  ETag: 'Tag of the answer, weak except for whole datasets; send it as `If-None-Match` to learn whether anything changed.',
  Link: 'Repeats `links.next`, `prev`, `first` and `last` (RFC 8288); left out above 4 KB.',
  HelpLink: '`rel="help"`: the section of the guide that explains the code.',
  'Cache-Control':
    '`private, no-cache`: keep it, but ask before using it again. Under `/account` `no-store`.',
  Vary: 'Request headers that the answer depends on.',
  'Content-Encoding': '`zstd` or `gzip`, negotiated for bodies over 1 KB.',
  'Content-Disposition': 'Names the downloaded file.',
  'Content-Range': 'Which bytes of the file these are.',
  'Accept-Ranges': '`bytes`: parts of the file can be requested.',
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
  'X-RateLimit-Reset': 'Seconds until all of them are available again.',
} as const

type HeaderName = keyof typeof MEANINGS

const HEADERS: Readonly<Record<string, Node>> = Object.fromEntries(
  Object.entries(MEANINGS).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
)

/** Headers of every answer. */
const EVERYWHERE: readonly HeaderName[] = ['X-Request-Id', 'Vary', 'Cache-Control', 'Content-Encoding']

/** Headers of every answer to a key. */
const LIMIT_HEADERS: readonly HeaderName[] = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

/** Values for parameters by name, from an existing dataset, so that examples can be called. */
type Examples = Readonly<Record<string, unknown>>

/** Works in turns: all routes take several. @param base the service's address, without a slash at the end */
export function describeRoutes(...about: Parameters<typeof describing>) {
  return runInTurns(describing(...about))
}

function* describing(routes: Iterable<Route>, base: string, title: string, text: string, examples: Examples) {
  const named: Named = {}
  for (const schema of [ERROR, CKAN_ERROR, MCP_ERROR]) lift(schema, named)
  const paths: Record<string, Record<string, Node>> = {}
  const tags = new Set<string>()
  for (const route of routes) {
    const { method, described } = route
    if (described === undefined) continue
    const at = describedPath(route)
    paths[at] = {
      ...paths[at],
      [method.toLowerCase()]: describeOperation(route, described, examples, named),
    }
    tags.add(described.tag)
    yield
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      // The version of the interface (specification 9), not of the program.
      version: '0.1.0',
      description: text,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: base }],
    tags: Object.entries(TAGS)
      .filter(([name]) => tags.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1))),
      headers: HEADERS,
      securitySchemes: securitySchemes(base),
    },
  }
}

function describeOperation(route: Route, facts: Description, examples: Examples, named: Named): Node {
  const { id, tag, summary, description, query, body, bodyExample, takesFile, answers } = facts
  const inPath = pathParametersOf(route).map(([name, { schema }]) => [name, schema])
  const parameters = [
    ...describeParameters('path', { properties: Object.fromEntries(inPath) }, examples, named),
    ...describeParameters('query', query, examples, named),
  ]
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: ACCESS[route.access].security.map((schemes) => {
      const needed = schemes.filter((scheme) => scheme !== 'CsrfToken' || route.method !== 'GET')
      return Object.fromEntries(needed.map((scheme) => [scheme, []]))
    }),
    ...(parameters.length > 0 && { parameters }),
    ...(takesFile && {
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
    }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: lift(body, named), ...(bodyExample && { example: bodyExample }) },
        },
      },
    }),
    // The declared answers, and one response per status of the route's error codes.
    responses: Object.fromEntries([
      ...Map.groupBy(errorCodesOf(route), (code) => String(statusOf(code, ACCESS[route.access])))
        .entries()
        .map(([status, codes]) => [status, describeError(route, status, codes)]),
      ...Object.entries({
        ...answers,
        ...(answers[200]?.headers?.includes('ETag') && { 304: UNCHANGED }),
      }).map(([status, answer]) => [status, describeAnswer(route, answer, named)]),
    ]),
  }
}

const UNCHANGED: AnswerFacts = {
  says: 'Nothing changed since the answer whose `ETag` was sent. It costs no call of the quota.',
  headers: ['ETag'],
}

function describeParameters(
  place: 'path' | 'query',
  { properties, required = [] }: Partial<TObject> = {},
  found: Examples,
  named: Named,
): Node[] {
  return Object.entries(properties ?? {}).map(([name, { description, examples, ...schema }]) => {
    const example = (examples as readonly unknown[] | undefined)?.[0] ?? found[name]
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: lift(schema, named),
      ...(example !== undefined && { example }),
    }
  })
}

function describeAnswer({ access }: Route, facts: AnswerFacts, named: Named): Node {
  const { says, body, types = [], headers = [] } = facts
  const limits = mayBeLimited(access) ? LIMIT_HEADERS : []
  const content = Object.fromEntries(types.map((type) => [type, { schema: schemaOfType(type) }]))
  return {
    description: says,
    headers: headerRefs([...EVERYWHERE, ...limits, ...headers]),
    ...((body || types.length > 0) && {
      content: { ...(body && { 'application/json': { schema: lift(body, named) } }), ...content },
    }),
  }
}

/** Whether answers to a key carry the headers of its limits. */
function mayBeLimited(access: Access): boolean {
  return ACCESS[access].isCounted || ACCESS[access].takesKey === true
}

function schemaOfType(type: string): Node {
  // Validators read this as the schema of one event.
  if (type === 'text/event-stream') return { type: 'object' }
  return /\bjson$/.test(type) && !type.startsWith('application/x-') ? { type: 'object' } : { type: 'string' }
}

/** Every code that a route may answer with. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const { access, method, described } = route
  const { query = NO_QUERY, errors = [] } = described ?? {}
  const ofPath = pathParametersOf(route).flatMap(([, parameter]) => parameter.errors)
  const codes = new Set<ErrorCode>([...ACCESS[access].errors, ...ofPath, ...queryErrors(query), ...errors])
  if (method === 'GET') codes.delete('csrf_failed')
  return [...codes]
}

function describeError({ access }: Route, status: string, codes: readonly ErrorCode[]): Node {
  const wait: readonly HeaderName[] = ['429', '503'].includes(status) ? ['Retry-After'] : []
  const keyless = codes.some((code) => code.startsWith('api_key_'))
  const limits = mayBeLimited(access) && !keyless ? LIMIT_HEADERS : []
  const headers = [...EVERYWHERE, ...limits, ...wait, ...(keyless ? ['WWW-Authenticate'] : [])]
  const schema = { $ref: `#/components/schemas/${ACCESS[access].errorSchema ?? 'Error'}` }
  return {
    description: codes.map((code) => `- \`${code}\`: ${ERROR_MEANINGS[code]}.`).join('\n'),
    headers: { ...headerRefs(headers), Link: { $ref: '#/components/headers/HelpLink' } },
    content: { 'application/json': { schema } },
  }
}

/** The schema with every named one in it replaced by a reference; the named ones are added to `named`. */
function lift(schema: unknown, named: Named): unknown {
  if (Array.isArray(schema)) return schema.map((item) => lift(item, named))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, ...rest } = schema as Node
  const inside = () =>
    Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, lift(value, named)]))
  if (typeof $id !== 'string') return inside()
  named[$id] ??= inside()
  return { $ref: `#/components/schemas/${$id}` }
}

function securitySchemes(base: string): Node {
  return {
    ApiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `rok_…`' },
    Session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName(base),
      description: 'Set by sign-up and login.',
    },
    CsrfToken: {
      type: 'apiKey',
      in: 'header',
      name: CSRF_HEADER,
      description: 'The `csrf_token` of the session, with every call that changes something.',
    },
  }
}

function headerRefs(names: readonly string[]): Node {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
