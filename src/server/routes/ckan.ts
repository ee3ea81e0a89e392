/** The reading part of CKAN's action API (contract 9), which portals harvest and `ckanapi` calls. */

import { t } from 'elysia'
import { ApiError } from '../../base/errors.ts'
import { isObject } from '../../base/plain-object.ts'
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
      params: { resource: t.String({ description: 'Id of the dataset.', examples: ['towns'] }) },
      answers: { 200: { says: 'The file.', types: ['text/csv'], headers: ['ETag', 'Content-Disposition'] } },
      errors: ['dataset_not_found', 'api_key_missing'],
      isStreamed: true,
    },
    handle: ({ app, state, exchange, params }: Context<'/datastore/dump/:resource'>) =>
      answerDump(
        { app, state, exchange, given: new ActionArguments(readParameters(exchange.query)) },
        params.resource,
      ),
  },
]

function actionRoutes(path: string, suffix: string): Route[] {
  const shared = {
    tag: 'Interoperability',
    description:
      'Arguments come in the query, as a form, or as a JSON object. Refusals are in the envelope of CKAN.',
    params: {
      action: t.String({
        description: 'Name of the action.',
        enum: Object.keys(ACTIONS),
        examples: ['package_list'],
      }),
    },
    answers: {
      200: {
        says: 'The result, in the envelope of CKAN.',
        body: t.Object({ help: t.String(), success: t.Literal(true), result: t.Unsafe<unknown>({}) }),
      },
    },
    errors: ['not_found', 'dataset_not_found', 'api_key_missing', 'invalid_body', 'request_timeout'],
  } as const
  return [
    {
      method: 'GET',
      path,
      access: 'ckan',
      described: { ...shared, id: `readAction${suffix}`, summary: 'Call an action of CKAN by GET' },
      handle: (context: Context<'/:action'>) => answerAction(context, readParameters(context.exchange.query)),
    },
    {
      method: 'POST',
      path,
      access: 'ckan',
      described: { ...shared, id: `callAction${suffix}`, summary: 'Call an action of CKAN by POST' },
      handle: async (context: Context<'/:action'>) => {
        const given = readParameters(context.exchange.query)
        return answerAction(context, new Map([...given, ...(await readSmallBody(context.exchange))]))
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
  const { headers } = exchange.key === undefined ? state.open.readers : state.keyed
  return respondJson(exchange, 200, headers, { help: helpAddress(exchange), success: true, result })
}

/** Reads a query string; a repeated parameter becomes a list. */
function readParameters(text: string): Map<string, unknown> {
  const { parameters, undecodable } = readQueryString(text)
  if (undecodable.length > 0) {
    const name = undecodable[0]!.name.slice(0, LONGEST_NAME)
    const message = `Invalid percent-encoding: ${name}`
    throw new ApiError('invalid_value', message, [{ location: `query.${name}`, message }])
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

/** @throws ApiError `invalid_value` that names `filters` and the argument that is too large */
async function readSmallBody(exchange: Call): Promise<Map<string, unknown>> {
  try {
    const body = await fromBody(exchange)
    const filters = body.get('filters')
    const read = typeof filters === 'string' ? (readObjectText(filters) ?? filters) : filters
    const found = findTooLarge(read === filters ? body : new Map(body).set('filters', read))
    if (found === undefined) return body
    throw refuseTooLarge(found)
  } catch (error) {
    throw error instanceof TooManyValues ? refuseTooLarge('filters') : error
  }
}

/** Always names `filters`, too: only there do so many values make sense. */
function refuseTooLarge(name: string): ApiError {
  const names = [...new Set(['filters', shorten(name, LONGEST_NAME)])]
  const detail = names.map((name) => ({ location: `query.${name}`, message: TOO_LARGE }))
  return new ApiError('invalid_value', `${shorten(name, LONGEST_NAME)}: ${TOO_LARGE}`, detail)
}

async function fromBody(exchange: Call): Promise<Map<string, unknown>> {
  const type = exchange.request.headers.get('content-type') ?? ''
  let body: unknown
  if (type === '' || /^application\/x-www-form-urlencoded\b/i.test(type)) {
    const bytes = await readBody(exchange)
    const text = new TextDecoder().decode(bytes)
    // Some clients send JSON under the content type of forms.
    if (!text.startsWith('{')) {
      if (text.split('&', MOST_VALUES + 1).length > MOST_VALUES) throw refuseTooLarge('filters')
      return readParameters(text)
    }
    body = parseJson(bytes, MOST_IN_BODY)
  } else body = await readJsonBody(exchange, { mostValues: MOST_IN_BODY })
  if (!isObject(body)) throw new ApiError('invalid_body', 'The body is a JSON object.')
  return new Map(Object.entries(body))
}
