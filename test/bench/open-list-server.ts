/**
 * The yardstick for the cost of keys: the same list over the same data, sent by the same code, but without checking the key,
 * counting the call or logging the answer. `bun open-list-server.ts DATA` prints its address.
 */

import { Elysia } from 'elysia'
import type { KeyRecord } from '../../src/accounts/keys/key-lookup.ts'
import { readScopes } from '../../src/accounts/keys/scopes.ts'
import { openApp } from '../../src/app.ts'
import { loadConfig } from '../../src/base/config/load.ts'
import { ClientAddresses } from '../../src/http/client-ip.ts'
import { describeError, respondDescribed } from '../../src/http/errors.ts'
import { ELYSIA_OPTIONS } from '../../src/http/exchange.ts'
import { plainRequest } from '../../src/http/plain-requests.ts'
import { Call, callContext } from '../../src/server/call.ts'
import { ACCESS } from '../../src/server/declaration/access.ts'
import { Answers } from '../../src/server/metrics/answers.ts'
import { toRefusal } from '../../src/server/refusals.ts'
import { ROUTES } from '../../src/server/routes.ts'
import { openState } from '../../src/server/state.ts'

const app = await openApp(loadConfig({ flags: { data: Bun.argv[2] as string } }).values)
const answers = new Answers()
const calls = callContext(app, answers, new ClientAddresses(null))

/** What a list needs of a key; nothing is counted or logged for it. */
const READER = { scopes: readScopes(['read']) } as KeyRecord

class OpenCall extends Call {
  override begins(): void {}

  override ended(): void {}
}

/** As `createServer` in `src/server/server.ts`, but without `admit`. */
const elysia = new Elysia(ELYSIA_OPTIONS).wrap((inner) => (request: Request) => inner(plainRequest(request)))
const state = openState(app, answers)
for (const { method, path, access, handle } of ROUTES) {
  const answer = ({ request, params }: { request: Request; params: unknown }) => {
    const exchange = new OpenCall(request, calls, ACCESS[access])
    exchange.key = READER
    try {
      return handle({ app, state, exchange, params: params as never })
    } catch (error) {
      return respondDescribed(exchange, describeError(exchange, toRefusal(app, exchange, error)))
    }
  }
  elysia.route(method, path, answer.bind(null))
}
const { fetch } = elysia.compile()

const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
console.log(`http://127.0.0.1:${server.port}`)
process.on('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
