/**
 * The second listener of a service with `acme_host`: over plain HTTP it proves the name to the certificate authority
 * (RFC 8555, section 8.3), and sends everybody else to https. Threat: a name that leads here and is not ours gets nothing.
 */

import { CommandError } from '../../base/errors.ts'

const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]{1,128})$/

/** A request is one packet, and its answer ends the connection. */
const IDLE_TIMEOUT_S = 3
/** Nothing reads it. */
const LARGEST_BODY = 65_536

interface HttpPort {
  readonly hostname: string
  readonly port: number
  readonly reusePort: boolean
  /** The only name that is answered for. */
  readonly host: string
  /** Where it is served by https: `https://data.example.org`. */
  readonly origin: string
  /** The proof that is asked for now, which begins with its token; empty or undefined: none is. */
  readonly proof: () => Promise<string | undefined>
}

/** @returns its port, what ends it, and the gate that the bound of connections shuts first @throws CommandError `failed` when the port cannot be taken */
export function listenForHttp({ hostname, port, reusePort, host, origin, proof }: HttpPort) {
  const readProof = joined(proof)
  const fetch = async (request: Request): Promise<Response> => {
    const url = URL.parse(request.url)
    if (url?.hostname !== host) return plain(`ask for ${host}\n`, 421)
    const token = CHALLENGE.exec(url.pathname)?.[1]
    if (token === undefined) return plain('', 308, { Location: origin + url.pathname + url.search })
    const answer = (await readProof()) ?? ''
    return answer.startsWith(`${token}.`)
      ? plain(answer)
      : plain('nothing was asked for by this token\n', 404)
  }
  const error = () => plain('it cannot be answered now\n', 503)
  const limits = { idleTimeout: IDLE_TIMEOUT_S, maxRequestBodySize: LARGEST_BODY }
  const start = (at: number) =>
    Bun.serve({ port: at, hostname, reusePort, development: false, ...limits, fetch, error })
  try {
    let server = start(port)
    const taken = Number(server.port)
    const stop = () => server.stop(true)
    return {
      port: taken,
      stop,
      shut: () => void stop(),
      open: () => {
        server = start(taken)
      },
    }
  } catch {
    throw new CommandError(
      'failed',
      `port ${port} on ${hostname} is taken by another program, or this user may not use ports below 1024: ` +
        'certificates are asked for over port 80, so free it, or have it lead to another one named by acme_http_port',
    )
  }
}

function plain(text: string, status = 200, headers: Record<string, string> = {}): Response {
  const type = { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }
  return new Response(text, { status, headers: { ...type, ...headers } })
}

/** Anybody may ask, so requests that come while the record is read share the next reading. */
function joined<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= reading
      .catch(() => {})
      .then(() => {
        next = undefined
        const now = read()
        reading = now
        return now
      })
    return next
  }
}
