/** Requests that no route takes: 404 for an unknown path, 405 for a known one with another method. */

import type { AnyElysia } from 'elysia'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../errors.ts'
import { hideKeys } from '../keys/key-format.ts'
import { readBody } from './body.ts'
import type { ErrorAnswer } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { ACCOUNT_HEADERS, isAccountPath, PREFLIGHT_HEADERS } from './headers.ts'
import { respond } from './respond.ts'

interface Known {
  readonly pattern: RegExp
  readonly methods: string[]
}

/** Paths whose route is remembered; clients choose them. */
const REMEMBERED_PATHS = 2000

/** The paths of a server, as patterns, with the methods each one takes. */
export class RouteMap {
  /** In the order in which they are tried. */
  readonly #known: ReadonlyMap<string, Known>

  readonly #patterns = new LRUCache<string, string>({ max: REMEMBERED_PATHS })

  constructor(server: AnyElysia) {
    const known = new Map<string, Known>()
    for (const { method, path } of server.routes) {
      const route = known.get(path) ?? { pattern: patternOf(path), methods: [] }
      route.methods.push(method)
      if (method === 'GET') route.methods.push('HEAD')
      known.set(path, route)
    }
    this.#known = new Map([...known].sort(([a], [b]) => (literalFirst(a) < literalFirst(b) ? -1 : 1)))
  }

  /** The route of a path as it is written in the sources, `/v1/:domain/:dataset`; `unknown` where there is none. */
  patternOf(path: string): string {
    const remembered = this.#patterns.get(path)
    if (remembered !== undefined) return remembered
    const found = this.#find(path)
    this.#patterns.set(path, found)
    return found
  }

  #find(path: string): string {
    for (const [route, { pattern }] of this.#known) if (pattern.test(path)) return route
    return 'unknown'
  }

  /** The methods that a path takes, `OPTIONS` last; undefined when no route has it. */
  methodsOf(path: string): string[] | undefined {
    const known = this.#known.get(this.patternOf(path))
    return known && [...known.methods, 'OPTIONS']
  }
}

/** Answers a request that no route took. A body is read first, so that one too large is a 413 here as well. */
export async function respondUnrouted(
  exchange: Exchange,
  routes: RouteMap,
  respondError: ErrorAnswer,
): Promise<Response> {
  try {
    await readBody(exchange.request)
    return refuse(exchange, routes, respondError)
  } catch (error) {
    return respondError(exchange, error)
  }
}

function refuse(exchange: Exchange, routes: RouteMap, respondError: ErrorAnswer): Response {
  const { path, request } = exchange
  const methods = routes.methodsOf(path)
  const allow = methods?.join(', ')
  if (allow !== undefined && request.method === 'OPTIONS') {
    const headers = isAccountPath(path) ? ACCOUNT_HEADERS : PREFLIGHT_HEADERS
    return respond(exchange, 204, { ...headers, Allow: allow }, null)
  }
  if (allow === undefined) {
    return respondError(exchange, new ApiError('not_found', nothingAt(path)))
  }
  const refusal = new ApiError('method_not_allowed', `${request.method} is not possible here; use ${allow}.`)
  return respondError(exchange, refusal, { Allow: allow })
}

const LONGEST_PATH_SHOWN = 80

function nothingAt(path: string): string {
  if (path.endsWith('/') && path !== '/') return 'There is nothing here: paths have no slash at the end.'
  const shown = path.length > LONGEST_PATH_SHOWN ? 'this path' : hideKeys(path)
  return `There is nothing at ${shown}; /docs describes every address there is.`
}

/** Sorts a word before the parameter that could be it: `/v1/datasets` is no domain, `rotate-all` no key. */
function literalFirst(path: string): string {
  return path.replaceAll(/:\w+/g, '\uffff')
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+')}$`)
}
