/**
 * The second listener of a service with `acme_host`: over plain HTTP it proves control of the name to the certificate
 * authority (RFC 8555, section 8.3) and redirects everybody else to https. Threat: names that lead here but are not ours;
 * they get nothing.
 */

import { CommandError } from '../../base/errors.ts'

const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]{1,128})$/

/** In seconds: a request is one packet, and its answer ends the connection. */
const IDLE_TIMEOUT_S = 3
/** Bodies are never read. */
const LARGEST_BODY = 65_536

interface HttpPort {
  readonly hostname: string
  readonly port: number
  readonly reusePort: boolean
  /** The only host name that gets answers. */
  readonly host: string
  /** The same host over https: `https://data.example.org`. */
  readonly origin: string
  /** The proof for the current challenge, which begins with its token; empty or undefined without one. */
  readonly proof: () => Promise<string | undefined>
}

/**
 * @returns its port, a function that stops it, and the gate that the bound of connections shuts first
 * @throws CommandError `failed` when the port cannot be taken
 */
export function listenForHttp({ hostname, port, reusePort, host, origin, proof }: HttpPort) {
  const readProof = sharedReading(proof)
  const fetch = async (request: Request): Promise<Response> => {
    const url = URL.parse(request.url)
    if (url?.hostname !== host) return plain(`ask for ${host}\n`, 421)
    const token = CHALLENGE.exec(url.pathname)?.[1]
    if (token === undefined) return plain('', 308, { Location: origin + url.pathname + url.search })
    const answer = (await readProof()) ?? ''
    return answer.startsWith(`${token}.`)
      ? plain(answer)
      : plain('there is no challenge with this token\n', 404)
  }
  const error = () => plain('no answer at the moment, try again later\n', 503)
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
        'certificates are asked for over port 80, so free it, or forward it to another port, named by acme_http_port',
    )
  }
}

function plain(text: string, status = 200, headers: Record<string, string> = {}): Response {
  const type = { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }
  return new Response(text, { status, headers: { ...type, ...headers } })
}

/** Anybody can send requests here, so those that arrive during a reading share the next one. */
function sharedReading<T>(read: () => Promise<T>): () => Promise<T> {
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
