/** Addresses of published files: how to recognize them, what of them may be shown, and which hosts are private. */

import { lookup } from 'node:dns/promises'
import { Networks } from '../../base/text/ip-address.ts'
import { decodePercent } from '../../base/text/query-string.ts'
import { refuse } from '../../read/report/reasons.ts'

const CKAN = /^ckan:/i

const LONGEST_NAME = 255

/** Names of parameters with secrets: `token`, `api_key`, `X-Amz-Signature`; with `_` before inner capitals. */
const SECRET_PARAMETER =
  /(^|[-_.[])((api|access|auth|app|client|private|secret|session|user)?(key|token|secret)|password|passwd|passphrase|pwd|sig|signature|credential|auth|jwt|bearer)\]?$/i

/**
 * Networks that are not on the public internet: private, loopback, link-local (where clouds answer with credentials),
 * shared, multicast, site-local, discarded, and IPv4 wrapped in IPv6 by 6to4, Teredo, NAT64 or translation (RFC 6890).
 * `::ffff:0:0/96` is compared as the IPv4 in it.
 */
export const PRIVATE_NETWORKS = Networks.of([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])

/** Whether an ingest's FILE has to be fetched. */
export function isAddress(file: string): boolean {
  return /^https?:\/\//i.test(file) || CKAN.test(file)
}

/** Whether an address names a package of a CKAN catalogue rather than a file. */
export function isCkanAddress(address: string): boolean {
  return CKAN.test(address)
}

/**
 * The http(s) part of an address, without its fragment.
 * @throws CommandError `usage` when there is none
 */
export function readUrl(address: string): URL {
  const text = address.replace(CKAN, '')
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) {
    const url = new URL(text)
    url.hash = ''
    return url
  }
  throw refuse('wrong_address', {}, showAddress(address))
}

/**
 * The part of a URL that may be printed and stored: without user, password, fragment and parameters that carry a secret.
 */
export function publicUrl(url: URL): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  shown.hash = ''
  const parameters = shown.search.slice(1).split('&')
  const open = parameters.filter((text) => {
    const name = decodeSegment(text.split('=', 1)[0] as string)
    return !SECRET_PARAMETER.test(name.replace(/([a-z\d])([A-Z])/g, '$1_$2'))
  })
  if (open.length < parameters.length) shown.search = open.join('&')
  return shown.href
}

/** The part of any address that may be printed and stored; see `publicUrl`. */
export function showAddress(address: string): string {
  const scheme = CKAN.exec(address)?.[0].toLowerCase() ?? ''
  const text = address.replace(CKAN, '')
  // What isn't a URL may still hold a password before its @.
  return scheme + (URL.canParse(text) ? publicUrl(new URL(text)) : text.replace(/\/\/[^/@]*@/, '//'))
}

/** Whether `publicUrl` leaves out something that the server may need. */
export function holdsSecrets(url: URL): boolean {
  const bare = new URL(url)
  bare.hash = ''
  return publicUrl(url) !== bare.href
}

/** What provenance calls a fetched file (contract 6): the last segment of the address's path, decoded. */
export function fileNameOf(url: URL): string {
  const segment = url.pathname.split('/').at(-1) ?? ''
  // It is shown on terminals and stored: no line breaks, and a limited length.
  const name = decodeSegment(segment)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return [...name].slice(0, LONGEST_NAME).join('') || url.hostname
}

/** A decoded path segment; unchanged if its percent signs encode nothing. */
export function decodeSegment(segment: string): string {
  return decodePercent(segment) ?? segment
}

/** The IP addresses of a host. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** Resolved by the system; empty when it cannot. */
export async function resolveHost(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}
