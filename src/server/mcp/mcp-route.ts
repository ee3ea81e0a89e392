/** Answers `/mcp` (contract 9): each POST gets a new MCP server, whose answer is sent as a whole. */

import { t } from 'elysia'
import type { App } from '../../app.ts'
import { ApiError } from '../../base/errors.ts'
import { isObject } from '../../base/plain-object.ts'
import { describeError, type ErrorDescription, statusOf } from '../../http/errors.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJsonBody, TooManyValues } from '../../http/json-body.ts'
import { respond, respondJson } from '../../http/respond.ts'
import { safeBase } from '../../interop/addresses.ts'
import { refuseTooLarge } from '../../interop/mcp/arguments.ts'
import { createToolServer, loadSdk, toToolError } from '../../interop/mcp/server.ts'
import type { ToolReader } from '../../interop/mcp/tools.ts'
import { findTooLarge, MOST_IN_BODY } from '../../query/question-size.ts'
import type { Call } from '../call.ts'
import type { Route } from '../declaration/route.ts'
import { findRefusal } from '../refusals.ts'
import type { ServerState } from '../state.ts'

export const MCP_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/mcp',
    access: 'mcp',
    described: {
      id: 'callTool',
      tag: 'Interoperability',
      summary: 'Send a message of the Model Context Protocol',
      description:
        'Streamable HTTP without sessions, for assistants: five tools read the catalog, rows, groups and facets. Refusals of a tool are results of it.',
      body: t.Object({}, { additionalProperties: true }),
      bodyExample: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      answers: {
        200: { says: 'The answer of JSON-RPC.', types: ['application/json', 'text/event-stream'] },
        202: { says: 'A notification was accepted.' },
        400: { says: 'Not a message of the protocol; an error of JSON-RPC.', types: ['application/json'] },
      },
      errors: ['invalid_body', 'request_timeout'],
    },
    handle: ({ app, state, exchange }) => answerMessage(app, state, exchange),
    refuse: ({ exchange }, error) => answerLimit(exchange, error),
  },
]

/** The headers that the protocol reads. */
const READ_HEADERS = ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']
/** The method for streams of changes, which stay open; nothing here changes while a client waits. */
const STREAMING = 'subscriptions/listen'

async function answerMessage(app: App, state: ServerState, exchange: Call): Promise<Response> {
  let message: unknown
  try {
    message = await readJsonBody(exchange, { mostValues: MOST_IN_BODY })
  } catch (error) {
    if (!(error instanceof TooManyValues)) throw error
    return respondTooLarge(exchange, error.outline, 'arguments')
  }
  const fault = faultOf(message)
  if (fault !== undefined) throw new ApiError('invalid_body', fault, [{ location: 'body', message: fault }])
  // Check this before anything else looks at the values: the SDK takes seconds for a hundred thousand.
  const { params = null } = message as { params?: unknown }
  const { arguments: asked, ...others } = isObject(params) ? params : { arguments: undefined, params }
  const large =
    ((isObject(asked) || Array.isArray(asked)) && findTooLarge(Object.entries(asked))) ||
    findTooLarge(Object.entries({ ...(message as object), params: others }))
  if (large) return respondTooLarge(exchange, message, large)
  const sdk = await loadSdk()
  const onerror = (err: Error) =>
    app.log.debug({ err, request_id: exchange.requestId }, 'a message of MCP was refused')
  const { fetch, close } = sdk.createMcpHandler(() => createToolServer(sdk, readerOf(app, state, exchange)), {
    keepAliveMs: 0,
    onerror,
  })
  const answer = await fetch(messageOf(exchange, message), { parsedBody: message })
  const body = new Uint8Array(await answer.arrayBuffer())
  await close()
  const { headers: shared } = exchange.key === undefined ? state.open.readers : state.keyed
  const type = answer.headers.get('content-type')
  const headers = { ...shared, ...(type !== null && { 'Content-Type': type }) }
  return respond(exchange, answer.status, headers, answer.status === 202 ? null : body)
}

/** The largest message in bytes that is still read from a caller beyond a limit; calls of tools have a few hundred. */
const LARGEST_REFUSED = 2 ** 14

/**
 * Answers a tool call beyond a limit with an error of the tool that says when to try again: clients show a model nothing
 * of an HTTP error. Undefined for other refusals and messages.
 * @throws ApiError as `readJsonBody`
 */
async function answerLimit(exchange: Call, error: unknown): Promise<Response | undefined> {
  if (!(error instanceof ApiError) || statusOf(error.code, exchange.traits) !== TOO_MANY) return undefined
  const length = exchange.request.headers.get('content-length')
  if (length === null || Number(length) > LARGEST_REFUSED) return undefined
  const id = idOfToolCall(await readJsonBody(exchange))
  if (id === undefined) return undefined
  exchange.refusedAs = TOO_MANY
  return respondToolError(exchange, id, error)
}

function respondToolError(exchange: Call, id: string | number, error: ApiError): Response {
  const { headers } = describeError(exchange, error)
  return respondJson(exchange, 200, headers, { jsonrpc: '2.0', id, result: toToolError(error) })
}

const TOO_MANY = 429

function idOfToolCall(message: unknown): string | number | undefined {
  const { id, method } = isObject(message) ? message : {}
  return method === 'tools/call' && (typeof id === 'string' || typeof id === 'number') ? id : undefined
}

function respondTooLarge(exchange: Call, message: unknown, name: string): Response {
  const error = refuseTooLarge(name)
  const id = idOfToolCall(message)
  if (id === undefined) throw error
  return respondToolError(exchange, id, error)
}

const LONGEST_ID = 200

function faultOf(message: unknown): string | undefined {
  if (Array.isArray(message)) return 'Send one message at a time: batches are not accepted.'
  if (!isObject(message)) return 'The body is a message of JSON-RPC: an object.'
  if (typeof message.id === 'string' && message.id.length > LONGEST_ID)
    return `The id of a message has up to ${LONGEST_ID} characters.`
  return message.method === STREAMING
    ? `${STREAMING} is not accepted: this service sends nothing unasked.`
    : undefined
}

/** The message's headers for the SDK. The key stays here. */
function messageOf({ request, base, path }: Call, message: unknown): Request {
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const [name, value] of request.headers)
    if (READ_HEADERS.includes(name) || name.startsWith('mcp-param-')) headers.set(name, value)
  if (!headers.has('accept') || headers.get('accept') === '*/*')
    headers.set('accept', 'application/json, text/event-stream')
  return new Request(safeBase(base) + path, { method: 'POST', headers, body: JSON.stringify(message) })
}

/** A reader with the rights and share of the key; without a key, those of open pages. */
function readerOf(app: App, state: ServerState, exchange: Call): ToolReader {
  const { key } = exchange
  const { shares, readerOf: who } = key === undefined ? state.open.readers : state.keyed
  const reader = who(exchange)
  const about = { request_id: exchange.requestId, method: 'POST', path: exchange.path }
  return {
    catalog: app.catalog,
    openDatasets: app.openDatasets,
    within: key?.scopes.reads ?? 'all',
    base: safeBase(exchange.base),
    isPublic: (served) => state.open.shows(served),
    readsValues: () => (key === undefined ? state.open.readsValues(exchange) : 'all'),
    readsRows: (served) => key !== undefined || state.open.shows(served),
    async admit(served) {
      if (key === undefined) await state.open.admit(exchange, served)
    },
    share: (query) => shares.of(reader, query),
    note(served, rows) {
      exchange.dataset = served.id
      exchange.rows = rows
    },
    refuse(error, query) {
      const refusal = findRefusal(app, { query }, error, about)
      const status = statusOf(refusal.code, exchange.traits)
      // A failure that is not the question's fault costs no call.
      if (status === TOO_MANY || status >= 500) exchange.refusedAs = status
      return refusal
    },
  }
}

/** Codes of JSON-RPC 2.0, 5.1: not JSON; an error of the service. */
const PARSE_ERROR = -32700
const SERVER_ERROR = -32000

/** Refuses the request as a whole. The answer has no id, since nothing of the request was read. */
export function respondMcpError(exchange: Exchange, { status, headers, body }: ErrorDescription): Response {
  const { code, message, detail } = body.error
  const error = {
    code: code === 'invalid_body' ? PARSE_ERROR : SERVER_ERROR,
    message,
    data: { code, ...(detail && { detail }) },
  }
  return respondJson(exchange, status, headers, { jsonrpc: '2.0', error, id: null })
}
