/** Every step of a request, in order; `routes.ts` has the routes. */

import { Elysia } from 'elysia'
import type { App } from '../app.ts'
import { speaksHttps } from '../base/config/config.ts'
import { type ValueOrPromise, withValue } from '../base/value-or-promise.ts'
import { ClientAddresses } from '../http/client-ip.ts'
import { describeError, refuseMalformed, refuseOtherHost, respondDescribed } from '../http/errors.ts'
import { ELYSIA_OPTIONS } from '../http/exchange.ts'
import { hasOneHost, namesThisMachine, plainRequest } from '../http/plain-requests.ts'
import { respondErrorPage, wantsPage } from '../pages/layout/error-page.tsx'
import { admit, type Gate } from './admission/admission.ts'
import { Call, callContext } from './call.ts'
import { respondCkanError } from './ckan/ckan-error.ts'
import { ACCESS } from './declaration/access.ts'
import type { Context, Route } from './declaration/route.ts'
import { respondMcpError } from './mcp/mcp-route.ts'
import { Answers } from './metrics/answers.ts'
import { respondIfBroken, toRefusal } from './refusals.ts'
import { ROUTES } from './routes.ts'
import { type ErrorAnswer, RouteMap, respondUnrouted } from './routing.ts'
import { openState } from './state.ts'

/** The service as a function from requests to answers (`server.fetch`). */
export function createServer(
  app: App,
  answers = new Answers(),
  clients = new ClientAddresses(app.config.trusted_proxies),
) {
  const context = callContext(app, answers, clients)
  const routes = new RouteMap(ROUTES)
  const respondError = errorAnswer(app)
  const answerUnrouted = (request: Request, path: string) => {
    const call = new Call(request, context, ACCESS[routes.accessOf(path)])
    return respondUnrouted(call, { routes, gate: app, respondError })
  }
  // This decides where Elysia looks for the path: after "https://" it would otherwise find the scheme's own slash.
  const isTls = speaksHttps(app.config)
  const server = new Elysia({ ...ELYSIA_OPTIONS, handler: { standardHostname: isTls } })
    .onError(({ code, error, request, path }) => {
      if (code === 'NOT_FOUND') return answerUnrouted(request, path)
      return respondError(new Call(request, context, ACCESS.none), error)
    })
    .wrap((fetch) => (request: Request) => {
      if (!hasOneHost(request)) return refuseMalformed()
      if (app.desktop !== null && !namesThisMachine(request)) return refuseOtherHost()
      return fetch(plainRequest(request))
    })
  const state = openState(app, answers)
  for (const route of ROUTES) {
    const { method, path: pattern, access, described } = route
    const traits = described?.takesFile
      ? { ...ACCESS[access], largestBody: app.config.max_upload }
      : ACCESS[access]
    const answer = ({ request, path, params }: { request: Request; path: string; params: unknown }) => {
      // `PATCH /keys/rotate-all` isn't a call of `/keys/:key_id`.
      if (method !== 'GET' && routes.patternOf(path) !== pattern) return answerUnrouted(request, path)
      const exchange = new Call(request, context, traits)
      return answerCall(route, { app, state, exchange, params: params as never }, app, respondError)
    }
    // Elysia reads a handler's source: it parses whatever that names, and waits for another turn of the event loop if it
    // looks asynchronous. A bound function has no source.
    server.route(method, pattern, answer.bind(null))
  }
  return server.compile()
}

/** Synchronous where admission and route are. */
function answerCall(
  { access, handle, refuse: refuseOwn }: Route,
  context: Context<never>,
  gate: Gate,
  respondError: ErrorAnswer,
): ValueOrPromise<Response> {
  const respond = (error: unknown) => respondError(context.exchange, error)
  const refuse = (error: unknown): ValueOrPromise<Response> =>
    refuseOwn === undefined
      ? respond(error)
      : refuseOwn(context, error).then(
          (answer) => answer ?? respond(error),
          () => respond(error),
        )
  try {
    const answer = withValue(admit(context.exchange, access, gate), () => handle(context))
    return answer instanceof Promise ? answer.catch(refuse) : answer
  } catch (error) {
    return refuse(error)
  }
}

function errorAnswer(app: App): ErrorAnswer {
  return (exchange, error, headers) => {
    const broken = respondIfBroken(app, exchange, error)
    if (broken !== undefined) return broken
    const description = describeError(exchange, toRefusal(app, exchange, error), headers)
    const { errorSchema } = exchange.traits
    if (errorSchema === 'CkanError') return respondCkanError(exchange, description)
    if (wantsPage(exchange)) return respondErrorPage(app, exchange, description)
    return errorSchema === 'McpError'
      ? respondMcpError(exchange, description)
      : respondDescribed(exchange, description)
  }
}
