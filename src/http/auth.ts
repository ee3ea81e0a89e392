/** Who asks: the API key of a `/v1` request (specification 5, RFC 6750). */

import { ApiError } from '../errors.ts'
import { holdsKey } from '../keys/key-format.ts'
import type { KeyLookup, KeyRecord, KeyRefusal } from '../keys/key-lookup.ts'
import type { Exchange } from './exchange.ts'
import { TurnCache } from './turn-cache.ts'

const BEARER = /^Bearer +(\S+) *$/i

const MESSAGES: Readonly<Record<KeyRefusal, string>> = {
  api_key_malformed:
    'This is not an API key: one is rok_ and 38 letters and digits. Check for a typing mistake.',
  api_key_invalid:
    'No such API key. It may have been rotated or deleted: use its new secret, or another key.',
  api_key_revoked: 'This API key is revoked, which is for good: use another key.',
}

/** Tells whose requests are whose. */
export class Authentication {
  readonly #keys: KeyLookup
  /** By the whole header, which may hold a secret: it is forgotten before the next turn. */
  readonly #known = new TurnCache<KeyRecord>()

  constructor(keys: KeyLookup) {
    this.#keys = keys
  }

  /**
   * The key a request was sent with.
   * @throws ApiError `api_key_missing`, `api_key_malformed`, `api_key_invalid`, `api_key_revoked`
   */
  requireKey(exchange: Exchange): KeyRecord {
    const header = exchange.request.headers.get('authorization')
    if (header === null) throw missing(exchange)
    return this.#known.get(header, () => findKey(this.#keys, header))!
  }
}

function findKey(keys: KeyLookup, header: string): KeyRecord {
  const secret = BEARER.exec(header)?.[1]
  if (secret === undefined) {
    throw refusal('api_key_malformed', 'The Authorization header must read: Bearer <API_KEY>.')
  }
  const found = keys.find(secret)
  if (typeof found === 'string') throw refusal(found, MESSAGES[found])
  return found
}

function missing({ path, query }: Exchange): ApiError {
  const message =
    holdsKey(path) || holdsKey(query)
      ? 'API keys are not taken from the address, where logs and histories keep them: send the header ' +
        '"Authorization: Bearer <API_KEY>". Rotate the key if others may have seen this address.'
      : 'An API key is needed: send the header "Authorization: Bearer <API_KEY>".'
  return refusal('api_key_missing', message)
}

function refusal(code: KeyRefusal | 'api_key_missing', message: string): ApiError {
  return new ApiError(code, message, [{ location: 'header.authorization', message }])
}
