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
export interface ProbeAnswer {
  /** Who opened the connection: the proxy, where there is one. */
  readonly peer: string
  readonly forwarded: string | null
  /** The address that the request is taken to come from. */
  readonly client: string
  readonly host: string | null
  /** Which folder is served (`DataDir.mark`): one that was restored elsewhere knows the secret, too. */
  readonly folder: string
}

const HOLDS_MS = 60_000
const SHAPE = /^(\d{13})\.([0-9a-f]{64})$/

/** The value of the header that asks. */
export function sealProbe(secret: Uint8Array, now: Date): string {
  const at = String(now.getTime()).padStart(13, '0')
  return `${at}.${sealOf(secret, at)}`
}

/** The header that answers; none for a client that does not know the secret. */
export function answerProbe(app: App, exchange: Exchange): Readonly<Record<string, string>> {
  const asked = exchange.request.headers.get(PROBE_HEADER)
  if (asked === null || !isGenuine(app, exchange, asked)) return {}
  const { headers } = exchange.request
  const answer: ProbeAnswer = {
    peer: exchange.peer,
    forwarded: headers.get('x-forwarded-for'),
    client: exchange.ip,
    host: headers.get('host'),
    folder: app.dataDir.mark(),
  }
  return { [PROBE_HEADER]: JSON.stringify(answer) }
}

function isGenuine(app: App, { startedAt }: Exchange, asked: string): boolean {
  const [, at = '', seal = ''] = SHAPE.exec(asked) ?? []
  if (at === '' || Math.abs(startedAt.getTime() - Number(at)) > HOLDS_MS) return false
  return timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(app.cursorSecret, at)))
}

function sealOf(secret: Uint8Array, at: string): string {
  return createHmac('sha256', secret).update(`doctor ${at}`).digest('hex')
}
