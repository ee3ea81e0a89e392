/**
 * Parameters of query strings: each is a schema for the description with its reader (`query/parameters.ts`). Queries of
 * rows are read by `query/query.ts`, since their parameters are the columns.
 */

import { type Static, t } from 'elysia'
import type { ErrorCode } from '../../base/error-codes.ts'
import * as reading from '../../query/parameters.ts'
import { DEFAULT_LIMIT, LARGEST_LIMIT, PAGE_PARAMETERS } from '../../query/parameters.ts'
import { quote } from '../../query/values.ts'
import type { TObject, TUnsafe } from './schema.ts'

const READS = Symbol('reads')

interface About {
  readonly description: string
  readonly examples?: readonly unknown[]
  readonly [keyword: string]: unknown
}

/** A parameter with a schema; it is optional unless its reader requires it. */
export function parameter<T>(schema: object, reads: reading.QueryParameter<T>): TUnsafe<T> {
  const made = t.Unsafe<T>({ ...schema, [READS]: reads })
  return reads.required === undefined ? (t.Optional(made) as TUnsafe<T>) : made
}

interface Bounds<T> {
  readonly min: number
  readonly max: number
  readonly fallback: T
}

export function integerParameter<T extends number | undefined>(
  name: string,
  bounds: Bounds<T>,
  about: About,
  code?: ErrorCode,
): TUnsafe<number | T> {
  const schema = { type: 'integer', minimum: bounds.min, maximum: bounds.max, ...about }
  return parameter(schema, reading.integerParameter(name, bounds, code))
}

/** As `integerParameter`, with the fallback as the default that generated clients send. */
function defaultedInteger(name: string, bounds: Bounds<number>, about: About, code?: ErrorCode) {
  return integerParameter(name, bounds, { default: bounds.fallback, ...about }, code)
}

/**
 * A text that matches a pattern. The description shows a pattern without flags only.
 * @param fits the pattern, and the end of the sentence for a text that does not match
 */
export function textParameter(
  name: string,
  [pattern, expected]: readonly [pattern: RegExp, expected: string],
  about: About,
): TUnsafe<string | undefined> {
  const bound = pattern.flags === '' ? { pattern: pattern.source } : {}
  return parameter({ type: 'string', ...bound, ...about }, reading.textParameter(name, pattern, expected))
}

/** A required text. @param required the message where it is missing or empty */
export function requiredText(required: string, about: About): TUnsafe<string> {
  const schema = { type: 'string', minLength: 1, ...about }
  const read: reading.QueryParameter<string>['read'] = (text, note) => {
    if (text === '') note({ message: required })
    return text
  }
  return parameter(schema, { fallback: '', code: 'invalid_value', required, read })
}

/** The format of an answer; by default the first. */
export function formParameter(forms: readonly [string, ...string[]], description: string): TUnsafe<string> {
  const schema = { type: 'string', enum: forms, examples: [forms[0]], description }
  const read: reading.QueryParameter<string>['read'] = (text, note) => {
    if (!forms.includes(text))
      note({ message: `parameter "format" must be ${forms.join(' or ')}, not ${quote(text)}` })
    return text
  }
  return parameter(schema, { fallback: forms[0], code: 'invalid_format', read })
}

/** A moment, written like the values of datetime columns. */
export function momentParameter(name: string, about: About): TUnsafe<string | undefined> {
  return parameter({ type: 'string', format: 'date-time', ...about }, reading.momentParameter(name))
}

/** `days` of a report. */
export function daysParameter(max: number, fallback: number): TUnsafe<number> {
  const about = { description: 'Days up to today, UTC.', examples: [14] }
  return defaultedInteger('days', { min: 1, max, fallback }, about)
}

/** `limit` of a list (specification 8). @param description what it limits */
export function limitParameter(
  max: number,
  fallback: number,
  description = 'Rows per page.',
): TUnsafe<number> {
  const about = { description, examples: [5] }
  return defaultedInteger('limit', { min: 1, max, fallback }, about, 'invalid_limit')
}

/** The description has no default: clients would send it with `cursor`, which excludes it. */
export const OFFSET = parameter<number>(
  {
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [0],
    description: 'Rows to skip; by default none.',
  },
  PAGE_PARAMETERS.offset,
)
export const PAGING = { limit: limitParameter(LARGEST_LIMIT, DEFAULT_LIMIT), offset: OFFSET }

export const NO_QUERY = t.Object({})

export interface ReadQuery<Query extends TObject> {
  readonly values: Static<Query>
  readonly parameters: reading.ReadQuery<object>['parameters']
}

/** The codes with which `readQuery` refuses; none for a query that is read elsewhere. */
export function queryErrors(schema: TObject): readonly ErrorCode[] {
  const codes = Object.values(tableOf(schema)).flatMap((reader) => reader?.code ?? [])
  return codes.length === 0 ? [] : ['unknown_parameter', 'duplicate_parameter', ...codes]
}

const tables = new WeakMap<TObject, ReturnType<typeof tableOf>>()

/**
 * Reads a query string by its schema: each parameter at most once, and no others.
 * @throws ApiError (422 codes) with one entry of detail per offender
 */
export function readQuery<Query extends TObject>(schema: Query, raw: string): ReadQuery<Query> {
  const known = tables.get(schema)
  const table = known ?? tableOf(schema)
  if (known === undefined) tables.set(schema, table)
  return reading.readQuery(raw, table) as unknown as ReadQuery<Query>
}

function tableOf({ properties }: TObject): Readonly<Record<string, reading.QueryParameter<unknown>>> {
  const readers = properties as unknown as Record<string, { [READS]: reading.QueryParameter<unknown> }>
  return Object.fromEntries(Object.entries(readers).map(([name, property]) => [name, property[READS]]))
}
