/**
 * Where a host is: on the public internet or in a private network. A name is resolved once for each request, all its
 * addresses are checked, and the connection goes to one of these, so the name cannot point elsewhere in between (DNS
 * rebinding).
 */

import type { CommandError } from '../../base/errors.ts'
import { type Networks, readAddress } from '../../base/text/ip-address.ts'
import { refuse } from '../../read/report/reasons.ts'
import { PRIVATE_NETWORKS, publicUrl, type Resolve, resolveHost } from './address.ts'

export type NetworkKind = 'public' | 'private'

export interface Place {
  readonly url: URL
  readonly network: NetworkKind
  /** At least one; tried in this order. */
  readonly addresses: readonly string[]
}

/** How hosts are resolved, and where a fetch may start. */
export interface Guard {
  readonly resolve?: Resolve | undefined
  /** Networks that are not public. */
  readonly inside?: Networks | undefined
  /** Where the first host must be; left out: anywhere. */
  readonly only?: OnlyNetwork | undefined
}

export interface OnlyNetwork {
  readonly network: NetworkKind
  readonly refuse: (url: URL) => CommandError
}

/** @throws CommandError `failed` for an unknown name, or one with both public and private addresses */
export async function findPlace(url: URL, { resolve = resolveHost, inside }: Guard): Promise<Place> {
  const literal = readAddress(url.hostname)
  const found = literal === undefined ? await resolve(url.hostname) : [literal]
  const addresses = found.map((address) => readAddress(address) ?? address)
  if (addresses.length === 0) throw refuse('unknown_host', { host: url.host }, publicUrl(url))
  const networks = inside ?? PRIVATE_NETWORKS
  const isInside = addresses.map((address) => networks.has(address))
  if (isInside.includes(true) && isInside.includes(false))
    throw refuse(
      'private_address',
      { host: url.host },
      `${url.hostname} has addresses inside a private network and outside of it`,
    )
  return { url, network: isInside[0] === true ? 'private' : 'public', addresses }
}

/** A server on the public internet must not make this machine read from a network behind its firewall. */
export function refuseInside(from: Pick<Place, 'url' | 'network'>, next: Place): void {
  if (next.network === 'public' || from.network === 'private') return
  throw refuse(
    'private_address',
    { host: next.url.host },
    `${publicUrl(from.url)} leads to ${publicUrl(next.url)}. If that is intended, name that address itself`,
  )
}

/** Publishers are not operators: they may not read from networks behind the firewall. */
export const FOR_PUBLISHERS: OnlyNetwork = {
  network: 'public',
  refuse: ({ host }) =>
    refuse(
      'private_address',
      { host },
      'upload the file, or ask the operator for the setting publish_private_addresses',
    ),
}

/** A refresh may not fetch from another kind of network than before: the name may have a new owner. */
export function asBefore(dataset: string, network: NetworkKind): OnlyNetwork {
  const [was, is] =
    network === 'public'
      ? ['on the public internet', 'inside a private network']
      : ['inside a private network', 'on the public internet']
  return {
    network,
    refuse: ({ host }) =>
      refuse(
        'private_address',
        { host },
        `it was ${was} and is now ${is}. If that is intended: izvor datasets refresh ${dataset} --allow-private`,
      ),
  }
}
