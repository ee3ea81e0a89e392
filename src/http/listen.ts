/** Accepting connections, and stopping without cutting off who is being served. */

import type { Config } from '../config.ts'
import { CommandError } from '../errors.ts'
import { ClientAddresses } from './client-ip.ts'
import { lastResort } from './errors.ts'
import { type Leaving, prepareToLeave, sharePort } from './leave-port.ts'
import { RouteMap } from './routing.ts'
import { createServer } from './server.ts'
import type { Service } from './service.ts'
import { readTls, type TlsFiles } from './tls.ts'

export interface Listening {
  /** Where requests are accepted: `http://127.0.0.1:3000`. */
  readonly url: string
  readonly routes: RouteMap
  /**
   * Reads certificate and key again. New connections get the new ones; running requests end on the old ones.
   * @throws CommandError as `readTls`; the old ones stay then
   */
  reloadTls(): void
  /** Accepts no more connections, waits for running requests up to the times given, then cuts off the rest. */
  stop(grace: Grace): Promise<void>
}

/** In seconds. */
interface Grace {
  /** For requests to come in while the service already says that it is not ready. */
  readonly delay?: number
  readonly requests: number
  /** For exports; by default as `requests`. */
  readonly exports?: number | undefined
}

/** Seconds without a byte in either direction after which a connection is closed; the largest the server takes is 255. */
const IDLE_TIMEOUT_S = 120
/** The end of the drain's delay, for handshakes under way: a round trip of most networks. */
const QUIET_MS = 200
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
  const server = createServer(service, clients)
  const failed = (error: unknown) => {
    service.log.error({ err: error }, 'a request failed outside of its route')
    return lastResort()
  }
  const serving = { hostname: host, port, reusePort: reuse_port, fetch: server.fetch, error: failed }
  const listener = new Listener(serving, service)
  clients.sockets = listener
  clients.loopback = LOOPBACK.find((address) => address === host)
  service.usage.start(service.now)
  service.accountService.start(base_url ?? listener.url)
  return {
    url: listener.url,
    routes: new RouteMap(server),
    reloadTls: () => listener.reloadTls(),
    async stop(grace) {
      await drain(service, listener, grace)
      service.answers.tell()
      await service.accountService.close()
    },
  }
}

/** Readiness goes first, so that whoever distributes requests sends them elsewhere; then the door, then who is inside. */
async function drain({ answers }: Service, listener: Listener, grace: Grace): Promise<void> {
  const { delay = 0, requests, exports = requests } = grace
  answers.isDraining = true
  if (delay > 0) {
    const quiet = Math.min(QUIET_MS, (delay * 1000) / 2)
    const leavePort = listener.prepareToLeave()
    await Bun.sleep(delay * 1000 - quiet)
    await leavePort()
    await Bun.sleep(quiet)
  }
  const stopped = listener.stop()
  await endsWithin(stopped, requests)
  // Only exports are worth a longer wait.
  if (answers.streams > 0 && exports > requests) await endsWithin(stopped, exports - requests)
  await listener.cutOff()
}

async function endsWithin(work: Promise<void>, seconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000)
  })
  await Promise.race([work, grace])
  clearTimeout(timer)
}

/**
 * Takes the configured address for a moment, so that a command that works for long before it serves fails at once.
 * @throws CommandError `failed` as `listen`
 */
export async function requireFreeAddress(config: Config): Promise<void> {
  const { host, port, reuse_port } = config
  readTls(config)
  const fetch = lastResort
  const server = startServer({ hostname: host, port, reusePort: reuse_port, fetch, error: lastResort })
  await server.stop(true)
}

interface Serving {
  readonly hostname: string
  readonly port: number
  readonly reusePort: boolean
  readonly tls?: TlsFiles | undefined
  readonly fetch: (request: Request) => Response | Promise<Response>
  /** Answers when `fetch` itself throws. */
  readonly error: (error: unknown) => Response
}

/**
 * The address, taken. Bun reads certificates only when it starts to listen, so new ones mean a second server on the same
 * port, which is why with a certificate the port is shared; that nobody else has it is made sure of before.
 */
class Listener {
  readonly #service: Service
  #serving: Serving
  #server: ReturnType<typeof startServer>
  /** Servers of earlier certificates whose requests still run. */
  readonly #ending = new Set<ReturnType<typeof startServer>>()

  constructor(serving: Serving, service: Service) {
    const tls = readTls(service.config)
    this.#service = service
    this.#serving = serving
    if (tls !== undefined) {
      const reserved = startServer(serving)
      this.#serving = { ...serving, port: Number(reserved.port), reusePort: true }
      void reserved.stop(true)
    }
    this.#server = startServer({ ...this.#serving, tls })
    this.#serving = { ...this.#serving, port: Number(this.#server.port) }
    if (serving.reusePort) this.#sharePort()
  }

  #sharePort(): void {
    try {
      sharePort(this.#serving.port)
    } catch (error) {
      this.#service.log.debug({ err: error }, 'whether the port is shared evenly could not be seen to')
    }
  }

  get url(): string {
    return this.#server.url.origin
  }

  requestIP(request: Request): { readonly address: string } | null {
    return this.#server.requestIP(request)
  }

  reloadTls(): void {
    const tls = readTls(this.#service.config)
    if (tls === undefined) return
    const before = this.#server
    this.#server = startServer({ ...this.#serving, tls })
    this.#ending.add(before)
    void before.stop().then(() => this.#ending.delete(before))
  }

  /** @returns what ends new connections, of which some would be lost when the socket is closed; those under way are still accepted */
  prepareToLeave(): () => Promise<void> {
    const told = (leaving: Promise<Leaving>) =>
      leaving.then(
        (outcome) => this.#service.log.debug({ outcome }, 'new connections end here'),
        (error) => this.#service.log.debug({ err: error }, 'new connections could not be ended'),
      )
    try {
      const leave = prepareToLeave(this.#serving.port, () => this.#isAsked())
      return () => told(leave())
    } catch (error) {
      return () => told(Promise.reject(error))
    }
  }

  /** Whether a new connection to the port comes here: whoever is about to stop says so. */
  async #isAsked(): Promise<boolean> {
    const { hostname, port, protocol } = this.#server.url
    const host = hostname === '0.0.0.0' ? '127.0.0.1' : hostname === '[::]' ? '[::1]' : hostname
    const answer = await fetch(`${protocol}//${host}:${port}/health/ready`, {
      keepalive: false,
      signal: AbortSignal.timeout(QUIET_MS),
      tls: { rejectUnauthorized: false },
    })
    const { checks } = (await answer.json()) as { checks: Record<string, unknown> }
    return 'service' in checks
  }

  async stop(): Promise<void> {
    await Promise.all([this.#server, ...this.#ending].map((server) => server.stop()))
  }

  async cutOff(): Promise<void> {
    await Promise.all([this.#server, ...this.#ending].map((server) => server.stop(true)))
  }
}

function startServer(serving: Serving) {
  try {
    const { tls, ...rest } = serving
    return Bun.serve({
      ...rest,
      ...(tls !== undefined && { tls }),
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
