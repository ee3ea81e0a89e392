/** Servers on loopback that behave like public ones, well or badly. Use it inside a test. */

import { onTestFinished } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'

export interface WebServer {
  /** `http://127.0.0.1:PORT`, or the same with https. */
  readonly url: string
  /** The requests so far. */
  readonly requests: { readonly url: string; readonly headers: Headers }[]
}

/** A server on all loopback addresses that answers as the function says; with a certificate, over https. */
export function startWebServer(
  answer: (request: Request) => Response | Promise<Response>,
  tls?: { readonly cert: string; readonly key: string },
  hostname = '127.0.0.1',
  port = 0,
): WebServer {
  const requests: { url: string; headers: Headers }[] = []
  const server = Bun.serve({
    hostname,
    port,
    ...(tls && { tls }),
    fetch(request) {
      // A request's own headers are gone once it is answered.
      requests.push({ url: request.url, headers: new Headers(request.headers) })
      return answer(request)
    },
  })
  onTestFinished(() => server.stop(true))
  return { url: server.url.origin, requests }
}

/** A server that sends what the function writes, byte for byte: a good library cannot send broken answers. */
export async function startRawServer(speak: (socket: Socket, turn: number) => void): Promise<string> {
  const sockets = new Set<Socket>()
  let turns = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => speak(socket, turns++))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

/** A self-signed certificate for a name, made in a folder; null where there is no openssl. */
export function selfSigned(
  folder: string,
  names = 'IP:127.0.0.1,DNS:localhost',
): { cert: string; key: string; certFile: string } | null {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  if (Bun.which('openssl') === null) return null
  const made = ['openssl', 'req', '-x509', ...curve, '-nodes', '-days', '2', '-keyout', key, '-out', cert]
  Bun.spawnSync([...made, ...subject])
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8'), certFile: cert }
}
