/** Accepts connections, and stops without cutting off running requests. */

import { isIP } from 'node:net'
import type { App } from '../../app.ts'
import type { Config } from '../../base/config/config.ts'
import { readTls, type TlsFiles } from '../../base/config/tls-files.ts'
import { ApiError, CommandError } from '../../base/errors.ts'
import { saysFilesShort } from '../../base/process/open-files.ts'
import { RequestTurns } from '../../engine/turns.ts'
import { ClientAddresses } from '../../http/client-ip.ts'
import { lastResort, outsideRefusal } from '../../http/errors.ts'
import { IDLE_TIMEOUT_S } from '../../http/exchange.ts'
import { endAll } from '../../http/file-body.ts'
import { Answers } from '../metrics/answers.ts'
import { filesRefusal } from '../refusals.ts'
import { ROUTES } from '../routes.ts'
import { RouteMap } from '../routing.ts'
import { createServer } from '../server.ts'
import { AddressBound, ConnectionBound, type Gate } from './connections.ts'

export interface Listening {
  readonly url: string
  readonly answers: Answers
  readonly routes: RouteMap
  /**
   * Reads certificate and key again. New connections get the new ones; running requests end on the old ones.
   * @throws CommandError as `readTls`; the old ones stay then
   */
  reloadTls(): void
  /** The certificate that new connections get; null without HTTPS. */
  certificate(): { readonly file: string; readonly ends: Date } | null
  /** Accepts no more connections, waits for running requests up to the times given, then cuts off the rest. */
  stop(grace: Grace): Promise<void>
}

/** In seconds. */
interface Grace {
  /** Requests are still accepted for so long, while the service says that it is not ready. */
  readonly delay?: number
  readonly requests: number
  /** For exports; by default as `requests`. */
  readonly exports?: number | undefined
}

/**
 * Serves on the configured address, and starts the mail (whose links name that address) and the request log.
 * @throws CommandError `failed` when the address cannot be taken
 */
export function listen(app: App): Listening {
  const { host, port, reuse_port, base_url, max_connections: asked } = app.config
  const clients = new ClientAddresses(app.config.trusted_proxies)
  const answers = new Answers()
  const server = createServer(app, answers, clients)
  const failed = (error: unknown) => {
    app.log.error({ err: error }, 'a request failed outside of its route')
    return saysFilesShort(error) ? outsideRefusal(filesRefusal()) : lastResort()
  }
  const ofAddress = new AddressBound(app.config.max_connections_per_address, clients)
  const turns = new RequestTurns()
  const answer = (request: Request) => {
    if (clients.loopback !== undefined || ofAddress.admits(request, listener.inProgress))
      return server.fetch(request)
    const message = 'Too many requests of your address are in progress: wait for one to end.'
    const refused = outsideRefusal(new ApiError('service_unavailable', message))
    refused.headers.set('Connection', 'close')
    return refused
  }
  // A client that leaves while its request waits has no address any more, and reads no answer.
  const fetch = (request: Request) =>
    turns.run(
      () => answer(request),
      () => (clients.isOpen(request) ? answer(request) : lastResort()),
    )
  const serving = { hostname: host, port, reusePort: reuse_port, fetch, error: failed }
  const listener = new Listener(serving, app.config)
  clients.sockets = listener
  // `localhost` is not among them: it may be either.
  clients.loopback = ['127.0.0.1', '::1'].find((address) => address === host)
  app.usage.logs.start()
  app.accountService.start(base_url ?? listener.url)
  app.draftWork.start()
  app.node?.start()
  const datasetFiles = () => app.openDatasets.files
  const bound = new ConnectionBound(listener, asked, datasetFiles, app.log)
  return {
    url: listener.url,
    answers,
    routes: new RouteMap(ROUTES),
    reloadTls: () => listener.reloadTls(),
    certificate: () => listener.certificate,
    async stop(grace) {
      bound.stop()
      await drain(answers, listener, grace)
      endAll()
      await app.draftWork.stop()
      await app.node?.stop()
      answers.flush()
      await app.accountService.close()
    },
  }
}

/**
 * Readiness goes first, so that a load balancer or the process that shares the port takes over; then the listener closes
 * and open requests drain. Closing resets connections that still wait in the accept queue: a handful among hundreds of
 * thousands of requests. Where the kernel hands those on (`net.ipv4.tcp_migrate_req=1`), only one is lost now and then
 * that was accepted at this very moment and has not been read.
 */
async function drain(answers: Answers, listener: Listener, grace: Grace): Promise<void> {
  const { delay = 0, requests, exports = requests } = grace
  answers.isDraining = true
  if (delay > 0) await Bun.sleep(delay * 1000)
  const stopped = listener.stop()
  await endsWithin(stopped, requests)
  // Only exports are worth a longer wait.
  if (answers.sending > 0 && exports > requests) await endsWithin(stopped, exports - requests)
  await listener.cutOff()
}

async function endsWithin(work: Promise<void>, seconds: number): Promise<void> {
  const { promise: grace, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, seconds * 1000)
  await Promise.race([work, grace])
  clearTimeout(timer)
}

/**
 * Takes the configured address and gives it back, so that a command that works for long before it serves fails at once.
 * @throws CommandError `failed` as `listen`
 */
export async function requireFreeAddress(config: Config): Promise<void> {
  const { host: hostname, port, reuse_port: reusePort } = config
  readTls(config)
  await startServer({ hostname, port, reusePort, fetch: lastResort, error: lastResort }).stop(true)
}

/**
 * Answers on the configured address for a service that waits for its database: it lives, and cannot serve.
 * @returns ends it
 * @throws CommandError `failed` as `listen`
 */
export function answerWaiting(config: Config, refusal: ApiError): () => Promise<void> {
  const { host, port, reuse_port } = config
  const fetch = ({ url }: Request) =>
    new URL(url).pathname === '/health/live' ? Response.json({ status: 'ok' }) : outsideRefusal(refusal)
  const serving = { hostname: host, port, reusePort: reuse_port, tls: readTls(config), fetch }
  const server = startServer({ ...serving, error: lastResort })
  return () => server.stop(true)
}

interface Serving {
  readonly hostname: string
  readonly port: number
  readonly reusePort: boolean
  readonly tls?: TlsFiles | undefined
  readonly fetch: (request: Request) => Response | Promise<Response>
  readonly error: (error: unknown) => Response
}

/**
 * The taken address. Bun reads certificates only when it starts to listen, so a new one means a second server on the
 * same port: with a certificate the port is shared, after a check that no other program has it.
 */
class Listener implements Gate {
  readonly #config: Config
  #serving: Serving
  #tls: TlsFiles | undefined
  #server: ReturnType<typeof startServer>
  /** Servers of earlier certificates whose requests still run. */
  readonly #ending = new Set<ReturnType<typeof startServer>>()

  constructor(serving: Serving, config: Config) {
    const tls = readTls(config)
    this.#config = config
    this.#serving = serving
    if (tls !== undefined) {
      const reserved = startServer(serving)
      this.#serving = { ...serving, port: Number(reserved.port), reusePort: true }
      void reserved.stop(true)
    }
    this.#server = startServer({ ...this.#serving, tls })
    this.#tls = tls
    this.#serving = { ...this.#serving, port: Number(this.#server.port) }
  }

  get url(): string {
    return this.#server.url.origin
  }

  get certificate(): ReturnType<Listening['certificate']> {
    const { tls_cert: file } = this.#config
    const ends = this.#tls?.ends
    return file === null || ends === undefined ? null : { file, ends }
  }

  requestIP(request: Request): { readonly address: string } | null {
    return this.#server.requestIP(request)
  }

  limitIdle(request: Request, seconds: number): void {
    this.#server.timeout(request, seconds)
  }

  reloadTls(): void {
    const tls = readTls(this.#config)
    if (tls === undefined) return
    this.#tls = tls
    const before = this.#server
    if (!this.#ending.has(before)) this.open()
    this.#end(before)
  }

  open(): void {
    this.#server = startServer({ ...this.#serving, tls: this.#tls })
  }

  closeIdle(): void {
    this.#server.closeIdleConnections()
  }

  shut(): void {
    this.#end(this.#server)
  }

  get inProgress(): number {
    let sum = this.#ending.has(this.#server) ? 0 : this.#server.pendingRequests
    for (const server of this.#ending) sum += server.pendingRequests
    return sum
  }

  #end(server: ReturnType<typeof startServer>): void {
    this.#ending.add(server)
    void server.stop().then(() => this.#ending.delete(server))
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
      ...(tls !== undefined && { tls: { cert: tls.cert, key: tls.key } }),
      development: false,
      idleTimeout: IDLE_TIMEOUT_S,
      // Bun refuses larger bodies itself, without an envelope; `body.ts` draws the real line.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    })
  } catch (error) {
    throw new CommandError('failed', explainRefusal(error, serving))
  }
}

/** Why the address cannot be taken, and which setting changes that. */
function explainRefusal(error: unknown, { hostname, port }: Serving): string {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    // Bun reports EADDRINUSE for a port that this user may not use, too.
    case 'EADDRINUSE':
    case 'EACCES': {
      const rights = port < 1024 ? ', or this user may not use ports below 1024' : ''
      return `port ${port} on ${hostname} is taken by another program${rights}, perhaps by a service or a demo of Izvor that still runs: stop that one, or choose another port with --port (0 takes a free one)`
    }
    case 'EADDRNOTAVAIL':
      return `${hostname} is not an address of this machine: choose one of its own with --host, 127.0.0.1 for this machine alone or 0.0.0.0 for all of its addresses`
    default:
      // For a name that cannot be looked up Bun reports an unrelated errno.
      return isIP(hostname) === 0
        ? `${hostname} is not an address or a name that this machine can look up: check --host`
        : `cannot listen on ${hostname}:${port}: ${message}`
  }
}
