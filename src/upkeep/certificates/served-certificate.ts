/**
 * The certificate that a process serves is the file in its folder. The process that renews it writes the shared record,
 * and every process takes the new one from there: workers from the file itself, nodes from the database.
 */

import { X509Certificate } from 'node:crypto'
import { Schedule, type ScheduleOptions } from '../../base/process/schedule.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { type AcmeRecords, readRecord, writeRecord } from './acme-records.ts'

/** Issuer and subject of a certificate that the service signs itself. */
const OWN_NAME = 'CN=Izvor'
const YEAR_MS = 365 * 86_400_000

/**
 * Signs a certificate if there is none: before the first issued one the service needs some certificate to listen with.
 * No client trusts it.
 */
export async function ensureCertificate(dataDir: DataDir, host: string, now: Date): Promise<void> {
  if (readRecord(dataDir, 'certificate') !== undefined) return
  const own = await signOwnCertificate(host, now, new Date(now.getTime() + YEAR_MS))
  writeRecord(dataDir, 'certificate', own)
}

/** A private key and a self-signed certificate for a name; PEM. */
export async function signOwnCertificate(host: string, from: Date, until: Date): Promise<string> {
  const { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } = await import(
    '@peculiar/x509'
  )
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...{ keys, signingAlgorithm, name: OWN_NAME, notBefore: from, notAfter: until },
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  })
  const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
  return `${key}\n${certificate.toString('pem')}\n`
}

/** Copies the shared record into the folder. @returns the certificate of the folder */
export async function fetchCertificate(records: AcmeRecords, dataDir: DataDir): Promise<string | undefined> {
  const here = readRecord(dataDir, 'certificate')
  const shared = await records.read('certificate')
  if (shared === undefined || shared === here) return here
  writeRecord(dataDir, 'certificate', shared)
  return shared
}

interface FollowerOptions extends ScheduleOptions {
  readonly records: AcmeRecords
  readonly dataDir: DataDir
  /** Serves a new certificate; `wasTrusted`: the last one was not self-signed. If it throws, it is called again. */
  readonly onChange: (wasTrusted: boolean) => void
}

/** Looks for a new certificate every few seconds and on demand. */
export class CertificateFollower extends Schedule<FollowerOptions> {
  #served: string | undefined

  constructor(options: FollowerOptions) {
    super('certificates', options)
    this.#served = readRecord(options.dataDir, 'certificate')
  }

  protected override async look(): Promise<void> {
    const { records, dataDir, onChange, log } = this.options
    const [before, found] = [this.#served, await fetchCertificate(records, dataDir)]
    if (found === before || this.isClosed) return
    onChange(before !== undefined && new X509Certificate(before).subject !== OWN_NAME)
    this.#served = found
    log.info('a new certificate is served')
  }
}
