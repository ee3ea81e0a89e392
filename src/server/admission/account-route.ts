/**
 * Routes of accounts and of publishers. Their refusals come in one order: a page of another site (403), no session (401),
 * the CSRF token (403), the role (403), a second factor where the service asks for it (403), a publisher's rate (429), the
 * address (422), the body (408, 413, 422); then what the verb itself refuses.
 */

import { type Static, type TSchema, t } from 'elysia'
import type { Client } from '../../accounts/people/client.ts'
import type { Publisher } from '../../accounts/people/publisher.ts'
import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import type { App } from '../../app.ts'
import type { ErrorCode } from '../../base/error-codes.ts'
import { ownRound } from '../../base/own-round.ts'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJsonBody, readOptionalJson } from '../../http/json-body.ts'
import { accountHeaders, respond, respondJson } from '../../http/respond.ts'
import type { Call } from '../call.ts'
import { readFields } from '../declaration/fields.ts'
import { NO_QUERY, readQuery } from '../declaration/parameters.ts'
import type { Context, Description, Method, Params, Route, Tag } from '../declaration/route.ts'
import type { TObject } from '../declaration/schema.ts'
import {
  countPublishing,
  refuseForeignPage,
  requireCsrfToken,
  requirePublisher,
  requireSecondFactor,
  requireSession,
} from './session.ts'

type AccountAccess = 'visitor' | 'session' | 'change' | 'publisher'

/** What a verb of the account gets. */
interface AccountContext<
  Endpoint extends string,
  Kind extends AccountAccess,
  Query extends TObject,
  Body extends TObject,
> {
  readonly app: App
  readonly exchange: Call
  readonly params: Params<Endpoint>
  readonly session: Kind extends 'session' | 'change' ? FoundSession : undefined
  readonly publisher: Kind extends 'publisher' ? Publisher : undefined
  readonly query: Static<Query>
  readonly body: Static<Body>
}

/** A value that fits a schema, with lists that are only read. */
type Readable<Value> = Value extends readonly (infer Item)[]
  ? readonly Readable<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Readable<Value[Name]> }
    : Value
type Success<Schema> = Schema extends TSchema
  ? ValueOrPromise<Readable<Static<Schema>> | Response>
  : ValueOrPromise<void>

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
  /** Of a publisher: the call brings a file, whose number a minute is limited. */
  readonly bringsFile?: true
  /** Also for an account that must turn a second factor on first. */
  readonly beforeSecondFactor?: true
  /** Answers that the verb makes itself. */
  readonly alsoAnswers?: Description['answers']
  /** Headers of the success that the description names. */
  readonly headers?: readonly string[]
  readonly answer: (context: AccountContext<Endpoint, Kind, Query, Body>) => Success<Schema>
}

/** Tags by the beginning of the path, the first that fits. */
const TAGS: readonly (readonly [path: string, tag: Tag])[] = [
  ['/account/api/keys', 'API keys'],
  ['/account/api/usage', 'Usage'],
  ['/account/api/logs', 'Usage'],
  ['/account', 'Account'],
  ['/publish', 'Publishing'],
]

/** @param endpoint `POST /account/api/signup` */
export function accountRoute<
  Kind extends AccountAccess,
  const Endpoint extends `${Method} ${string}`,
  Query extends TObject = typeof NO_QUERY,
  Body extends TObject = typeof NO_QUERY,
  Schema extends TSchema | undefined = undefined,
>(access: Kind, endpoint: Endpoint, facts: AccountFacts<Endpoint, Kind, Query, Body, Schema>): Route {
  const { success, bringsFile, beforeSecondFactor, alsoAnswers, headers, answer, ...described } = facts
  const [method, path] = endpoint.split(' ') as [Method, string]
  const [status, body] = success
  const call: AccountCall = {
    access,
    status,
    beforeSecondFactor: beforeSecondFactor === true,
    body: facts.body,
    query: facts.query ?? NO_QUERY,
    takesFile: facts.takesFile === true,
    limit: method === 'GET' || access !== 'publisher' ? null : bringsFile ? 'uploads' : 'changes',
    answer: answer as unknown as AccountCall['answer'],
  }
  const says = { says: `${facts.summary}: done.`, ...(body && { body }), ...(headers && { headers }) }
  const answers = { ...alsoAnswers, [status]: says }
  const errors = [...(facts.errors ?? []), ...refusalsOf(method, call)]
  const [, tag] = TAGS.find(([start]) => path.startsWith(start))!
  return {
    method,
    path,
    access,
    described: { ...described, tag, errors, answers },
    handle: ({ app, exchange, params }) => answerAccount({ app, exchange, params }, call),
  }
}

/** Those that come with the method, beyond those of the access. */
function refusalsOf(method: Method, { limit, takesFile }: AccountCall): ErrorCode[] {
  if (method === 'GET') return []
  return [
    'request_timeout',
    ...(takesFile ? [] : (['invalid_body'] as const)),
    ...(limit === null ? [] : (['rate_limited'] as const)),
  ]
}

/** The parts of a declaration that answering a call needs. */
interface AccountCall {
  readonly access: AccountAccess
  readonly beforeSecondFactor: boolean
  readonly query: TObject
  readonly body: TObject | undefined
  readonly takesFile: boolean
  readonly limit: 'uploads' | 'changes' | null
  readonly status: number
  readonly answer: (context: object) => unknown
}

async function answerAccount(
  context: Pick<Context<never>, 'app' | 'exchange' | 'params'>,
  { access, beforeSecondFactor, query: schema, body: fields, takesFile, limit, status, answer }: AccountCall,
): Promise<Response> {
  const { app, exchange } = context
  const caller = await admitAccount(app, exchange, access)
  if (caller.session !== undefined && !beforeSecondFactor) requireSecondFactor(app, caller.session)
  if (limit !== null) await countPublishing(app, exchange, caller.publisher!, limit)
  const query = readQuery(schema, exchange.query).values
  const isRead = takesFile || exchange.request.method === 'GET'
  const body = isRead ? undefined : await readRequest(exchange, fields)
  // A body may take its time, and the session may have been ended meanwhile.
  const current = isRead ? caller : await findCaller(app, exchange, access)
  // What publishers decide may be a megabyte, which takes tens of milliseconds to read and to describe.
  if (access === 'publisher') await ownRound()
  const value = await answer({ ...context, ...current, query, body })
  if (value instanceof Response) return value
  const headers = accountHeaders(exchange)
  return value === undefined
    ? respond(exchange, status, headers, null)
    : respondJson(exchange, status, headers, value)
}

interface Caller {
  readonly session?: FoundSession
  readonly publisher?: Publisher
}

async function admitAccount(app: App, exchange: Call, access: AccountAccess): Promise<Caller> {
  if (access === 'visitor' || access === 'change') refuseForeignPage(exchange)
  const caller = await findCaller(app, exchange, access)
  if (access === 'change') requireCsrfToken(exchange, caller.session!)
  return caller
}

async function findCaller(app: App, exchange: Call, access: AccountAccess): Promise<Caller> {
  if (access === 'visitor') return {}
  if (access !== 'publisher') return { session: await requireSession(app, exchange) }
  exchange.publisher = await requirePublisher(app, exchange)
  return { publisher: exchange.publisher }
}

const NO_FIELDS = t.Object({})

/** Where no body is declared, one without fields is taken as well. */
async function readRequest(exchange: Exchange, fields: TObject | undefined): Promise<unknown> {
  if (fields !== undefined) return readFields(fields, await readJsonBody(exchange))
  readFields(NO_FIELDS, await readOptionalJson(exchange))
  return undefined
}

/** Where a call comes from. */
export function clientOf({ ip, request }: Exchange): Client {
  return { ip, userAgent: request.headers.get('user-agent') }
}
