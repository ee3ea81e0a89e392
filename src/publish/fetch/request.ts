/** One GET with its redirects, under time limits: each hop is checked before it is followed. */

import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../../base/config/config.ts'
import { ApiError, CommandError } from '../../base/errors.ts'
import { readAddress } from '../../base/text/ip-address.ts'
import type { Decision } from '../../read/report/decisions.ts'
import { refuse } from '../../read/report/reasons.ts'
import { decodeSegment, holdsSecrets, publicUrl, readUrl, resolveHost, showAddress } from './address.ts'
import { FOR_PUBLISHERS, findPlace, type Guard, type Place, refuseInside } from './place.ts'
import type { Watch } from './watch.ts'

/** The most redirects that are followed. */
const MOST_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export interface Answer {
  readonly response: Response
  /** The address that answered, after all redirects. */
  readonly url: URL
  /** The host where the fetch began; redirects are checked against it. */
  readonly from: Origin
  readonly decisions: readonly Decision[]
}

/** A host whose network is known. */
export type Origin = Pick<Place, 'url' | 'network'>

export interface RequestGuard extends Guard {
  /** The host that gave the address; a public one may not lead into a private network. Left out: the operator gave it. */
  readonly namedBy?: Origin | undefined
}

/**
 * @param headers sent to every hop, in addition to the usual ones
 * @throws CommandError `failed` when the first host is not in the network that the guard wants, nothing answers in time, or
 * redirects go in a circle, are too many, or lead from https to http or from the public internet into a private network
 */
export async function request(
  from: URL,
  headers: Readonly<Record<string, string>>,
  watch: Watch,
  guard: RequestGuard,
): Promise<Answer> {
  const decisions: Decision[] = []
  const seen = new Set<string>()
  let origin = guard.namedBy
  for (let url = from; ; ) {
    seen.add(url.href)
    const place = await findPlace(url, guard)
    if (origin === undefined) refuseElsewhere(place, guard)
    origin ??= place
    refuseInside(origin, place)
    const response = await send(place, { ...headers, ...credentialsFor(url, from) }, watch)
    const location = response.headers.get('location')
    if (!REDIRECTS.has(response.status) || location === null)
      return { response, url, from: origin, decisions }
    await response.body?.cancel()
    const next = readLocation(location, url)
    refuseDetour(from, url, next, seen)
    if (next.host !== url.host)
      decisions.push({
        kind: 'redirect',
        reason: `${url.host} redirects to another server, ${next.host}, and the file was taken from there`,
        override: null,
      })
    url = next
  }
}

function refuseElsewhere({ url, network }: Place, { only }: Guard): void {
  if (only !== undefined && only.network !== network) throw only.refuse(url)
}

/** Sends the request to the host's addresses in turn until one answers. */
async function send(
  { url, addresses }: Place,
  headers: Readonly<Record<string, string>>,
  watch: Watch,
): Promise<Response> {
  watch.expectAnswer()
  for (const [index, address] of addresses.entries()) {
    try {
      return await sendTo(address, url, headers, watch)
    } catch (error) {
      const isLast = index === addresses.length - 1
      if (watch.failure !== null || isLast) throw watch.failure ?? explainFailure(error, url)
    }
  }
  throw new Error('a host has no addresses')
}

/** Connects to a checked address; the Host header and the certificate check keep the name. */
function sendTo(
  address: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  { signal }: Watch,
): Promise<Response> {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  const isName = readAddress(url.hostname) === undefined
  if (isName) bare.hostname = address.includes(':') ? `[${address}]` : address
  return fetch(bare.href, {
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip',
      'user-agent': `izvor/${packageJson.version}`,
      ...headers,
      host: url.host,
    },
    ...(isName && { tls: { serverName: url.hostname.replace(/\.$/, '') } }),
    redirect: 'manual',
    // Content-Length counts the bytes as sent; they are unpacked afterwards.
    decompress: false,
    // A connection kept from an earlier fetch may have died unnoticed.
    keepalive: false,
    signal,
  })
}

/** The address's user and password, only for the server they belong to. */
function credentialsFor(url: URL, from: URL): Record<string, string> {
  if ((from.username === '' && from.password === '') || url.origin !== from.origin) return {}
  const pair = `${decodeSegment(from.username)}:${decodeSegment(from.password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function readLocation(location: string, url: URL): URL {
  const next = URL.canParse(location, url.href) ? new URL(location, url) : null
  if (next === null || !/^https?:$/.test(next.protocol)) {
    throw refuse('wrong_redirect', { host: url.host }, publicUrl(url))
  }
  next.username = ''
  next.password = ''
  next.hash = ''
  return next
}

function refuseDetour(from: URL, url: URL, next: URL, seen: ReadonlySet<string>): void {
  const start = publicUrl(from)
  if (url.protocol === 'https:' && next.protocol === 'http:') {
    throw refuse('insecure_redirect', { host: url.host }, `${publicUrl(url)} redirects to ${publicUrl(next)}`)
  }
  if (seen.has(next.href))
    throw refuse('wrong_redirect', { host: from.host }, `${start} redirects in a circle: ${publicUrl(next)}`)
  if (seen.size > MOST_REDIRECTS)
    throw refuse(
      'wrong_redirect',
      { host: from.host },
      `${start} redirects more than ${MOST_REDIRECTS} times`,
    )
}

const FAILURES = [
  [/ENOTFOUND|EAI_AGAIN|DNS/, 'unknown_host'],
  [/ECONNREFUSED|ConnectionRefused|ENETUNREACH|EHOSTUNREACH/, 'no_answer'],
  [/CERT|SELF_SIGNED|TLS|SSL/i, 'bad_certificate'],
  [/ECONNRESET|EPIPE|ConnectionClosed/, 'connection_lost'],
] as const

/** Puts a failed connection into words. */
export function explainFailure(error: unknown, url: URL): CommandError {
  if (error instanceof CommandError) return error
  const { code = '', message = '' } = error as { code?: unknown; message?: string }
  const found = FAILURES.find(([pattern]) => pattern.test(String(code)) || pattern.test(message))
  return refuse(
    found?.[1] ?? 'connection_failed',
    { host: url.host },
    `${publicUrl(url)}: ${String(code) || message}`,
  )
}

/**
 * Checks the address of a publisher's schedule.
 * @returns the address as it is stored
 * @throws ApiError `invalid_body` when it is not an address, contains a secret, or is in a private network
 */
export async function requireAddress(
  given: string,
  { publish_private_addresses }: Pick<Config, 'publish_private_addresses'>,
): Promise<string> {
  try {
    const url = readUrl(given)
    if (holdsSecrets(url))
      throw new CommandError(
        'usage',
        'a password or key in an address is not kept, so the source could not be fetched with it.',
      )
    // Refuses now what a fetch would refuse later; a name that is unknown now may exist by then.
    const isKnown = async () =>
      readAddress(url.hostname) !== undefined || (await resolveHost(url.hostname)).length > 0
    if (!publish_private_addresses && (await isKnown()))
      refuseElsewhere(await findPlace(url, {}), { only: FOR_PUBLISHERS })
    return showAddress(given)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const message = `source_url: ${error.message}`
    throw new ApiError('invalid_body', message, [{ location: 'body.source_url', message }])
  }
}

type Decisions = Readonly<Record<string, unknown>>

/**
 * Refuses a wrong schedule when it is decided; each refresh checks again (`publish/refresh/refresh.ts`).
 * @throws ApiError as `requireAddress`
 */
export async function refusePrivateSchedule(
  config: Pick<Config, 'publish_private_addresses'>,
  before: Decisions,
  added: Decisions,
): Promise<void> {
  const { source_url, refresh } = { ...before, ...added }
  const isDecided = added.source_url !== undefined || added.refresh !== undefined
  if (isDecided && typeof source_url === 'string' && typeof refresh === 'string')
    await requireAddress(source_url, config)
}
