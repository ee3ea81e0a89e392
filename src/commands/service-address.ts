/** Where a service with given settings is reached from the machine it runs on. */

import type { Config } from '../config.ts'

/** Without a slash at the end. An address that stands for all of the machine's becomes the loopback one. */
export function serviceAddress({ host, port, tls_cert }: Pick<Config, 'host' | 'port' | 'tls_cert'>): string {
  const scheme = tls_cert === null ? 'http' : 'https'
  if (host === '0.0.0.0') return `${scheme}://127.0.0.1:${port}`
  if (host === '::') return `${scheme}://[::1]:${port}`
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
