/** Turns any request into what the routes expect: an absolute address, and GET instead of HEAD. */

/** HEAD requests that are answered as GET; see `isHead`. */
const heads = new WeakSet<Request>()
/** The requests as they came, by their replacements. */
const originals = new WeakMap<Request, Request>()

const NO_HOST = 'http://localhost'

/**
 * The request as the routes see it. HEAD becomes GET: the runtime omits the body and keeps its length. A missing
 * or invalid Host header leaves a bare path, which gets a host; a fragment, which clients must not send, is dropped.
 */
export function plainRequest(request: Request): Request {
  const plain = replaced(request)
  if (plain !== request) originals.set(plain, request)
  return plain
}

/**
 * Whether a request names at most one host (RFC 9112 3.2): proxies differ in which of two they use. Bun joins repeated
 * headers with commas, which no host name contains.
 */
export function hasOneHost({ headers }: Request): boolean {
  return headers.get('host')?.includes(',') !== true
}

const THIS_MACHINE = /^(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?$/i

/** Whether `Host` names this machine as such. A page whose own name resolves to it (DNS rebinding) cannot send that. */
export function namesThisMachine({ headers }: Request): boolean {
  return THIS_MACHINE.test(headers.get('host') ?? '')
}

/** The original request, by which the server finds its socket. */
export function originalOf(request: Request): Request {
  return originals.get(request) ?? request
}

function replaced(request: Request): Request {
  const { url, method } = request
  const plain = url.startsWith('http') && !url.includes('#')
  if (plain && method !== 'HEAD') return request

  const [address = '/'] = url.split('#', 1)
  const absolute = address.startsWith('http') ? address : NO_HOST + (address.startsWith('/') ? address : '/')
  // No route takes CONNECT, and a Request of that method cannot be made. As a POST it is refused like any other.
  if (method === 'CONNECT') return new Request(NO_HOST, { method: 'POST', headers: request.headers })
  if (method !== 'HEAD') return new Request(absolute, request)
  const get = new Request(absolute, { method: 'GET', headers: request.headers, signal: request.signal })
  heads.add(get)
  return get
}

/** Whether the answer is sent without its body, which then need not be made. */
export function isHead(request: Request): boolean {
  return heads.has(request)
}
