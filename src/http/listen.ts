/** Accepting connections, and stopping without cutting off who is being served. */

import type { Config } from '../config.ts'
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

/**
 * Takes the configured address for a moment, so that a command that works for long before it serves fails at once.
 * @throws CommandError `failed` as `listen`
 */
export async function requireFreeAddress({ host, port, reuse_port }: Config): Promise<void> {
  const fetch = lastResort
  const server = startServer({ hostname: host, port, reusePort: reuse_port, fetch, error: lastResort })
  await server.stop(true)
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
    throw new CommandError('failed', explainRefusal(error, serving))
  }
}

/** The first port that a program without special rights may listen on (systems derived from Unix). */
const FIRST_FREE_PORT = 1024

/** What keeps a service from its address, and which setting answers it. */
function explainRefusal(error: unknown, { hostname, port }: Serving): string {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    // Bun names it for whatever keeps it from a port.
    case 'EADDRINUSE':
    case 'EACCES': {
      const rights = port < FIRST_FREE_PORT ? ', or this user may not use ports below 1024' : ''
      return `port ${port} on ${hostname} is taken by another program${rights}: stop that one, or choose another port with --port (0 takes a free one)`
    }
    case 'EADDRNOTAVAIL':
      return `${hostname} is not an address of this machine: choose one of its own with --host, 127.0.0.1 for this machine alone or 0.0.0.0 for all of its addresses`
    case 'ENOTFOUND':
    case 'EINVAL':
    case 'EAI_AGAIN':
      return `${hostname} is not an address, and no name that this machine can look up: check --host`
    default:
      return `cannot listen on ${hostname}:${port}: ${message}`
  }
}
