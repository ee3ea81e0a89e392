/** The certificate and key that the service speaks HTTPS with, from PEM files. */

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { CommandError } from '../errors.ts'
import { readRegularText } from '../process/regular-file.ts'
import { explainFailure } from '../text/system-failure.ts'
import type { Config } from './config.ts'

export interface TlsFiles {
  readonly cert: string
  readonly key: string
  readonly ends: Date
}

/**
 * Reads both files; undefined when none is configured.
 * @throws CommandError `usage` when only one is named; `failed` when one cannot be read or is not a PEM file, or they do
 * not belong together
 */
export function readTls({ tls_cert, tls_key }: Pick<Config, 'tls_cert' | 'tls_key'>): TlsFiles | undefined {
  if (tls_cert === null && tls_key === null) return undefined
  if (tls_cert === null || tls_key === null) {
    const [given, other] = tls_cert === null ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key']
    throw new CommandError('usage', `${given} needs ${other} beside it: name both PEM files, or neither`)
  }
  const cert = readPem(tls_cert)
  const key = readPem(tls_key)
  const certificate = parsed(tls_cert, 'certificate', () => new X509Certificate(cert))
  const privateKey = parsed(tls_key, 'private key without a password', () => createPrivateKey(key))
  if (certificate.checkPrivateKey(privateKey)) return { cert, key, ends: new Date(certificate.validTo) }
  throw new CommandError(
    'failed',
    `the private key ${tls_key} does not belong to the certificate ${tls_cert}: name the pair that was issued together`,
  )
}

/** @throws CommandError `failed` when it cannot be read */
export function readPem(path: string): string {
  try {
    return readRegularText(path)
  } catch (error) {
    throw new CommandError('failed', `${path} cannot be read: ${explainFailure(error)}`)
  }
}

function parsed<T>(path: string, what: string, parse: () => T): T {
  try {
    return parse()
  } catch {
    throw new CommandError('failed', `${path} holds no ${what} in PEM form ("-----BEGIN …")`)
  }
}
