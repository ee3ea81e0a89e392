/** Refusals in the form that CKAN's clients read. */

import type { Problem } from '../../base/errors.ts'
import type { ErrorDescription } from '../../http/errors.ts'
import type { Exchange } from '../../http/exchange.ts'
import { respondJson } from '../../http/respond.ts'

const ACTION_PATHS = /^\/api\/(?:3\/)?action\/([^/]+)$/

/** The address that explains an action, as CKAN's `help`; for other addresses and unknown actions, the guide. */
export function helpAddress({ base, path }: Exchange, isAction = true): string {
  const action = isAction ? ACTION_PATHS.exec(path)?.[1] : undefined
  return action === undefined ? guideAddress(base) : `${base}/api/3/action/help_show?name=${action}`
}

export function guideAddress(base: string): string {
  return `${base}/docs/guides/ckan`
}

export function respondCkanError(exchange: Exchange, { status, headers, body }: ErrorDescription): Response {
  const { message, detail } = body.error
  const error =
    status === VALIDATION
      ? { ...byArgument(message, detail), __type: TYPES[status] }
      : { __type: TYPES[status] ?? 'Error', message }
  return respondJson(exchange, status, headers, {
    help: helpAddress(exchange, body.error.code !== 'not_found'),
    success: false,
    error,
  })
}

const VALIDATION = 409

const TYPES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Authorization Error',
  404: 'Not Found Error',
  405: 'Method Not Allowed',
  [VALIDATION]: 'Validation Error',
  413: 'Request Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** `{"limit": ["Must be a natural number"]}`; faults in filters of columns are below `filters`. */
function byArgument(message: string, detail: readonly Problem[] | undefined): Record<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { location, message: problem } of detail ?? []) {
    const name = location.split('.').slice(1).join('.')
    const argument = name.includes('[') ? 'filters' : name || 'body'
    found.set(argument, [...(found.get(argument) ?? []), problem])
  }
  return found.size === 0 ? { message: [message] } : Object.fromEntries(found)
}
