/** The service's table of contents: every step of a request and every group of routes, in order. */

import { Elysia } from 'elysia'
import { accountRoutes } from '../accounts/routes.ts'
import { catalogRoutes } from '../catalog/routes.ts'
import { datasetRoutes } from '../datasets/routes.ts'
import { interopRoutes } from '../interop/routes.ts'
import { keyRoutes } from '../keys/routes.ts'
import { guideLinks } from '../pages/docs/guides.ts'
import { respondErrorPage, wantsPage } from '../pages/error-page.tsx'
import { pageRoutes } from '../pages/routes.ts'
import { RateLimiter } from '../usage/rate-limit.ts'
import { usageRoutes } from '../usage/routes.ts'
import { admit } from './admission.ts'
import { Authentication } from './auth.ts'
import { ClientAddresses } from './client-ip.ts'
import { docsRoutes } from './docs.ts'
import { describeError, type ErrorAnswer, respondError } from './errors.ts'
import { ELYSIA_OPTIONS, Exchange } from './exchange.ts'
import { plainRequest } from './plain-requests.ts'
import { RouteMap, respondUnrouted } from './routing.ts'
import type { Service } from './service.ts'
import { statusRoutes } from './status.ts'

/** The service as a function from requests to answers (`server.fetch`). */
export function createServer(
  service: Service,
  clients = new ClientAddresses(service.config.trusted_proxies),
) {
  const gate = { authentication: new Authentication(service.keys), rates: new RateLimiter() }
  let routes: RouteMap | undefined
  // Where Elysia looks for the path: behind "https://" it would otherwise find the scheme's own slash.
  const isTls = service.config.tls_cert !== null
  const server = new Elysia({ ...ELYSIA_OPTIONS, handler: { standardHostname: isTls } })
    .decorate('exchange', undefined as unknown as Exchange)
    // First of all, so that whatever fails further down ends in the error envelope.
    .onError(({ code, error, exchange, request }) => {
      // Absent only when the request was too odd to begin with it.
      const known = exchange ?? new Exchange(service, request, clients)
      if (code !== 'NOT_FOUND') return answerError(known, error)
      routes ??= new RouteMap(server)
      return respondUnrouted(known, routes, answerError)
    })
    .wrap((fetch) => (request: Request) => fetch(plainRequest(request)))
    .onRequest((context) => {
      context.exchange = new Exchange(service, context.request, clients)
      return admit(context.exchange, gate)
    })
    .use(statusRoutes(service))
    .use(pageRoutes(service))
    .use(docsRoutes(service))
    .use(interopRoutes(service, guideLinks()))
    .use(catalogRoutes(service))
    .use(datasetRoutes(service))
    .use(accountRoutes(service))
    .use(keyRoutes(service))
    .use(usageRoutes(service))
  return server.compile()
}

/** For people a page, for programs the error envelope. */
const answerError: ErrorAnswer = (exchange, error, headers) =>
  wantsPage(exchange)
    ? respondErrorPage(exchange, describeError(exchange, error, headers))
    : respondError(exchange, error, headers)
