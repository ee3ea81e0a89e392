/** Where a service with given settings is reached from the machine it runs on. */

import type { Config } from '../config.ts'

/** Without a slash at the end. An address that stands for all of the machine's becomes the loopback one. */
export function serviceAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
