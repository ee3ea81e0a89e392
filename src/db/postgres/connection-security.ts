/**
 * How the connection to a server is kept from others. A server on another machine is spoken to by TLS and has to prove
 * its name, unless `sslmode` in the address asks for less. The modes are libpq's:
 *
 *   disable      no TLS; a server on another machine gets no password that a listener could read
 *   require      TLS with any certificate: nobody reads along, but who answers is not known
 *   verify-ca    the certificate comes from an authority that is known
 *   verify-full  and is for this host; the default for another machine
 */

import { connect, type Socket } from 'node:net'
import type postgres from 'postgres'
import { readRegularText } from '../../base/process/regular-file.ts'
import { systemFailure } from '../../base/text/system-failure.ts'

/** An address without what is said of TLS, and the driver's options in its place. */
export interface SecuredPlace {
  readonly url: string
  readonly options: Pick<postgres.Options<Record<string, never>>, 'ssl'> & {
    /** @param to what the driver has read from the address */
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

/** Whether nobody but this machine sees what is sent there. */
function isHere({ hostname }: URL): boolean {
  const host = decodeURIComponent(hostname)
  return host.startsWith('/') || host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
}

/** The server asks for the password as it is, or as a digest that serves as well as the password. */
export class ReadablePassword extends Error {}

const AUTHENTICATION = 'R'.charCodeAt(0)

/** Ends a connection without TLS before the driver answers such a question. The messages are those of the protocol, version 3. */
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
