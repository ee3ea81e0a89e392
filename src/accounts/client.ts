/** Where a request comes from. */

import { hideKeys } from '../keys/key-format.ts'

export interface Client {
  /** The address, as the socket or a trusted proxy gives it. */
  readonly ip: string
  readonly userAgent: string | null
}

/** What is kept of a `User-Agent`: clients choose it, and may choose a megabyte. */
const USER_AGENT_LENGTH = 300
/** The shape of session tokens, CSRF tokens and those of mailed links. */
const TOKEN_LOOKALIKES = /(?<![\w-])[\w-]{43}(?![\w-])/g

/** Shown in lists, exports and backups: what looks like a secret is hidden, before the cut could leave a part of it. */
export function shortUserAgent({ userAgent }: Client): string | null {
  if (userAgent === null) return null
  return hideKeys(userAgent).replace(TOKEN_LOOKALIKES, '…').slice(0, USER_AGENT_LENGTH)
}

/**
 * What limits count an address as: itself, or for IPv6 its /64, which is what one customer is given; all of an
 * attacker's 2^64 addresses are one.
 */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.toLowerCase().split('%')[0]!.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(gap).fill('0'), ...right]
  const prefix = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${prefix.join(':')}::/64`
}
