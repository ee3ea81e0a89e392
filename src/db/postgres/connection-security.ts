/**
 * How the connection to a server is secured. A server on another machine is reached by TLS and has to prove its name,
 * unless `sslmode` in the address asks for less. The modes are libpq's:
 *
 *   disable      no TLS; a server on another machine gets no password that a listener could read
 *   require      TLS with any certificate: nobody can listen, but the server is not verified
 *   verify-ca    the certificate comes from a known authority
 *   verify-full  and it is for this host; the default for another machine
 */

import { connect, type Socket } from 'node:net'
import type postgres from 'postgres'
import { readRegularText } from '../../base/process/regular-file.ts'
import { systemFailure } from '../../base/text/system-failure.ts'

/** An address without its TLS parameters, and the driver's options in their place. */
export interface SecuredPlace {
  readonly url: string
  readonly options: Pick<postgres.Options<Record<string, never>>, 'ssl'> & {
    /** @param to as the driver has read it from the address */
    socket?: (to: { readonly host: readonly string[]; readonly port: readonly number[] }) => Socket
  }
}

/** @throws CommandError `failed` when the file of `sslrootcert` cannot be read */
export function securePlace(url: string): SecuredPlace {
  const place = new URL(url)
  const mode = place.searchParams.get('sslmode') ?? (isHere(place) ? 'disable' : 'verify-full')
  const authorities = place.searchParams.get('sslrootcert') ?? 'system'
  for (const name of ['sslmode', 'sslrootcert', 'ssl']) place.searchParams.delete(name)
  if (mode === 'disable') {
    const options: SecuredPlace['options'] = { ssl: false }
    if (!isHere(place)) options.socket = ({ host, port }) => guard(connect(port[0]!, host[0]!))
    return { url: place.href, options }
  }
  if (mode === 'require') return { url: place.href, options: { ssl: 'require' } }
  let ca: string | undefined
  try {
    if (authorities !== 'system') ca = readRegularText(authorities)
  } catch (error) {
    throw systemFailure(`cannot read ${authorities}, the sslrootcert of database_url`, error)
  }
  const ssl = {
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : { host: place.hostname }),
  }
  return { url: place.href, options: { ssl } }
}

/** Whether the connection stays on this machine. */
function isHere({ hostname }: URL): boolean {
  const host = decodeURIComponent(hostname)
  return host.startsWith('/') || host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
}

/** The server asks for the password in clear, or for a digest that is as good as the password. */
export class ReadablePassword extends Error {}

const AUTHENTICATION = 'R'.charCodeAt(0)

/** Ends a connection without TLS before the driver answers such a request (of the protocol's version 3). */
function guard(socket: Socket): Socket {
  let head: number[] = []
  let rest = 0
  socket.on('data', (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; ) {
      const passed = Math.min(rest, bytes.length - at)
      rest -= passed
      at += passed
      if (at === bytes.length) return
      head.push(bytes[at++]!)
      if (head.length < (head[0] === AUTHENTICATION ? 9 : 5)) continue
      const message = Buffer.from(head)
      const length = message.readUInt32BE(1)
      if (length + 1 < head.length || (head.length === 9 && [3, 5].includes(message.readUInt32BE(5)))) {
        socket.destroy(new ReadablePassword('it asks for the password in clear'))
        return
      }
      rest = length + 1 - head.length
      head = []
    }
  })
  return socket
}
