/** Where a request comes from. */

import { hideKeys } from '../keys/key-format.ts'

export interface Client {
  /** The IP address, as the socket or a trusted proxy gives it. */
  readonly ip: string
  readonly userAgent: string | null
  /** Whether the client is on this machine; left out: unknown. */
  readonly isLocal?: boolean
}

/** How many characters of a `User-Agent` are kept: a client may send a megabyte. */
const USER_AGENT_LENGTH = 300
/** The shape of session tokens, CSRF tokens and link tokens. */
const TOKEN_LOOKALIKES = /(?<![\w-])[\w-]{43}(?![\w-])/g

/** For lists, exports and backups. Hides what looks like a secret before cutting, so that no part of one remains. */
export function shortUserAgent({ userAgent }: Client): string | null {
  if (userAgent === null) return null
  return hideKeys(userAgent).replace(TOKEN_LOOKALIKES, '…').slice(0, USER_AGENT_LENGTH)
}
