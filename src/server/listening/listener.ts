/** The listening socket: shared with a second server for a new certificate, closed without cutting off requests. */

import { isIP } from 'node:net'
import type { Config } from '../../base/config/config.ts'
import { readTls, type TlsFiles } from '../../base/config/tls-files.ts'
import { CommandError } from '../../base/errors.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import { IDLE_TIMEOUT_S } from '../../http/exchange.ts'
import type { Gate } from './connections.ts'
import { tlsPaths } from './tls-paths.ts'

/** What a server listens with. */
export interface Serving {
  readonly hostname: string
  readonly port: number
  readonly reusePort: boolean
  readonly tls?: TlsFiles | undefined
  readonly fetch: (request: Request) => ValueOrPromise<Response>
  readonly error: (error: unknown) => Response
}

/** How long a new certificate and the previous one are both served. */
const HANDOVER_MS = 5000

/**
 * A listener on the address. Bun reads certificates only when it starts to listen, so a new one means a second server on the
 * same port: with a certificate the port is shared, after a check that no other program has it.
 */
export class Listener implements Gate {
  readonly #config: Config
  #serving: Serving
  #tls: TlsFiles | undefined
  #server: ReturnType<typeof startServer>
  /** Servers of earlier certificates, until their connections have ended. */
  readonly #ending = new Set<ReturnType<typeof startServer>>()

  constructor(serving: Serving, config: Config) {
    const tls = readTls(tlsPaths(config))
    this.#config = config
    this.#serving = serving
    if (tls !== undefined) {
      const reserved = startServer(serving)
      this.#serving = { ...serving, port: Number(reserved.port), reusePort: true }
      void reserved.stop(true)
    }
    this.#tls = tls
    this.#server = this.#start()
    this.#serving = { ...this.#serving, port: Number(this.#server.port) }
  }

  get url(): string {
    return this.#server.url.origin
  }

  /** The certificate that new connections get; null without HTTPS. */
  get certificate(): { readonly file: string; readonly ends: Date } | null {
    const { tls_cert: file } = tlsPaths(this.#config)
    const ends = this.#tls?.ends
    return file === null || ends === undefined ? null : { file, ends }
  }

  requestIP(request: Request): { readonly address: string } | null {
    return this.#server.requestIP(request)
  }

  limitIdle(request: Request, seconds: number): void {
    this.#server.timeout(request, seconds)
  }

  reloadTls(gently = true): void {
    const tls = readTls(tlsPaths(this.#config))
    if (tls === undefined) return
    this.#tls = tls
    const before = this.#server
    if (this.#ending.has(before)) return
    this.open()
    // A stopping server resets idle connections, so until then each of its answers closes its own connection.
    this.#ending.add(before)
    setTimeout(() => this.#end(before), gently ? HANDOVER_MS : 0).unref()
  }

  open(): void {
    this.#server = this.#start()
  }

  #start(): ReturnType<typeof startServer> {
    const { fetch } = this.#serving
    const giveUp = (answer: Response) => {
      if (this.#ending.has(server)) answer.headers.set('Connection', 'close')
      return answer
    }
    const answer = (request: Request) =>
      this.#ending.size === 0 ? fetch(request) : withValue(fetch(request), giveUp)
    const server = startServer({ ...this.#serving, tls: this.#tls, fetch: answer })
    return server
  }

  closeIdle(): void {
    this.#server.closeIdleConnections()
  }

  shut(): void {
    for (const server of [this.#server, ...this.#ending]) this.#end(server)
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

/** @throws CommandError `failed` when the address cannot be taken */
export function startServer(serving: Serving) {
  try {
    const { tls, ...rest } = serving
    return Bun.serve({
      ...rest,
      ...(tls !== undefined && { tls: { cert: tls.cert, key: tls.key } }),
      development: false,
      idleTimeout: IDLE_TIMEOUT_S,
      // Bun itself would refuse larger bodies without an envelope; `body.ts` sets the real limit.
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
    // Bun also reports EADDRINUSE for a port that this user may not use.
    case 'EADDRINUSE':
    case 'EACCES': {
      const rights = port < 1024 ? ', or this user may not use ports below 1024' : ''
      return `port ${port} on ${hostname} is taken by another program${rights}, perhaps by a service or a demo of Izvor that still runs: stop that one, or choose another port with --port (0 takes a free one)`
    }
    case 'EADDRNOTAVAIL':
      return `${hostname} is not an address of this machine: choose one of its own with --host, 127.0.0.1 for this machine alone or 0.0.0.0 for all of its addresses`
    default:
      // For a name that does not resolve, Bun reports an unrelated errno.
      return isIP(hostname) === 0
        ? `${hostname} is not an address or a name that this machine can look up: check --host`
        : `cannot listen on ${hostname}:${port}: ${message}`
  }
}
