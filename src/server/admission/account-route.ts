/**
 * Routes of accounts and publishers. They refuse in one order: a page of another site (403), no session (401),
 * the CSRF token (403), the role (403), a missing second factor where the service requires one (403), a publisher's rate
 * (429), the query (422), the body (408, 413, 422); then what the verb itself refuses.
 */

import type { Static, TSchema } from 'elysia'
import type { Client } from '../../accounts/people/client.ts'
import type { Publisher } from '../../accounts/people/publisher.ts'
import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import type { App } from '../../app.ts'
import type { ErrorCode } from '../../base/error-codes.ts'
import { ApiError, type Problem } from '../../base/errors.ts'
import { ownRound } from '../../base/own-round.ts'
import { isObject } from '../../base/plain-object.ts'
import { suggest } from '../../base/text/suggest.ts'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJsonBody } from '../../http/json-body.ts'
import { accountHeaders, respond, respondJson } from '../../http/respond.ts'
import type { Call } from '../call.ts'
import { ACCESS, type OperatorAccess } from '../declaration/access.ts'
import { type FieldReader, READS } from '../declaration/fields.ts'
import { NO_QUERY, readQuery } from '../declaration/parameters.ts'
import type { Context, Description, Method, Params, Route, Tag } from '../declaration/route.ts'
import type { TObject } from '../declaration/schema.ts'
import {
  countPublishing,
  refuseForeignPage,
  requireCsrfToken,
  requireOperator,
  requirePublisher,
  requireSecondFactor,
  sessionOf,
} from './session.ts'

type AccountAccess = 'visitor' | 'session' | 'change' | 'publisher' | OperatorAccess

/** A value that fits a schema, with read-only lists. */
type Readable<Value> = Value extends readonly (infer Item)[]
  ? readonly Readable<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Readable<Value[Name]> }
    : Value

interface AccountFacts<
  Endpoint extends string,
  Kind extends AccountAccess,
  Query extends TObject,
  Body extends TObject,
  Schema extends TSchema | undefined,
> extends Omit<Description, 'answers' | 'query' | 'body' | 'tag'> {
  readonly query?: Query
  readonly body?: Body
  readonly success: readonly [status: number, body?: Schema]
  /** A publisher's call brings a file; files a minute are limited. */
  readonly bringsFile?: true
  /** The route is open even to an account that must turn on a second factor first. */
  readonly beforeSecondFactor?: true
  readonly alsoAnswers?: Description['answers']
  readonly headers?: readonly string[]
  readonly answer: (context: {
    readonly app: App
    readonly exchange: Call
    readonly params: Params<Endpoint>
    readonly session: Kind extends 'session' | 'change' | OperatorAccess ? FoundSession : undefined
    readonly publisher: Kind extends 'publisher' ? Publisher : undefined
    readonly query: Static<Query>
    readonly body: Static<Body>
  }) => ValueOrPromise<Schema extends TSchema ? Readable<Static<Schema>> | Response : void>
}

/** Tags by the beginning of the path; the first match counts. */
const TAGS: readonly (readonly [path: string, tag: Tag])[] = [
  ['/account/api/keys', 'API keys'],
  ['/account/api/usage', 'Usage'],
  ['/account/api/logs', 'Usage'],
  ['/account', 'Account'],
  ['/publish', 'Publishing'],
  ['/operate', 'Operating'],
]

/** What a page of the service requests for the account of its session. */
interface Asked {
  readonly session: FoundSession
  /** A query string, without its question mark. */
  readonly query?: string
  readonly body?: object
}

export interface AccountRoute extends Route {
  readonly described: Description
  /** Returns the answer as a value: for pages that show it, and for forms that work without scripts. */
  readonly ask: (context: Context<never>, asked: Asked) => Promise<unknown>
}

/** @param endpoint `POST /account/api/signup` */
export function accountRoute<
  Kind extends AccountAccess,
  const Endpoint extends `${Method} ${string}`,
  Query extends TObject = typeof NO_QUERY,
  Body extends TObject = typeof NO_QUERY,
  Schema extends TSchema | undefined = undefined,
>(access: Kind, endpoint: Endpoint, facts: AccountFacts<Endpoint, Kind, Query, Body, Schema>): AccountRoute {
  const { success, bringsFile, beforeSecondFactor, alsoAnswers, headers, answer, ...described } = facts
  const [method, path] = endpoint.split(' ') as [Method, string]
  const [status, body] = success
  const isRead = method === 'GET'
  const limit = isRead || access !== 'publisher' ? null : bringsFile ? 'uploads' : 'changes'
  const errors: ErrorCode[] = [...(facts.errors ?? [])]
  if (!isRead) errors.push('request_timeout')
  if (!isRead && !facts.takesFile) errors.push('invalid_body')
  if (limit !== null) errors.push('rate_limited')
  const says = { says: `${facts.summary}: done.`, ...(body && { body }), ...(headers && { headers }) }
  const [, tag] = TAGS.find(([start]) => path.startsWith(start))!
  return {
    method,
    path,
    access,
    described: { ...described, tag, errors, answers: { ...alsoAnswers, [status]: says } },
    async ask(context, { session, query = '', body = {} }) {
      const given = {
        session,
        query: readQuery(facts.query ?? NO_QUERY, query).values,
        body: readFields(facts.body ?? NO_QUERY, body),
      }
      return answer({ ...context, ...given } as unknown as Parameters<typeof answer>[0])
    },
    async handle(context) {
      const given = await readCall(context, access, facts, limit)
      const value = await answer({ ...context, ...given } as unknown as Parameters<typeof answer>[0])
      if (value instanceof Response) return value
      const sent = accountHeaders(context.exchange)
      return value === undefined
        ? respond(context.exchange, status, sent, null)
        : respondJson(context.exchange, status, sent, value)
    },
  }
}

async function readCall(
  { app, exchange }: Context<never>,
  access: AccountAccess,
  facts: Pick<
    AccountFacts<string, AccountAccess, TObject, TObject, undefined>,
    'query' | 'body' | 'takesFile' | 'beforeSecondFactor'
  >,
  limit: 'uploads' | 'changes' | null,
) {
  const proves = access === 'change' || access === 'operation'
  if (access === 'visitor' || proves) refuseForeignPage(exchange)
  const caller = await findCaller(app, exchange, access)
  if (proves) requireCsrfToken(exchange, caller.session!)
  if (ACCESS[access].isOperators) requireOperator(caller.session!)
  if (caller.session !== undefined && !facts.beforeSecondFactor)
    requireSecondFactor(app, exchange, caller.session)
  if (limit !== null) await countPublishing(app, exchange, caller.publisher!, limit)
  const query = readQuery(facts.query ?? NO_QUERY, exchange.query).values
  const isRead = facts.takesFile || exchange.request.method === 'GET'
  // Where no body is declared, an object without fields is accepted, too.
  const options = facts.body === undefined ? { whenEmpty: {} } : {}
  const body = isRead ? undefined : readFields(facts.body ?? NO_QUERY, await readJsonBody(exchange, options))
  // The session may have ended while the body arrived.
  const current = isRead ? caller : await findCaller(app, exchange, access)
  if (ACCESS[access].isOperators) requireOperator(current.session!)
  // A publisher's body may be a megabyte, which takes tens of milliseconds to read and describe.
  if (access === 'publisher') await ownRound()
  return { ...current, query, body }
}

async function findCaller(
  app: App,
  exchange: Call,
  access: AccountAccess,
): Promise<{ readonly session?: FoundSession; readonly publisher?: Publisher }> {
  if (access === 'visitor') return {}
  if (access !== 'publisher') {
    const session = await sessionOf(app, exchange)
    if (session !== undefined) return { session }
    throw new ApiError('unauthenticated', 'Sign in first: there is no session, or it has ended.')
  }
  exchange.publisher = await requirePublisher(app, exchange)
  return { publisher: exchange.publisher }
}

export function clientOf({ ip, isLocal, request }: Exchange): Client {
  return { ip, isLocal, userAgent: request.headers.get('user-agent') }
}

/**
 * Reads the fields of a body with the readers in the schema.
 * @throws ApiError `invalid_body`, one detail per wrong, missing or unknown field
 */
export function readFields<Body extends TObject>(schema: Body, body: unknown): Static<Body> {
  if (!isObject(body)) throw refusal([{ location: 'body', message: 'The body is a JSON object.' }])
  const given = new Map<string, unknown>(Object.entries(body))
  const problems: Problem[] = []
  const values: Record<string, unknown> = {}
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const value = given.get(name)
    if (!given.has(name)) {
      if (schema.required?.includes(name)) problems.push(problem(name, 'is missing'))
      continue
    }
    const { read, expected } = (property as unknown as { [READS]: FieldReader<unknown> })[READS]
    // JSON can hold a lone surrogate, which can be neither stored nor hashed as such.
    const isText = typeof value !== 'string' || value.isWellFormed()
    values[name] = isText ? read(value) : undefined
    if (values[name] !== undefined) continue
    problems.push(problem(name, isText ? expected : 'is a text of whole Unicode characters'))
  }
  for (const name of given.keys()) {
    if (!Object.hasOwn(schema.properties, name)) problems.push(unknownField(name, schema))
  }
  if (problems.length > 0) throw refusal(problems)
  return values as Static<Body>
}

function problem(name: string, what: string): Problem {
  return { location: `body.${name}`, message: `${name} ${what}.` }
}

function unknownField(name: string, { properties }: TObject): Problem {
  const shown = name.slice(0, 64)
  const suggestions = suggest(shown, Object.keys(properties))
  return {
    location: `body.${shown}`,
    message: `${shown} is not a field of this request.`,
    ...(suggestions.length > 0 && { suggestions }),
  }
}

function refusal(problems: readonly Problem[]): ApiError {
  return new ApiError('invalid_body', problems.map(({ message }) => message).join(' '), problems)
}
