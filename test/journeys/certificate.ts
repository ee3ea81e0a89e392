/** Certificates made for a test. */

import { join } from 'node:path'
import { connect } from 'node:tls'
import { until } from '../support/until.ts'

/** Makes a self-signed certificate and its key, as `NAME.crt` and `NAME.key` in the folder. */
export function makeCertificate(folder: string, name: string, days: number): { cert: string; key: string } {
  const made = { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) }
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const files = ['-keyout', made.key, '-out', made.cert, '-days', String(days), '-subj', `/CN=${name}`]
  const { exitCode, stderr } = Bun.spawnSync(['openssl', 'req', '-x509', ...curve, ...files])
  if (exitCode !== 0) throw new Error(stderr.toString())
  return made
}

/** The name in the certificate served to a new connection. */
export function servedName(address: string): Promise<string> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

/**
 * Waits until this many simultaneous new connections all get the certificate with this name. For some seconds both are
 * served; then the system ends connections that still wait to be accepted by the server with the former one.
 */
export async function untilServed(address: string, name: string, connections: number): Promise<void> {
  const look = () => Promise.all(Array.from({ length: connections }, () => servedName(address)))
  await until(
    () => look().catch(() => []),
    (names) => names.length > 0 && names.every((one) => one === name),
  )
}
