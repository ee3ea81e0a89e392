/**
 * Tells `doctor` how its request arrived and which data directory is served. `doctor` sends it to the public address, so
 * it learns what the proxy forwards. Threat: strangers who want to learn addresses inside the network. The request is
 * therefore sealed with a secret of the data directory and valid for a minute.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '../app.ts'
import type { Exchange } from '../http/exchange.ts'

/** Question and answer travel in a header of this name. */
export const PROBE_HEADER = 'X-Izvor-Probe'

/** How the request arrived; the answer holds it as JSON. */
export type ProbeAnswer = ReturnType<typeof describeArrival>

const HOLDS_MS = 60_000

export function sealProbe(secret: Uint8Array, now: Date): string {
  const at = String(now.getTime()).padStart(13, '0')
  return `${at}.${sealOf(secret, at)}`
}

/** The header with the answer; none for a client that does not know the secret. */
export function answerProbe(app: App, exchange: Exchange): Readonly<Record<string, string>> {
  const asked = exchange.request.headers.get(PROBE_HEADER)
  const [, at = '', seal = ''] = /^(\d{13})\.([0-9a-f]{64})$/.exec(asked ?? '') ?? []
  if (at === '' || Math.abs(exchange.startedAt.getTime() - Number(at)) > HOLDS_MS) return {}
  const isGenuine = timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(app.cursorSecret, at)))
  return isGenuine ? { [PROBE_HEADER]: JSON.stringify(describeArrival(app, exchange)) } : {}
}

function describeArrival({ dataDir }: App, { request: { headers }, peer, ip: client }: Exchange) {
  return {
    /** The address that opened the connection: the proxy's, where there is one. */
    peer,
    forwarded: headers.get('x-forwarded-for'),
    /** The address that counts as the client's. */
    client,
    host: headers.get('host'),
    /** Identifies the folder: a copy restored elsewhere has the same secret. */
    folder: dataDir.mark(),
  }
}

function sealOf(secret: Uint8Array, at: string): string {
  return createHmac('sha256', secret).update(`doctor ${at}`).digest('hex')
}
