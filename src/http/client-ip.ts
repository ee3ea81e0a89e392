/**
 * The address a request comes from. A header counts only where a proxy that the operator named wrote it. Threat: a
 * client sends `X-Forwarded-For` itself, to evade limits or to appear as another client.
 */

import { isLoopback, Networks, readAddress } from '../base/text/ip-address.ts'
import { namesThisMachine, originalOf } from './plain-requests.ts'

export interface SocketAddresses {
  /** Null once the answer has been sent, or the connection is gone. */
  requestIP(request: Request): { readonly address: string } | null
  /** After how many seconds without a byte in either direction the connection ends; 0: never. */
  limitIdle(request: Request, seconds: number): void
}

/** Headers that proxies add to a request. */
const PASSED_ON = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'forwarded',
  'via',
]

/** For requests that came over no socket, or over one that is gone. */
const UNKNOWN = 'unknown'

export class ClientAddresses {
  readonly #proxies: Networks | undefined
  /** The last address read: a connection sends many requests in a row. */
  #lastRead: { readonly address: string; readonly read: string | undefined } = { address: '', read: '' }
  /** Set once the server listens. */
  sockets: SocketAddresses | undefined
  /**
   * Set when the server listens on a loopback address: every client is on this machine, and reading the address from
   * the socket takes half as long as an answer from memory.
   */
  loopback: string | undefined

  /** @param trustedProxies addresses and networks separated by commas; null: no proxy is trusted */
  constructor(trustedProxies: string | null) {
    this.#proxies = trustedProxies === null ? undefined : Networks.read(trustedProxies)
  }

  /** The client's address: the socket's, or the one that trusted proxies name. */
  of(request: Request): string {
    const socket = this.#socketOf(request)
    if (this.#proxies === undefined || socket === undefined) return socket ?? UNKNOWN
    return forwardedClient(socket, request.headers.get('x-forwarded-for'), this.#proxies)
  }

  /** The other end of the connection; headers are not read. */
  peerOf(request: Request): string {
    return this.#socketOf(request) ?? UNKNOWN
  }

  /**
   * Whether a request comes from this machine. A proxy beside the service would make every client a local one. A request
   * with proxy headers is therefore local only if the proxy is trusted and `X-Forwarded-For` names this machine's addresses
   * alone: a client may have written the earlier ones. Any other request has to name this machine as its host, which one
   * through a proxy that adds no header hardly does.
   */
  isLocal(request: Request): boolean {
    const peer = this.peerOf(request)
    if (!isLoopback(peer)) return false
    const original = originalOf(request)
    const isPassedOn = PASSED_ON.some((header) => original.headers.has(header))
    if (!isPassedOn) return namesThisMachine(original)
    const clients = original.headers.get('x-forwarded-for')?.split(',') ?? ['']
    return this.#proxies?.has(peer) === true && clients.every((item) => isLoopback(readAddress(item) ?? ''))
  }

  /** Whether the other end of a connection is a proxy that speaks for many clients, or this machine. */
  isTrusted(peer: string): boolean {
    return isLoopback(peer) || this.#proxies?.has(peer) === true
  }

  /** Whether the connection is still waiting for the answer, or for the rest of it. */
  isOpen(request: Request): boolean {
    return this.sockets !== undefined && this.sockets.requestIP(originalOf(request)) !== null
  }

  limitIdle(request: Request, seconds: number): void {
    this.sockets?.limitIdle(originalOf(request), seconds)
  }

  #socketOf(request: Request): string | undefined {
    if (this.loopback !== undefined) return this.loopback
    const address = this.sockets?.requestIP(originalOf(request))?.address
    if (address === undefined) return undefined
    if (address !== this.#lastRead.address) this.#lastRead = { address, read: readAddress(address) }
    return this.#lastRead.read
  }
}

/**
 * Follows `X-Forwarded-For` from its end, where the nearest proxy wrote, to the first address that isn't a trusted proxy;
 * when all of them are, the first in the header. On an entry that is not an address, returns the socket's address.
 */
function forwardedClient(socket: string, header: string | null, proxies: Networks): string {
  if (header === null || !proxies.has(socket)) return socket
  let client = socket
  for (const item of header.split(',').reverse()) {
    const address = readAddress(item)
    if (address === undefined) return socket
    client = address
    if (!proxies.has(address)) return client
  }
  return client
}
