/** Who asks: the API key of a `/v1` request (specification 5, RFC 6750). */

import { ApiError } from '../errors.ts'
import type { KeyLookup, KeyRecord, KeyRefusal } from '../keys/key-lookup.ts'
import type { Exchange } from './exchange.ts'
import { TurnCache } from './turn-cache.ts'

/**
 * Anything that looks like an API key, for refusing it in addresses and keeping it out of logs. Each character may also
 * be percent-encoded, once or several times over (`%5F`, `%255F`).
 */
const ENCODED = '%(?:25)*'
const KEY_LOOKALIKE = new RegExp(
  `(?:r|${ENCODED}72)(?:o|${ENCODED}6[Ff])(?:k|${ENCODED}6[Bb])(?:_|${ENCODED}5[Ff])` +
    `(?:[0-9A-Za-z]|${ENCODED}(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])){20,}`,
)
const EVERY_KEY_LOOKALIKE = new RegExp(KEY_LOOKALIKE, 'g')

const BEARER = /^Bearer +(\S+) *$/i

const MESSAGES: Readonly<Record<KeyRefusal, string>> = {
  api_key_malformed:
    'This is not an API key: one is rok_ and 38 letters and digits. Check for a typing mistake.',
  api_key_invalid: 'No such API key. It may have been rotated or deleted.',
  api_key_revoked: 'This API key is revoked.',
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

/** A text fit for logs: keys in it are hidden. */
export function hideKeys(text: string): string {
  // Most texts cannot hold one, which is quickly seen.
  if (!text.includes('rok_') && !text.includes('%')) return text
  return text.replace(EVERY_KEY_LOOKALIKE, 'rok_…')
}

function missing({ path, query }: Exchange): ApiError {
  const message =
    KEY_LOOKALIKE.test(path) || KEY_LOOKALIKE.test(query)
      ? 'API keys are not taken from the address, where logs and histories keep them: send the header ' +
        '"Authorization: Bearer <API_KEY>". Rotate the key if others may have seen this address.'
      : 'An API key is needed: send the header "Authorization: Bearer <API_KEY>".'
  return refusal('api_key_missing', message)
}

function refusal(code: KeyRefusal | 'api_key_missing', message: string): ApiError {
  return new ApiError(code, message, [{ location: 'header.authorization', message }])
}
