/**
 * Random requests to every route of the service: with its method or another, existing and invented values in the address,
 * a query, a valid, damaged or missing body, and valid, missing or nonsensical credentials. The dice determine every
 * request.
 */

import { TOOLS, type ToolName } from '../../src/interop/mcp/schemas.ts'
import type { Route } from '../../src/server/declaration/route.ts'
import type { Dice } from './dice.ts'

/** What exists in the service. */
export interface Known {
  readonly key: string
  /** Of the session of an operator. */
  readonly session: { readonly cookie: string; readonly csrf: string }
  /** Existing values, by the name of a path parameter. */
  readonly values: Readonly<Record<string, readonly string[]>>
  /** Names of columns. */
  readonly columns: readonly string[]
}

export interface MadeRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  /** Whether the request uses the session of `Known`. */
  readonly isSignedIn: boolean
}

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'get']
const ODD = [
  ...['', ' ', '0', '-1', '1', '2', '100', '1e9', '99999999999999999999', '1.5', 'NaN', 'null', 'true', '[]'],
  ...['a', 'ș', 'İ', '😀', '\u0000', '\u202e', '\ud800', "' OR 1=1 --", '<script>', '../../etc/passwd'],
  ...['%2e%2e%2f', '%', '%zz', '%00', '..', '.', ';', '\r\nX: y', 'rok_x', 'constructor', '__proto__'],
  ...['2024-02-30', '2999-01-01', '2024-01-01T00:00:00Z', 'csv', 'xlsx', 'parquet', 'ndjson', 'json', '2xx'],
  ...['x'.repeat(300), 'ș'.repeat(2000), `${'['.repeat(500)}`, 'start', 'count', 'sum(value)', 'en', 'ro'],
]
const PARAMETERS = [
  ...[
    'limit',
    'offset',
    'sort',
    'fields',
    'count',
    'cursor',
    'format',
    'q',
    'group_by',
    'measures',
    'columns',
  ],
  ...['resource_id', 'filters', 'fq', 'rows', 'start', 'distinct', 'records_format', 'all_fields', 'plain'],
  ...['lang', 'next', 'note', 'bom', 'days', 'wait', 'domain', 'status', 'key_id', 'from', 'to', 'page'],
]
const ACCEPTS = ['*/*', 'text/html', 'application/json', 'text/turtle', 'image/png', ';;;q=', 'a/b;q=2']
/** An address at which nothing listens. */
const NOWHERE = 'http://127.0.0.1:9/none.csv'

/** @param routes of the service */
export function randomRouteRequest(dice: Dice, routes: readonly Route[], known: Known): MadeRequest {
  const route = dice.pick(routes)
  const method = dice.chance(0.9) ? route.method : dice.pick(METHODS)
  const isSignedIn = dice.chance(0.7)
  const bare = method === 'GET' || method === 'HEAD' || method === 'get' || method === 'TRACE'
  const { body, type } = bare ? { body: undefined, type: undefined } : randomBody(dice, route, known)
  const headers = randomHeaders(dice, route, known, isSignedIn)
  return {
    ...{ method, body, isSignedIn },
    path: fillPath(dice, route.path, known) + randomQuery(dice, route, known),
    headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
  }
}

/** Existing values of a parameter. */
function known(values: Known['values'], name: string, otherwise: readonly string[]): readonly string[] {
  return (Object.hasOwn(values, name) ? values[name] : undefined) ?? otherwise
}

/** A value as it may be in an address. */
function encoded(dice: Dice, value: string): string {
  return dice.chance(0.9) ? encodeURIComponent(value.toWellFormed()) : value.replace(/[\s#?\ud800\0]/g, '')
}

function fillPath(dice: Dice, path: string, { values }: Known): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const list = known(values, name, [])
    return encoded(dice, list.length > 0 && dice.chance(0.85) ? dice.pick(list) : dice.pick(ODD))
  })
  return dice.chance(0.97) ? filled : `${filled}/${encoded(dice, dice.pick(ODD))}`
}

function randomQuery(dice: Dice, { described }: Route, { columns, values }: Known): string {
  if (dice.chance(0.4)) return ''
  const declared = Object.keys(described?.query?.properties ?? {})
  const names = declared.length > 0 && dice.chance(0.8) ? declared : [...PARAMETERS, ...columns]
  const pairs = Array.from({ length: dice.between(1, 4) }, () => {
    const name = dice.chance(0.95) ? dice.pick(names) : dice.pick(ODD)
    const operator = dice.chance(0.15) ? `[${dice.pick(['gte', 'in', 'contains', 'is_null', 'xx', ''])}]` : ''
    const likely = name === 'wait' ? ['0', '1'] : known(values, name, [...columns, '1', '10', 'csv', 'json'])
    const value = dice.chance(0.6) ? dice.pick(likely) : dice.pick(ODD)
    return `${encoded(dice, name + operator)}=${encoded(dice, value)}`
  })
  return `?${pairs.join('&')}`
}

function randomHeaders(
  dice: Dice,
  { path }: Route,
  known: Known,
  isSignedIn: boolean,
): Record<string, string> {
  const { key, session } = known
  const headers: Record<string, string> = {}
  // For other machines the operators' desk is 404.
  if (!path.startsWith('/operate') || dice.chance(0.1))
    headers['x-forwarded-for'] = `10.${dice.below(40)}.${dice.below(250)}.${dice.below(250)}`
  // The key cannot publish, and takes precedence over a session.
  if (dice.chance(/^\/(publish|operate)/.test(path) ? 0.1 : 0.8))
    headers.authorization = dice.chance(0.9)
      ? `Bearer ${key}`
      : dice.pick([
          'Bearer',
          'Bearer x',
          'Basic YTpi',
          `bearer ${key}`,
          `Bearer ${key.slice(0, -1)}0`,
          `${key}`,
        ])
  if (isSignedIn) headers.cookie = session.cookie
  else if (dice.chance(0.1))
    headers.cookie = dice.pick(['izvor_session=', 'izvor_session=x', 'a; b; =c', ';;;='])
  if (dice.chance(0.93)) headers['x-csrf-token'] = dice.chance(0.95) ? session.csrf : 'x'
  if (dice.chance(0.3)) headers.accept = dice.pick(ACCEPTS)
  if (dice.chance(0.2))
    headers['accept-encoding'] = dice.pick(['gzip', 'br', 'identity;q=0', 'zstd, *;q=0', ';'])
  if (dice.chance(0.1)) headers['if-none-match'] = dice.pick(['*', '"x"', 'W/"x"', 'x', '""""'])
  if (dice.chance(0.1))
    headers.range = dice.pick(['bytes=0-9', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,2-3', 'rows=1'])
  if (dice.chance(0.05)) headers.origin = dice.pick(['null', 'https://elsewhere.example', 'x'])
  if (dice.chance(0.05)) headers['sec-fetch-site'] = dice.pick(['cross-site', 'same-origin', 'x'])
  if (dice.chance(0.1)) headers['accept-language'] = dice.pick(['ro', 'en;q=0', 'x;q=y', '*', ','])
  return headers
}

interface Body {
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  readonly type: string | undefined
}

const JSON_TYPE = 'application/json'
const TYPES = [JSON_TYPE, 'text/plain', 'application/json; charset=x', 'multipart/form-data', '', 'x']
const TABLES = [
  'a,b\n1,2\n3,4\n',
  'județ;valoare\nCluj;1,5\n',
  '\u0000\u0001',
  '[{"a":1},{"a":2}]',
  '{',
  'a\n',
  '<html>',
]
const NOISE = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '{"a":1,"a":2}',
  `${'['.repeat(5000)}`,
  '\ufeff{}',
  '{"__proto__":1}',
]

function randomBody(dice: Dice, { path, described }: Route, known: Known): Body {
  if (dice.chance(0.1)) return { body: undefined, type: undefined }
  if (described?.takesFile && dice.chance(0.7))
    return { body: dice.pick(TABLES), type: dice.pick(['text/csv', 'application/octet-stream', 'x']) }
  const type = dice.chance(0.93) ? JSON_TYPE : dice.pick(TYPES)
  const noise = dice.below(100)
  if (noise < 5) return { body: dice.pick(NOISE), type }
  if (noise < 7) return { body: Uint8Array.from({ length: 50 }, () => dice.below(256)), type }
  if (noise < 8) return { body: JSON.stringify({ email: 'x'.repeat(dice.pick([20_000, 1_100_000])) }), type }
  return {
    body: JSON.stringify(
      damaged(dice, path === '/mcp' ? randomMessage(dice, known) : exampleOf(described?.bodyExample)),
    ),
    type,
  }
}

/** MCP messages, mostly calls of a tool with arguments that fit some tool. */
function randomMessage(dice: Dice, { columns, values }: Known): object {
  const head = { jsonrpc: '2.0', id: dice.pick([1, 'a', 0]) }
  if (dice.chance(0.1)) return { ...head, method: dice.pick(['tools/list', 'ping', 'initialize', 'x']) }
  const some = (list: readonly string[]) => (dice.chance(0.85) ? dice.pick(list) : dice.pick(ODD))
  const operator = () => dice.pick(['', '[gte]', '[in]', '[contains]', '[is_null]', '[xx]'])
  const made: Readonly<Record<string, () => unknown>> = {
    q: () => some(['a', 'Cluj']),
    filters: () => ({
      [some(columns) + operator()]: dice.pick<unknown>([some(['1', 'Cluj']), 5, true, ['1', 2]]),
    }),
    sort: () => some([...columns, '-count']),
    fields: () => [some(columns), some(columns)],
    group_by: () => some(known(values, 'group_by', columns)),
    measures: () => some(known(values, 'measures', columns)),
    columns: () => some(columns),
    limit: () => dice.pick([0, 1, 10, 1000, 1e9, -1, 1.5]),
    offset: () => dice.pick([0, 1, 1e15, -1]),
    domain: () => some(known(values, 'domain', columns)),
  }
  const name = dice.chance(0.95) ? dice.pick(Object.keys(TOOLS)) : dice.pick(ODD)
  const takes = Object.keys(dice.pick(Object.values(TOOLS)).input.properties ?? {})
  const likely = isTool(name) && dice.chance(0.9) ? Object.keys(TOOLS[name].input.properties ?? {}) : takes
  const given = likely.filter((one) => one !== 'dataset' && dice.chance(0.4))
  const entries = given.map((one) => [one, Object.hasOwn(made, one) ? made[one]!() : dice.pick(ODD)])
  const dataset = likely.includes('dataset') ? { dataset: some(known(values, 'dataset', columns)) } : {}
  const params = { name, arguments: { ...dataset, ...Object.fromEntries(entries) } }
  return { ...head, method: 'tools/call', params }
}

function isTool(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name)
}

function exampleOf(example: object | undefined): object {
  return JSON.parse(JSON.stringify(example ?? {}), (_, value) =>
    typeof value === 'string' && /^https?:/.test(value) ? NOWHERE : value,
  )
}

/** Half of the bodies stay valid; the others lose, gain or change a member. */
function damaged(dice: Dice, value: object): unknown {
  if (dice.chance(0.5)) return value
  const entries = Object.entries(value)
  const odd = () =>
    dice.pick<unknown>([...ODD, null, 0, -1, 1.5, 1e308, true, [], {}, [null], { a: { b: [] } }])
  const change = dice.below(4)
  if (change === 0 || entries.length === 0) entries.push([dice.pick(ODD), odd()])
  else if (change === 1) entries.splice(dice.below(entries.length), 1)
  else {
    const place = dice.below(entries.length)
    const [name, inner] = entries[place] as [string, unknown]
    const isNested = inner !== null && typeof inner === 'object' && !Array.isArray(inner)
    entries[place] = [name, isNested && change === 2 ? damaged(dice, inner) : odd()]
  }
  return Object.fromEntries(entries)
}
