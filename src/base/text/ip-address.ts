/** IP addresses and networks as people and proxies write them. */

import { BlockList, isIP } from 'node:net'

/** An IPv4 address as IPv6 writes it (RFC 4291, 2.5.5.2). */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * The address in a text, without brackets, port and zone; an IPv4 address wrapped in IPv6 is unwrapped. Undefined for
 * any other text.
 */
export function readAddress(text: string): string | undefined {
  const given = text.trim()
  const host =
    /^\[([^\]]*)\](?::\d{1,5})?$/.exec(given)?.[1] ??
    /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(given)?.[1] ??
    given
  const bare = host.replace(/%.*$/, '')
  const unwrapped = MAPPED.exec(bare)?.[1] ?? bare
  return isIP(unwrapped) === 0 ? undefined : unwrapped.toLowerCase()
}

const LOOPBACK = /^(127\.[\d.]+|::1)$/

/** Whether a host is this machine itself: a loopback address, or its reserved name (RFC 6761 6.3). */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || LOOPBACK.test(readAddress(host) ?? '')
}

/**
 * What limits count an address as: itself, or for IPv6 its /64, the least that a customer is given, so that an
 * attacker's 2^64 addresses are one network.
 * @param prefix bits of a wider IPv6 network, up to 64
 */
export function networkOf(ip: string, prefix = 64): string {
  const mapped = MAPPED.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.toLowerCase().split('%')[0]!.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(gap).fill('0'), ...right]
  const kept = groups.slice(0, 4).map((group, at) => maskGroup(group, prefix - 16 * at))
  return `${kept.join(':')}::/${prefix}`
}

/** A group of an IPv6 address with all but its first `bits` bits 0. */
function maskGroup(group: string, bits: number): string {
  if (bits >= 16) return group.replace(/^0+(?=.)/, '')
  const mask = bits <= 0 ? 0 : (0xffff << (16 - bits)) & 0xffff
  return (Number.parseInt(group, 16) & mask).toString(16)
}

export class Networks {
  readonly #list = new BlockList()

  /** @param text addresses and networks (`10.0.0.0/8`), separated by commas. Undefined when one of them is neither. */
  static read(text: string): Networks | undefined {
    const networks = new Networks()
    const items = text.split(',').map((item) => item.trim())
    return items.every((item) => networks.#add(item)) ? networks : undefined
  }

  /** @param networks from the sources @throws Error when one of them is not a network */
  static of(networks: readonly string[]): Networks {
    const read = Networks.read(networks.join(','))
    if (read === undefined) throw new Error(`no networks: ${networks.join(',')}`)
    return read
  }

  /** @param address as `readAddress` writes it */
  has(address: string): boolean {
    return this.#list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }

  #add(item: string): boolean {
    const [address = '', prefix, ...rest] = item.split('/')
    const version = isIP(address)
    if (version === 0 || rest.length > 0) return false
    const longest = version === 4 ? 32 : 128
    if (prefix !== undefined && (!/^\d{1,3}$/.test(prefix) || Number(prefix) > longest)) return false
    this.#list.addSubnet(address, Number(prefix ?? longest), version === 4 ? 'ipv4' : 'ipv6')
    return true
  }
}
