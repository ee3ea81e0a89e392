/** CKAN's action API, reading (contract 9): what portals harvest and `ckanapi` calls. */

import { t } from 'elysia'
import { ApiError } from '../../base/errors.ts'
import { shorten } from '../../base/text/fit-text.ts'
import { readQueryString } from '../../base/text/query-string.ts'
import { readBody } from '../../http/body.ts'
import { parseJson, readJsonBody, TooManyValues } from '../../http/json-body.ts'
import { respondJson } from '../../http/respond.ts'
import { ActionArguments, readObjectText } from '../../interop/ckan/arguments.ts'
import { findTooLarge, MOST_IN_BODY, MOST_VALUES, TOO_LARGE } from '../../query/question-size.ts'
import type { Call } from '../call.ts'
import { ACTIONS, requireAction } from '../ckan/actions.ts'
import { helpAddress } from '../ckan/ckan-error.ts'
import { answerDump } from '../ckan/datastore.ts'
import type { Context, Route } from '../declaration/route.ts'
import type { ServerState } from '../state.ts'

const RESULT = t.Object({ help: t.String(), success: t.Literal(true), result: t.Unsafe<unknown>({}) })
const ANSWERS = { 200: { says: 'The result, in the envelope of CKAN.', body: RESULT } }
const ERRORS = [
  'not_found',
  'dataset_not_found',
  'api_key_missing',
  'invalid_body',
  'request_timeout',
] as const
const ACTION = t.Object({
  action: t.String({
    description: 'Name of the action.',
    enum: Object.keys(ACTIONS),
    examples: ['package_list'],
  }),
})

export const CKAN_ROUTES: readonly Route[] = [
  ...actionRoutes('/api/3/action/:action', ''),
  ...actionRoutes('/api/action/:action', 'WithoutVersion'),
  {
    method: 'GET',
    path: '/datastore/dump/:resource',
    access: 'ckan',
    described: {
      id: 'dumpResource',
      tag: 'Interoperability',
      summary: 'Download all rows of a resource, as CKAN does',
      params: t.Object({ resource: t.String({ description: 'Id of the dataset.', examples: ['towns'] }) }),
      answers: { 200: { says: 'The file.', types: ['text/csv'], headers: ['ETag', 'Content-Disposition'] } },
      errors: ['dataset_not_found', 'api_key_missing'],
      isStreamed: true,
    },
    handle: ({ app, state, exchange, params }: Context<'/datastore/dump/:resource'>) =>
      answerDump(app, state, exchange, params.resource, new ActionArguments(fromQuery(exchange))),
  },
]

function actionRoutes(path: string, suffix: string): Route[] {
  const shared = {
    tag: 'Interoperability',
    description:
      'Arguments come in the query, as a form, or as a JSON object. Refusals are in the envelope of CKAN.',
    params: ACTION,
    answers: ANSWERS,
    errors: ERRORS,
  } as const
  return [
    {
      ...{ method: 'GET', path, access: 'ckan' },
      described: { ...shared, id: `readAction${suffix}`, summary: 'Call an action of CKAN by GET' },
      handle: (context: Context<'/:action'>) => answerAction(context, fromQuery(context.exchange)),
    },
    {
      ...{ method: 'POST', path, access: 'ckan' },
      described: { ...shared, id: `callAction${suffix}`, summary: 'Call an action of CKAN by POST' },
      handle: async (context: Context<'/:action'>) => {
        const given = fromQuery(context.exchange)
        const body = await readSmallBody(context.exchange)
        return answerAction(context, new Map([...given, ...body]))
      },
    },
  ]
}

async function answerAction(
  { app, state, exchange, params }: Context<'/:action'>,
  given: ReadonlyMap<string, unknown>,
): Promise<Response> {
  const action = requireAction(params.action)
  const result = await action({ app, state, exchange, given: new ActionArguments(given) })
  if (result instanceof Response) return result
  const { headers } = readersOf(state, exchange)
  return respondJson(exchange, 200, headers, { help: helpAddress(exchange), success: true, result })
}

function readersOf(state: ServerState, { key }: Call) {
  return key === undefined ? state.open.readers : state.keyed
}

/** A parameter given more than once is a list. */
function fromQuery({ query }: Call): Map<string, unknown> {
  return gather(query)
}

function gather(text: string): Map<string, unknown> {
  const { parameters, undecodable } = readQueryString(text)
  if (undecodable.length > 0) {
    const message = `Invalid percent-encoding: ${undecodable[0]!.name.slice(0, LONGEST_NAME)}`
    throw new ApiError('invalid_value', message, [
      { location: `query.${undecodable[0]!.name.slice(0, LONGEST_NAME)}`, message },
    ])
  }
  const given = new Map<string, unknown>()
  for (const { name, value } of parameters) {
    const before = given.get(name)
    if (Array.isArray(before)) before.push(value)
    else given.set(name, before === undefined ? value : [before, value])
  }
  return given
}

const LONGEST_NAME = 80

async function readSmallBody(exchange: Call): Promise<Map<string, unknown>> {
  try {
    const body = await fromBody(exchange)
    requireSmall(body)
    return body
  } catch (error) {
    throw error instanceof TooManyValues ? refuseTooLarge('filters') : error
  }
}

/** @throws ApiError `invalid_value` that names `filters` and the argument that is too large */
function requireSmall(body: ReadonlyMap<string, unknown>): void {
  const filters = body.get('filters')
  const read = typeof filters === 'string' ? (readObjectText(filters) ?? filters) : filters
  const found = findTooLarge(read === filters ? body : new Map(body).set('filters', read))
  if (found !== undefined) throw refuseTooLarge(found)
}

/** `filters` is what can hold so much with sense, so it is named whatever else does. */
function refuseTooLarge(name: string): ApiError {
  const names = [...new Set(['filters', shorten(name, LONGEST_NAME)])]
  const detail = names.map((name) => ({ location: `query.${name}`, message: TOO_LARGE }))
  return new ApiError('invalid_value', `${shorten(name, LONGEST_NAME)}: ${TOO_LARGE}`, detail)
}

const FORM = /^application\/x-www-form-urlencoded\b/i
const decoder = new TextDecoder()

async function fromBody(exchange: Call): Promise<Map<string, unknown>> {
  const { headers } = exchange.request
  const type = headers.get('content-type') ?? ''
  if (type === '' || FORM.test(type)) {
    const bytes = await readBody(exchange)
    const text = decoder.decode(bytes)
    // Some clients send JSON under the content type of forms.
    if (text.startsWith('{')) return readObject(parseJson(bytes, MOST_IN_BODY))
    if (text.split('&', MOST_VALUES + 1).length > MOST_VALUES) throw refuseTooLarge('filters')
    return gather(text)
  }
  return readObject(await readJsonBody(exchange, MOST_IN_BODY))
}

function readObject(body: unknown): Map<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ApiError('invalid_body', 'The body is a JSON object.')
  return new Map(Object.entries(body))
}
