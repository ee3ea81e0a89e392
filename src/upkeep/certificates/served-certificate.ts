/**
 * The certificate that a process serves is the file in its folder. Whoever renews it writes the record of all, and every
 * process takes a new one from there: workers from the file itself, nodes from the database.
 */

import { X509Certificate } from 'node:crypto'
import type { Logger } from 'pino'
import type { DataDir } from '../../store/files/data-dir.ts'
import { type AcmeRecords, readRecord, writeRecord } from './acme-records.ts'

/** Issuer and subject of a certificate that the service signs itself. */
const OWN_NAME = 'CN=Izvor'
const YEAR_MS = 365 * 86_400_000
/** How long a certificate that was just renewed is not served at most, if all is well. */
const LOOK_MS = 2000

/**
 * Before the first certificate the service needs one to listen with: it signs one itself, which no client trusts.
 * Nothing where there is one.
 */
export async function ensureCertificate(dataDir: DataDir, host: string, now: Date): Promise<void> {
  if (readRecord(dataDir, 'certificate') !== undefined) return
  const own = await signOwnCertificate(host, now, new Date(now.getTime() + YEAR_MS))
  writeRecord(dataDir, 'certificate', own)
}

/** A private key, and a certificate for a name that it signs for itself; PEM. */
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

/** Brings the record of all nodes into the folder. @returns the certificate of the folder */
export async function fetchCertificate(records: AcmeRecords, dataDir: DataDir): Promise<string | undefined> {
  const here = readRecord(dataDir, 'certificate')
  const shared = await records.read('certificate')
  if (shared === undefined || shared === here) return here
  writeRecord(dataDir, 'certificate', shared)
  return shared
}

/**
 * Looks every other second for a new certificate.
 * @param onChange has it served; what it throws is logged and tried again. `wasTrusted`: not the service's own before
 * @returns ends it
 */
export function followCertificate(
  records: AcmeRecords,
  { dataDir, log }: { readonly dataDir: DataDir; readonly log: Logger },
  onChange: (wasTrusted: boolean) => void,
): () => void {
  let served = readRecord(dataDir, 'certificate')
  let isLooking = false
  let hasFailed = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    try {
      const found = await fetchCertificate(records, dataDir)
      if (found !== served) {
        onChange(served !== undefined && new X509Certificate(served).subject !== OWN_NAME)
        served = found
        log.info('a new certificate is served')
      }
      hasFailed = false
    } catch (error) {
      if (!hasFailed)
        log.error({ err: error }, 'the certificate could not be looked for; it will be tried again')
      hasFailed = true
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
