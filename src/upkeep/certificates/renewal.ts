/**
 * When a certificate is ordered. One process checks every few seconds. Attempts are recorded, so neither a restart nor
 * another node asks the directory too soon.
 */

import { X509Certificate } from 'node:crypto'
import type { Config } from '../../base/config/config.ts'
import { retryDelay, Schedule, type ScheduleOptions } from '../../base/process/schedule.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import type { AcmeRecords } from './acme-records.ts'
import { DirectoryBusy, makeAccountKey, orderCertificate } from './order.ts'

/** The latest order without a certificate: failed, or under way. Moments are ISO 8601. */
interface Attempt {
  /** What it was for; for another host or directory the attempt does not count. */
  readonly host: string
  readonly directory: string
  /** In a row; 0: the first one is under way. */
  readonly failures: number
  readonly since: string
  readonly reason: string
  /** The earliest next order. */
  readonly next: string
  /** Until then not even a manual order is sent, because the directory asked to wait. */
  readonly closed: string | null
}

export interface RenewalState {
  /** The directory that issued the certificate; null: there is none yet. */
  readonly issuer: string | null
  readonly attempt: Attempt | null
}

const DAY_MS = 86_400_000
const RENEWAL_MS = 30 * DAY_MS
/** If a process is killed during an order, its successor waits this long. */
const UNDER_WAY_MS = 60_000

export async function readRenewal(records: AcmeRecords): Promise<RenewalState> {
  const text = await records.read('state')
  return text === undefined ? { issuer: null, attempt: null } : JSON.parse(text)
}

/** The failing attempt; null when there is none. */
export function failureOf({ attempt }: RenewalState): Attempt | null {
  return attempt !== null && attempt.failures > 0 ? attempt : null
}

/** Lets the next check repeat a failed order at once, unless the directory asked to wait. */
export async function retryRenewal(records: AcmeRecords): Promise<void> {
  const { issuer, attempt } = await readRenewal(records)
  if (attempt === null || attempt.failures === 0) return
  const next = attempt.closed ?? new Date(0).toISOString()
  await records.write('state', JSON.stringify({ issuer, attempt: { ...attempt, next } }))
}

/**
 * Whether a certificate is to be replaced: 30 days before its end, or, if it is valid for at most 30 days, after two
 * thirds of that time.
 * @param pem undefined: there is none
 */
export function isCertificateDue(pem: string | undefined, host: string, now: Date): boolean {
  if (pem === undefined) return true
  const certificate = new X509Certificate(pem)
  const [from, until] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  const ahead = until - from > RENEWAL_MS ? RENEWAL_MS : (until - from) / 3
  return certificate.checkHost(host) === undefined || until - now.getTime() <= ahead
}

interface RenewalOptions extends ScheduleOptions {
  readonly records: AcmeRecords
  readonly config: Pick<Config, 'acme_email' | 'acme_directory' | 'acme_ca'>
  readonly host: string
  /** Called when the record holds a new certificate. */
  readonly onIssued: () => void
}

export class CertificateRenewal extends Schedule<RenewalOptions> {
  readonly #end = new AbortController()

  constructor(options: RenewalOptions) {
    super('renewals', options)
  }

  override stop(): Promise<void> {
    this.#end.abort(new Error('the service stops'))
    return super.stop()
  }

  protected override async look(): Promise<void> {
    const { records, config, host, now } = this.options
    const { acme_directory: directory } = config
    const state = await readRenewal(records)
    const isCurrent =
      state.issuer === directory && !isCertificateDue(await records.read('certificate'), host, now())
    if (isCurrent || this.isClosed) return
    const isSame = state.attempt?.host === host && state.attempt.directory === directory
    const before = isSame ? state.attempt : null
    if (before !== null && now() < new Date(before.next)) return
    await this.#order(state, before)
  }

  async #order(state: RenewalState, before: Attempt | null): Promise<void> {
    const { records, config, host, now, log, onIssued } = this.options
    const { acme_directory: directory, acme_email: email, acme_ca: ca } = config
    const write = (state: RenewalState) => records.write('state', JSON.stringify(state))
    const later = (ms: number) => new Date(now().getTime() + ms).toISOString()
    const first = { host, directory, failures: 0, since: now().toISOString(), reason: '', closed: null }
    const begun = before ?? first
    await write({ ...state, attempt: { ...begun, next: later(UNDER_WAY_MS) } })
    log.info({ host, directory }, 'a certificate is ordered')
    try {
      const accountKey = await this.#accountKey()
      const prove = (answer: string) => records.write('challenge', answer)
      const order = { host, directory, email, ca, accountKey, prove }
      await records.write('certificate', await orderCertificate(order, this.#end.signal))
      await write({ issuer: directory, attempt: null })
      log.info({ host, directory }, 'a certificate was issued')
      onIssued()
    } catch (error) {
      // Stopping the service is not a failure of the directory.
      if (this.isClosed) return await write(state)
      const failures = begun.failures + 1
      const closedMs = error instanceof DirectoryBusy ? error.retryAfter * 1000 : 0
      const reason = explainFailure(error).replace(/\s+/g, ' ').slice(0, 500)
      const next = later(Math.max(closedMs, retryDelay(failures)))
      const closed = closedMs > 0 ? later(closedMs) : null
      await write({ ...state, attempt: { ...begun, failures, reason, next, closed } })
      log.error({ host, directory, reason, next }, 'no certificate was issued; the current one stays')
    }
  }

  async #accountKey(): Promise<string> {
    const { records } = this.options
    const known = await records.read('account')
    if (known !== undefined) return known
    const made = await makeAccountKey()
    await records.write('account', made)
    return made
  }
}
