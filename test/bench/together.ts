/** Everything at once: many exports, many clients whose requests all differ, and an ingest beside them. */

import { peakBytesOf } from '../support/peak-memory.ts'
import { randomFrom } from '../support/random-numbers.ts'
import { type Load, putLoad } from './load-job.ts'
import type { Service } from './process.ts'

export const EXPORTS = 20
export const CLIENTS = 200
/** More requests than are sent, so that none is repeated. */
const REQUESTS = 20_000
const SORTS = [
  'value_lei',
  '-net_mass_kg',
  'cn8_description',
  'partner_country_code,-value_lei',
  'origin_country_code,month,-net_mass_kg',
  'cn8_code',
]

export interface TogetherWork<T> {
  readonly service: Pick<Service, 'address' | 'pid'>
  /** The key for exports and lists. */
  readonly secret: string
  /** Path and rows of the dataset that is queried, trade. */
  readonly path: string
  readonly rows: number
  readonly folder: string
  /** How long the clients send requests; the ingest runs to its end. */
  readonly seconds: number
  /** Whether exports also run to their end; else they are aborted after the last list. */
  readonly wholeExports: boolean
  readonly ingest: () => Promise<T>
}

export interface Together<T> {
  readonly exports: readonly Download[]
  readonly load: Load
  readonly ingest: T
  /** MB a second that exports received while the clients sent requests. */
  readonly exportedPerSecond: number
}

export interface Download {
  readonly status: number
  readonly retryAfter: string | null
  readonly bytes: number
  readonly hash: string
}

/** @throws Error when a client got anything but an answer or a refusal with Retry-After */
export async function everythingAtOnce<T>(work: TogetherWork<T>): Promise<Together<T>> {
  const { service, secret, path, rows, folder, seconds } = work
  let sent = 0
  const took = (bytes: number) => {
    sent += bytes
  }
  const givingUp = new AbortController()
  const downloads = Array.from({ length: EXPORTS }, () => download(work, took, givingUp.signal))
  const ingesting = work.ingest()
  const started = performance.now()
  const headers = { authorization: `Bearer ${secret}` }
  const paths = variedPaths(path, rows)
  const load = await putLoad(service, folder, {
    paths,
    headers,
    seconds,
    connections: CLIENTS,
    mayRefuse: true,
  })
  const exportedPerSecond = sent / 1e3 / (performance.now() - started)
  if (!work.wholeExports) givingUp.abort()
  return { exports: await Promise.all(downloads), load, ingest: await ingesting, exportedPerSecond }
}

/** Exports all rows as CSV, until it is aborted. */
export async function download(
  { service, secret, path }: Pick<TogetherWork<unknown>, 'service' | 'secret' | 'path'>,
  took: (bytes: number) => void = () => {},
  giveUp = new AbortController().signal,
): Promise<Download> {
  const headers = { authorization: `Bearer ${secret}`, 'accept-encoding': 'identity' }
  const answer = await fetch(`${service.address}${path}/export?format=csv&month[gte]=1`, { headers })
  const hasher = new Bun.CryptoHasher('sha1')
  let bytes = 0
  for await (const chunk of answer.body!) {
    bytes += chunk.length
    took(chunk.length)
    hasher.update(chunk)
    if (giveUp.aborted) break
  }
  const { status } = answer
  return { status, retryAfter: answer.headers.get('retry-after'), bytes, hash: hasher.digest('hex') }
}

/** A new range, sorted and at some offset; every other one with its total. */
function variedPaths(path: string, rows: number): string[] {
  const random = randomFrom(1)
  return Array.from({ length: REQUESTS }, (_, i) => {
    const from = 1000 + Math.floor(random() * 2_000_000)
    const sort = SORTS[Math.floor(random() * SORTS.length)]!
    const offset = Math.floor((random() * rows) / 4)
    return `${path}?value_lei[gte]=${from}&sort=${sort}&offset=${offset}${i % 2 === 0 ? '&count=true' : ''}`
  })
}

/** The most memory that a running process ever had resident, in MB (proc(5)); NaN where there is no /proc. */
export function peakMb(pid: number): number {
  return peakBytesOf(pid) / 1e6
}
