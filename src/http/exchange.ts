/** One request and its answer at the level of the protocol. */

import type { ErrorCode } from '../base/error-codes.ts'
import type { ClientAddresses } from './client-ip.ts'
import type { HeldBodies } from './held-bodies.ts'
import { namesThisMachine, originalOf } from './plain-requests.ts'

/** Distinguishes the requests of two processes; the counter distinguishes those of one. */
const PREFIX = crypto.randomUUID().slice(0, 13)

let made = 0

export interface ExchangeContext {
  /** The public address of the service from its settings; null takes the request's own. */
  readonly baseUrl: string | null
  readonly now: () => Date
  readonly clients: ClientAddresses
  readonly bodies: HeldBodies
}

export interface ExchangeTraits {
  /** Whether pages of other sites may read the answers. */
  readonly isCrossOrigin: boolean
  readonly largestBody: number
  /** Seconds within which a body has to be complete, unless the route takes a file. */
  readonly bodySeconds: number
  /** The schema of refusals; by default `Error`. */
  readonly errorSchema?: 'CkanError' | 'McpError'
  /** Statuses of refusals that differ from the table of codes. */
  readonly statuses?: Readonly<Partial<Record<ErrorCode, number>>>
}

/** The server's `CallRecord` extends it; `begins`, `broke` and `ended` tell it how the answer went. */
export class Exchange {
  readonly request: Request
  readonly requestId: string
  readonly startedAt: Date
  readonly startMark: number
  /** As sent, without the query. */
  readonly path: string
  readonly query: string
  /** The public address of the service, without a slash at the end. */
  readonly base: string
  readonly traits: ExchangeTraits
  /** The `Set-Cookie` header of the answer; set by account routes only. */
  cookie: string | undefined = undefined
  readonly #context: ExchangeContext

  constructor(request: Request, context: ExchangeContext, traits: ExchangeTraits) {
    const { baseUrl, now } = context
    const { url } = request
    const pathAt = url.indexOf('/', SCHEME_LENGTH)
    const queryAt = url.indexOf('?', pathAt)
    this.request = request
    // The caller's where it is well-formed, else a new one.
    const given = request.headers.get('x-request-id')
    const isGiven = given !== null && /^[\w.-]{1,128}$/.test(given)
    this.requestId = isGiven ? given : `${PREFIX}-${(++made).toString(36)}`
    this.startedAt = now()
    this.startMark = performance.now()
    this.path = queryAt === -1 ? url.slice(pathAt) : url.slice(pathAt, queryAt)
    this.query = queryAt === -1 ? '' : url.slice(queryAt + 1)
    this.base = baseUrl ?? url.slice(0, pathAt)
    this.traits = traits
    this.#context = context
  }

  /** The client's address, according to trusted proxies. Known until the answer is sent. */
  get ip(): string {
    return this.#context.clients.of(this.request)
  }

  /** The other end of the connection: the client, or a proxy. */
  get peer(): string {
    return this.#context.clients.peerOf(this.request)
  }

  /** Whether the client is this machine. */
  get isLocal(): boolean {
    return this.#context.clients.isLocal(this.request)
  }

  /** Whether it is local and for a name of this machine, such as `127.0.0.1`. */
  get isForThisMachine(): boolean {
    return this.isLocal && namesThisMachine(originalOf(this.request))
  }

  get isOpen(): boolean {
    return this.#context.clients.isOpen(this.request)
  }

  /** Waits for work during which the connection is idle, however long it takes. */
  async withoutIdleLimit<T>(work: () => Promise<T>): Promise<T> {
    this.#context.clients.limitIdle(this.request, 0)
    try {
      return await work()
    } finally {
      this.#context.clients.limitIdle(this.request, IDLE_TIMEOUT_S)
    }
  }

  /** Closes the connection after a second without a byte. */
  cutOff(): void {
    this.#context.clients.limitIdle(this.request, 1)
  }

  get bodies(): HeldBodies {
    return this.#context.bodies
  }

  /** Runs when the answer's headers are complete, and may add to them. */
  begins(_status: number, _headers: Headers): void {}

  /** Runs when a stream fails after its headers were sent; `ended` follows. */
  broke(): void {}

  /** Runs when the answer is complete. `bytes`: length of the body as sent. */
  ended(_status: number, _bytes: number): void {}
}

/** Seconds without a byte in either direction after which a connection is closed; the largest the server takes is 255. */
export const IDLE_TIMEOUT_S = 120

/** Where the search for the path starts. After `http://` that skips one character of the host, which is never empty. */
const SCHEME_LENGTH = 'https://'.length

/**
 * `strictPath`: a path with a trailing slash is a different path. `standardHostname: false`: hosts shorter than 4
 * characters would otherwise shift where Elysia looks for the path. `normalize: false`: answers are bytes, with nothing
 * to clean.
 */
export const ELYSIA_OPTIONS = {
  strictPath: true,
  normalize: false,
  handler: { standardHostname: false },
} as const
