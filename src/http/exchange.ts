/** One request and what is known of it, from admission to answer. */

import { Elysia } from 'elysia'
import type { KeyRecord } from '../keys/key-lookup.ts'
import type { RateState } from '../usage/rate-limit.ts'
import type { ClientAddresses } from './client-ip.ts'
import { requestIdOf } from './request-id.ts'
import type { Service } from './service.ts'

export class Exchange {
  readonly service: Service
  readonly request: Request
  readonly requestId: string
  readonly startedAt: Date
  /** When that was by the clock that measures, in milliseconds. */
  readonly startMark: number
  /** As sent, without the query. */
  readonly path: string
  /** The query string as sent, without `?`; empty when there is none. */
  readonly query: string
  /** Where this service is to the outside, without a slash at the end: the setting, else the request's own. */
  readonly base: string
  /** The key the request was admitted with; undefined on public routes and before admission. */
  key: KeyRecord | undefined
  /** How the key stands with its requests a minute; undefined where it has no such limit. */
  rate: RateState | undefined
  /** Calls that are left of the monthly quota after this one; NaN before it was asked for. */
  callsLeft: number
  /** Whether the answer will cost a call of the monthly quota, as it looks now. */
  reserved: boolean
  /** What the answer tells the browser to keep, as `Set-Cookie` writes it; only under `/account`. */
  cookie: string | undefined
  /** For the log: the dataset asked for, the rows sent, and whether the answer was kept from an earlier one. */
  dataset: string | undefined
  rows: number | undefined
  cache: 'hit' | 'miss' | undefined

  readonly #clients: ClientAddresses

  constructor(service: Service, request: Request, clients: ClientAddresses) {
    const { url } = request
    const pathAt = url.indexOf('/', SCHEME_LENGTH)
    const queryAt = url.indexOf('?', pathAt)
    this.service = service
    this.request = request
    this.requestId = requestIdOf(request)
    this.startedAt = service.now()
    this.startMark = performance.now()
    this.path = queryAt === -1 ? url.slice(pathAt) : url.slice(pathAt, queryAt)
    this.query = queryAt === -1 ? '' : url.slice(queryAt + 1)
    this.base = service.config.base_url ?? url.slice(0, pathAt)
    this.key = undefined
    this.rate = undefined
    this.callsLeft = Number.NaN
    this.reserved = false
    this.cookie = undefined
    this.dataset = undefined
    this.rows = undefined
    this.cache = undefined
    this.#clients = clients
  }

  /** The client's address, by what trusted proxies say. To be asked for before the answer is given. */
  get ip(): string {
    return this.#clients.of(this.request)
  }

  /** Who opened the connection: the client, or a proxy. */
  get peer(): string {
    return this.#clients.peerOf(this.request)
  }
}

/** Of the longer one; in the shorter it ends inside the host, which has at least a character. */
const SCHEME_LENGTH = 'https://'.length

/**
 * A group of routes whose handlers receive the `exchange`. They take it by destructuring, and answer with a finished
 * `Response`: Elysia then parses neither query nor cookies nor body for them.
 */
export function routeGroup() {
  // Filled in for every request by the server's first hook, before any handler runs.
  return new Elysia(ELYSIA_OPTIONS).decorate('exchange', undefined as unknown as Exchange)
}

/**
 * `strictPath`: a trailing slash is another path. `standardHostname: false`: hosts shorter than 4 characters would
 * otherwise shift where Elysia looks for the path. `normalize: false`: answers are bytes, there is nothing to clean.
 */
export const ELYSIA_OPTIONS = {
  strictPath: true,
  normalize: false,
  handler: { standardHostname: false },
} as const
