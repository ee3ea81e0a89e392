/** Requests that no route takes: 404 for an unknown path, 405 for a known one with another method. */

import { LRUCache } from 'lru-cache'
import { ApiError } from '../base/errors.ts'
import { measureBody, refuseUnreadBody } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { ACCOUNT_HEADERS, PREFLIGHT_HEADERS } from '../http/headers.ts'
import { type AnswerHeaders, respond } from '../http/respond.ts'
import { admit, type Gate, nothingAt, requireOpen } from './admission/admission.ts'
import type { Call } from './call.ts'
import { type Access, accessAround } from './declaration/access.ts'
import type { Route } from './declaration/route.ts'

/** Answers a failure: with a page for people, with the error envelope for programs. */
export type ErrorAnswer = (exchange: Exchange, error: unknown, headers?: AnswerHeaders) => Response

/** By path as written in the sources. */
type Known = Map<string, { readonly pattern: RegExp; readonly methods: string[]; readonly access: Access }>

/** The paths of the declared routes, as patterns, with the methods each one takes. */
export class RouteMap {
  /** In the order of matching. */
  readonly #known: Known

  /** Patterns of recent paths; bounded, since clients choose them. */
  readonly #patterns = new LRUCache<string, string>({ max: 2000 })

  constructor(routes: readonly Route[]) {
    const known: Known = new Map()
    for (const { method, path, access } of routes) {
      const route = known.get(path) ?? { pattern: patternOf(path), methods: [], access }
      route.methods.push(method)
      if (method === 'GET') route.methods.push('HEAD')
      known.set(path, route)
    }
    this.#known = new Map([...known].sort(([a], [b]) => (literalFirst(a) < literalFirst(b) ? -1 : 1)))
  }

  /** The route of a path as written in the sources, `/v1/:domain/:dataset`; `unknown` where there is none. */
  patternOf(path: string): string {
    const remembered = this.#patterns.get(path)
    if (remembered !== undefined) return remembered
    const [found] = this.#known.entries().find(([, { pattern }]) => pattern.test(path)) ?? ['unknown']
    this.#patterns.set(path, found)
    return found
  }

  /** The methods that a path takes, `OPTIONS` last; undefined when no route has it. */
  methodsOf(path: string): string[] | undefined {
    const known = this.#known.get(this.patternOf(path))
    return known && [...known.methods, 'OPTIONS']
  }

  /** What a call of a path needs, according to its route or those around it. */
  accessOf(path: string): Access {
    return this.#known.get(this.patternOf(path))?.access ?? accessAround(path)
  }
}

/**
 * Answers a request that no route takes. It is admitted like those around it, and its body is read first, so that too
 * large a body is a 413 here as well.
 */
export async function respondUnrouted(
  call: Call,
  { routes, gate, respondError }: { routes: RouteMap; gate: Gate; respondError: ErrorAnswer },
): Promise<Response> {
  try {
    const methods = routes.methodsOf(call.path)
    const access = routes.accessOf(call.path)
    requireOpen(call, access, gate)
    if (call.request.method === 'OPTIONS' && (access === 'key' || methods !== undefined)) {
      // 204 without a key. A preflight has no body by the Fetch standard, so none is read.
      refuseUnreadBody(call)
      const headers = call.traits.isCrossOrigin ? PREFLIGHT_HEADERS : ACCOUNT_HEADERS
      return respond(call, 204, { ...headers, ...(methods && { Allow: methods.join(', ') }) }, null)
    }
    await admit(call, access, gate)
    await measureBody(call)
    if (methods === undefined) throw nothingAt(call.path)
    const allow = methods.join(', ')
    const message = `${call.request.method} is not allowed here; use ${allow}.`
    return respondError(call, new ApiError('method_not_allowed', message), { Allow: allow })
  } catch (error) {
    return respondError(call, error)
  }
}

/** Sorts a literal before a parameter that would match it: `/v1/datasets` isn't a domain, `rotate-all` isn't a key. */
function literalFirst(path: string): string {
  return path.replaceAll(/:\w+/g, '\uffff')
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+')}$`)
}
