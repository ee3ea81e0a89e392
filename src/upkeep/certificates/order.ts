/** Orders a certificate from a directory by ACME (RFC 8555), with proof over HTTP on port 80 (HTTP-01, section 8.3). */

import { X509Certificate } from 'node:crypto'
import { nameBuild } from '../../base/build.ts'
import { readPem } from '../../base/config/tls-files.ts'

export interface Order {
  /** The name in the certificate. */
  readonly host: string
  readonly directory: string
  readonly email: string | null
  /** A PEM file of authorities by which the directory's server is trusted; null: those of the system. */
  readonly ca: string | null
  /** Private key of the account, PEM. The directory identifies the account by it, or makes one. */
  readonly accountKey: string
  /** Makes port 80 answer with this proof, before the directory asks for it. */
  readonly prove: (answer: string) => Promise<void>
}

/** The directory refuses now and asks to wait. */
export class DirectoryBusy extends Error {
  /** Seconds to wait, from `Retry-After`; 0 without one. */
  readonly retryAfter: number

  constructor(message: string, retryAfter: number) {
    super(message)
    this.retryAfter = retryAfter
  }
}

const ANSWER_MS = 30_000

/** Loaded on demand: it takes a fifth of a second, and is needed every other month. */
const library = () => import('acme-client')

/** A new private key, PEM. */
export async function makeAccountKey(): Promise<string> {
  return (await (await library()).crypto.createPrivateEcdsaKey()).toString()
}

/**
 * Orders a certificate with a new private key.
 * @param signal ends it; the order stays as it is at the directory
 * @returns key and chain, PEM
 * @throws DirectoryBusy; Error with the reason of the directory; the reason of `signal`
 */
export async function orderCertificate(order: Order, signal: AbortSignal): Promise<string> {
  const acme = await library()
  const end = new AbortController()
  acme.axios.defaults.adapter = adapterFor(order, end, AbortSignal.any([signal, end.signal]))
  const client = new acme.Client({
    directoryUrl: order.directory,
    accountKey: order.accountKey,
    // Polls the order for a minute, in the end every 1.5 seconds.
    backoffMin: 400,
    backoffMax: 1500,
    backoffAttempts: 40,
  })
  const key = await acme.crypto.createPrivateEcdsaKey()
  const [, csr] = await acme.crypto.createCsr({ altNames: [order.host] }, key)
  const ordered = client.auto({
    csr,
    ...(order.email !== null && { email: order.email }),
    termsOfServiceAgreed: true,
    challengePriority: ['http-01'],
    // Many networks do not let a machine reach its own public address.
    skipChallengeVerification: true,
    async challengeCreateFn(_, { type }, answer) {
      if (type !== 'http-01') throw new Error('the directory does not offer to ask over HTTP (http-01)')
      await order.prove(answer)
    },
    challengeRemoveFn: () => order.prove(''),
  })
  const pem = `${key}${await Promise.race([ordered, ending(signal), ending(end.signal)])}`
  if (new X509Certificate(pem).checkHost(order.host) !== undefined) return pem
  throw new Error(`the directory issued a certificate that is not for ${order.host}`)
}

function ending(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

type Adapter = Extract<
  Awaited<ReturnType<typeof library>>['axios']['defaults']['adapter'],
  (...given: never) => unknown
>

/**
 * Sends the library's requests. The library would repeat requests that a busy directory refuses; here the order ends.
 * @param end aborted when the directory is busy
 */
function adapterFor({ directory, ca }: Order, end: AbortController, signal: AbortSignal): Adapter {
  const tls = ca === null ? {} : { tls: { ca: readPem(ca) } }
  return async (config) => {
    const { url = directory, method = 'get', data } = config
    const answer = await fetch(url, {
      method,
      headers: {
        ...(config.headers.toJSON() as Record<string, string>),
        'User-Agent': `izvor/${nameBuild()}`,
      },
      ...(data !== undefined && { body: data }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      ...tls,
    }).catch((error: Error) => {
      throw new Error(`${new URL(url).host} does not answer: ${error.message}`)
    })
    const { status, statusText, headers } = answer
    const text = await answer.text()
    if (status === 429 || status === 503)
      end.abort(new DirectoryBusy(`the directory answers ${status}: ${reasonIn(text)}`, waitIn(headers)))
    return { data: text, status, statusText, headers: Object.fromEntries(headers), config }
  }
}

/** The detail of a problem document (RFC 7807), or the beginning of another body. */
function reasonIn(body: string): string {
  try {
    return String(JSON.parse(body).detail)
  } catch {
    return body.slice(0, 200)
  }
}

/** Seconds of `Retry-After`, which may also name a moment (RFC 9110, section 10.2.3). */
function waitIn(headers: Headers): number {
  const said = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - Date.now()) / 1000
  return Number.isNaN(seconds) ? 0 : Math.max(0, Math.ceil(seconds))
}
