/**
 * The token in a mailed link: HMAC-SHA256 (RFC 2104) of its row's random id, under a secret of the data directory.
 *
 * Lifetime: that of the row, 24 hours or 30 minutes, and one use. Threat: a copy of the database or of the mail queue;
 * neither holds a token. It is derived again at every attempt to send and exists only in the mail, in the address's
 * fragment (which browsers do not send to servers), and in the request that redeems it. Only its SHA-256 is stored.
 */

import { createHmac } from 'node:crypto'

/** 43 characters of base64url. */
export function deriveLinkToken(secret: Uint8Array, tokenId: string): string {
  return createHmac('sha256', secret).update(tokenId).digest('base64url')
}
