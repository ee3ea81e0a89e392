/**
 * Tells `doctor` how its request arrived and which data directory is served. `doctor` asks through the public address,
 * so it learns what the proxy forwards. Threat: strangers asking for addresses inside the network. The question is
 * therefore sealed under a secret of the data directory and valid for a minute.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '../app.ts'
import type { Exchange } from '../http/exchange.ts'

/** Question and answer travel in a header of this name. */
export const PROBE_HEADER = 'X-Izvor-Probe'

/** What arrived, as the answer has it in JSON. */
export type ProbeAnswer = ReturnType<typeof describeArrival>

const HOLDS_MS = 60_000

export function sealProbe(secret: Uint8Array, now: Date): string {
  const at = String(now.getTime()).padStart(13, '0')
  return `${at}.${sealOf(secret, at)}`
}

/** The header that answers; none for a client that does not know the secret. */
export function answerProbe(app: App, exchange: Exchange): Readonly<Record<string, string>> {
  const asked = exchange.request.headers.get(PROBE_HEADER)
  const [, at = '', seal = ''] = /^(\d{13})\.([0-9a-f]{64})$/.exec(asked ?? '') ?? []
  if (at === '' || Math.abs(exchange.startedAt.getTime() - Number(at)) > HOLDS_MS) return {}
  const isGenuine = timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(app.cursorSecret, at)))
  return isGenuine ? { [PROBE_HEADER]: JSON.stringify(describeArrival(app, exchange)) } : {}
}

function describeArrival({ dataDir }: App, { request: { headers }, peer, ip: client }: Exchange) {
  return {
    /** Who opened the connection: the proxy, where there is one. */
    peer,
    forwarded: headers.get('x-forwarded-for'),
    /** The address that the request is taken to come from. */
    client,
    host: headers.get('host'),
    /** Which folder is served: one that was restored elsewhere knows the secret, too. */
    folder: dataDir.mark(),
  }
}

function sealOf(secret: Uint8Array, at: string): string {
  return createHmac('sha256', secret).update(`doctor ${at}`).digest('hex')
}
