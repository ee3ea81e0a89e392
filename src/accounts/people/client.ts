/** Where a request comes from. */

import { hideKeys } from '../keys/key-format.ts'

export interface Client {
  /** The address, as the socket or a trusted proxy gives it. */
  readonly ip: string
  readonly userAgent: string | null
  /** Whether it is this machine; left out: it may be any. */
  readonly isLocal?: boolean
}

/** What is kept of a `User-Agent`: clients choose it, and may choose a megabyte. */
const USER_AGENT_LENGTH = 300
/** The shape of session tokens, CSRF tokens and those of mailed links. */
const TOKEN_LOOKALIKES = /(?<![\w-])[\w-]{43}(?![\w-])/g

/** Shown in lists, exports and backups: what looks like a secret is hidden, before the cut could leave a part of it. */
export function shortUserAgent({ userAgent }: Client): string | null {
  if (userAgent === null) return null
  return hideKeys(userAgent).replace(TOKEN_LOOKALIKES, '…').slice(0, USER_AGENT_LENGTH)
}
