/**
 * How a request looks after the way it came, and which folder is served, for `doctor`, which asks through the public
 * address and so learns what the proxy in between forwards. Threat: anybody could ask which addresses are inside a network; so the question is
 * sealed under a secret of the data folder, and holds for a minute.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Exchange } from './exchange.ts'

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

/** The header that answers; none for whoever does not know the secret. */
export function answerProbe(exchange: Exchange): Readonly<Record<string, string>> {
  const asked = exchange.request.headers.get(PROBE_HEADER)
  if (asked === null || !isGenuine(exchange, asked)) return {}
  const { headers } = exchange.request
  const answer: ProbeAnswer = {
    peer: exchange.peer,
    forwarded: headers.get('x-forwarded-for'),
    client: exchange.ip,
    host: headers.get('host'),
    folder: exchange.service.dataDir.mark(),
  }
  return { [PROBE_HEADER]: JSON.stringify(answer) }
}

function isGenuine({ service, startedAt }: Exchange, asked: string): boolean {
  const [, at = '', seal = ''] = SHAPE.exec(asked) ?? []
  if (at === '' || Math.abs(startedAt.getTime() - Number(at)) > HOLDS_MS) return false
  return timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(service.cursorSecret, at)))
}

function sealOf(secret: Uint8Array, at: string): string {
  return createHmac('sha256', secret).update(`doctor ${at}`).digest('hex')
}
