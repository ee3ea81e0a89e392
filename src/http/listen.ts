/** Accepting connections, and stopping without cutting off who is being served. */

import { CommandError } from '../errors.ts'
import { ClientAddresses } from './client-ip.ts'
import { lastResort } from './errors.ts'
import { createServer } from './server.ts'
import type { Service } from './service.ts'

export interface Listening {
  /** Where requests are accepted: `http://127.0.0.1:3000`. */
  readonly url: string
  /** Accepts no more connections, waits for running requests up to `graceSeconds`, then cuts off the rest. */
  stop(graceSeconds: number): Promise<void>
}

/** Seconds without a byte in either direction after which a connection is closed; the largest the server takes is 255. */
const IDLE_TIMEOUT_S = 120
/** `localhost` is not among them: it may be either. */
const LOOPBACK = ['127.0.0.1', '::1']
/** Bun refuses larger bodies itself, without an envelope; `body.ts` draws the real line. */
const NO_BODY_LIMIT = Number.MAX_SAFE_INTEGER

/**
 * Serves on the configured address, and lets mail go out and the request log be kept: the mail's links need to know where the service is.
 * @throws CommandError `failed` when the address cannot be taken
 */
export function listen(service: Service): Listening {
  const { host, port, reuse_port, base_url } = service.config
  const clients = new ClientAddresses(service.config.trusted_proxies)
  const { fetch } = createServer(service, clients)
  const failed = (error: unknown) => {
    service.log.error({ err: error }, 'a request failed outside of its route')
    return lastResort()
  }
  const server = startServer({ hostname: host, port, reusePort: reuse_port, fetch, error: failed })
  clients.sockets = server
  clients.loopback = LOOPBACK.find((address) => address === host)
  service.usage.start(service.now)
  service.accountService.start(base_url ?? server.url.origin)
  return {
    url: server.url.origin,
    async stop(graceSeconds) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const grace = new Promise((resolve) => {
        timer = setTimeout(resolve, graceSeconds * 1000)
      })
      await Promise.race([server.stop(), grace])
      clearTimeout(timer)
      await server.stop(true)
      await service.accountService.close()
    },
  }
}

interface Serving {
  readonly hostname: string
  readonly port: number
  readonly reusePort: boolean
  readonly fetch: (request: Request) => Response | Promise<Response>
  /** Answers when `fetch` itself throws. */
  readonly error: (error: unknown) => Response
}

function startServer(serving: Serving) {
  try {
    return Bun.serve({
      ...serving,
      development: false,
      idleTimeout: IDLE_TIMEOUT_S,
      maxRequestBodySize: NO_BODY_LIMIT,
    })
  } catch (error) {
    const { hostname, port } = serving
    throw new CommandError('failed', `cannot listen on ${hostname}:${port}: ${(error as Error).message}`)
  }
}
