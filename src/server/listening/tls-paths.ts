/** The paths of the service's certificate and key. */

import type { Config } from '../../base/config/config.ts'
import { DataDir } from '../../store/files/data-dir.ts'

/** The files from the settings, or the one file of a certificate that the service obtains itself. */
export function tlsPaths({
  tls_cert,
  tls_key,
  acme_host,
  data,
}: Pick<Config, 'tls_cert' | 'tls_key' | 'acme_host' | 'data'>): Pick<Config, 'tls_cert' | 'tls_key'> {
  if (acme_host === null) return { tls_cert, tls_key }
  const file = new DataDir(data).acmeFile('certificate')
  return { tls_cert: file, tls_key: file }
}
