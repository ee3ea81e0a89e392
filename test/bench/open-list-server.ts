/**
 * The yardstick of what keys cost: the same list over the same data, sent by the same code, but nobody asks for a key,
 * counts the call, or notes the answer. `bun open-list-server.ts DATA` prints its address.
 */

import { Elysia } from 'elysia'
import { accountRoutes } from '../../src/accounts/routes.ts'
import { openApp } from '../../src/app.ts'
import { catalogRoutes } from '../../src/catalog/routes.ts'
import { loadConfig } from '../../src/config.ts'
import { datasetRoutes } from '../../src/datasets/routes.ts'
import { ClientAddresses } from '../../src/http/client-ip.ts'
import { docsRoutes } from '../../src/http/docs.ts'
import { respondError } from '../../src/http/errors.ts'
import { ELYSIA_OPTIONS, Exchange } from '../../src/http/exchange.ts'
import { plainRequest } from '../../src/http/plain-requests.ts'
import { statusRoutes } from '../../src/http/status.ts'
import { keyRoutes } from '../../src/keys/routes.ts'
import { usageRoutes } from '../../src/usage/routes.ts'

const app = openApp(loadConfig({ flags: { data: Bun.argv[2] as string } }).values)
const clients = new ClientAddresses(null)

/** As `createServer` in `src/http/server.ts`, but without `admit`. */
const { fetch } = new Elysia(ELYSIA_OPTIONS)
  .decorate('exchange', undefined as unknown as Exchange)
  .onError(({ error, exchange }) => respondError(exchange, error))
  .wrap((inner) => (request: Request) => inner(plainRequest(request)))
  .onRequest((context) => {
    context.exchange = new Exchange(app, context.request, clients)
  })
  .use(statusRoutes(app))
  .use(docsRoutes(app))
  .use(catalogRoutes(app))
  .use(datasetRoutes(app))
  .use(accountRoutes(app))
  .use(keyRoutes(app))
  .use(usageRoutes(app))
  .compile()

const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
console.log(`http://127.0.0.1:${server.port}`)
process.on('SIGTERM', () => {
  app.close()
  process.exit(0)
})
