/** The checks that every request passes before its route answers. */

import { hideKeys, holdsKey } from '../../accounts/keys/key-format.ts'
import type { KeyLookup, KeyRecord, KeyRefusal } from '../../accounts/keys/key-lookup.ts'
import type { App } from '../../app.ts'
import { ApiError } from '../../base/errors.ts'
import { decodePercent } from '../../base/text/query-string.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import { refuseDeclaredSize } from '../../http/body.ts'
import type { Exchange } from '../../http/exchange.ts'
import { showsDesk } from '../../pages/layout/view.ts'
import type { Call } from '../call.ts'
import { ACCESS, type Access } from '../declaration/access.ts'
import { admitCall, type CallCounts } from './call-limits.ts'

export type Gate = CallCounts & Pick<App, 'keys' | 'config'>

/**
 * Admits or refuses a request in the order of contract 2: the key is checked before anything else, also on paths
 * and methods that do not exist, and its limits right after it.
 * @throws ApiError 404 `not_found` as `requireOpen`, 401 codes, 429 codes, 413 `payload_too_large`, 422 `invalid_value` for
 * a path that cannot be decoded
 */
export function admit(call: Call, access: Access, gate: Gate): ValueOrPromise<void> {
  const { isCounted, takesKey } = ACCESS[access]
  requireOpen(call, access, gate)
  const header = isCounted || takesKey ? headerOf(call) : null
  if (header === null) {
    if (isCounted) throw missing(call)
    return refuseUnreadable(call)
  }
  return withValue(findKey(gate.keys, header, call.startedAt), (key) => {
    call.key = key
    return withValue(admitCall(call, gate), () => refuseUnreadable(call))
  })
}

/** @throws ApiError `not_found` on the operators' desk where the setting hides it from the client */
export function requireOpen(call: Call, access: Access, { config }: Gate): void {
  if (!ACCESS[access].isOperators || showsDesk(config, call.isLocal)) return
  throw nothingAt(call.path)
}

/** The refusal for an address with nothing behind it. */
export function nothingAt(path: string): ApiError {
  if (path.endsWith('/') && path !== '/')
    return new ApiError('not_found', 'There is nothing here: paths have no slash at the end.')
  const shown = path.length > 80 ? 'this path' : hideKeys(path)
  return new ApiError('not_found', `There is nothing at ${shown}; /docs describes every address there is.`)
}

function refuseUnreadable(call: Call): void {
  refuseDeclaredSize(call)
  const { path } = call
  if (path.includes('%') && decodePercent(path) === undefined) {
    const message =
      'Invalid percent-encoding in the path: write UTF-8 bytes as %XX, and a percent sign as %25.'
    throw new ApiError('invalid_value', message, [{ location: 'path', message }])
  }
}

const BEARER = /^Bearer +(\S+) *$/i

const MESSAGES: Readonly<Record<KeyRefusal, string>> = {
  api_key_malformed:
    'This is not an API key: a key is rok_ followed by 38 letters and digits. Check it for typing mistakes.',
  api_key_invalid:
    'No such API key. It may have been rotated or deleted: use its new secret, or another key.',
  api_key_revoked: 'This API key is revoked and stays so: use another key.',
  api_key_expired: 'This API key has expired: its owner can give it a later end, and its secret stays.',
}

/** The header with a request's key, right or wrong. CKAN's clients send the bare key, under either name (contract 9). */
function headerOf(exchange: Exchange): string | null {
  const { headers } = exchange.request
  const header = headers.get('authorization')
  if (exchange.traits.errorSchema !== 'CkanError') return header
  const sent = header ?? headers.get('x-ckan-api-key')
  return sent === null || sent.includes(' ') ? sent : `Bearer ${sent}`
}

/**
 * The key of an `Authorization` header (specification 5, RFC 6750).
 * @throws ApiError `api_key_malformed`, `api_key_invalid`, `api_key_revoked`, `api_key_expired`
 */
export function findKey(keys: KeyLookup, header: string, now: Date): ValueOrPromise<KeyRecord> {
  const secret = BEARER.exec(header)?.[1]
  if (secret === undefined) {
    throw refusal('api_key_malformed', 'The Authorization header must read: Bearer <API_KEY>.')
  }
  return withValue(keys.find(secret, now), (found) => {
    if (typeof found === 'string') throw refusal(found, MESSAGES[found])
    return found
  })
}

function missing({ path, query }: Exchange): ApiError {
  const message =
    holdsKey(path) || holdsKey(query)
      ? 'API keys are not accepted in the address, where logs and histories keep them: send the header ' +
        '"Authorization: Bearer <API_KEY>". Rotate the key if others may have seen this address.'
      : 'An API key is needed: send the header "Authorization: Bearer <API_KEY>".'
  return refusal('api_key_missing', message)
}

function refusal(code: KeyRefusal | 'api_key_missing', message: string): ApiError {
  return new ApiError(code, message, [{ location: 'header.authorization', message }])
}
