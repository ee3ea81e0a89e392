/** How a command reaches the service on its machine. */

import type { Config } from '../../base/config/config.ts'

/** Time for an answer, in ms. */
export const ANSWER_TIMEOUT_MS = 5000

/** Without a slash at the end. An address that stands for all of the machine's becomes the loopback one. */
export function serviceAddress({ host, port, tls_cert }: Pick<Config, 'host' | 'port' | 'tls_cert'>): string {
  const scheme = tls_cert === null ? 'http' : 'https'
  if (host === '0.0.0.0') return `${scheme}://127.0.0.1:${port}`
  if (host === '::') return `${scheme}://[::1]:${port}`
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Why a request to the service failed, as half a sentence. */
export function explainNoAnswer(error: unknown): string {
  const { code, name, message } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError') return `it took longer than ${ANSWER_TIMEOUT_MS / 1000} seconds`
  return code === 'ConnectionRefused' || code === 'ECONNREFUSED' ? 'nothing listens there' : message
}
