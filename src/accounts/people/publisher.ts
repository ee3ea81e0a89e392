/**
 * Who publishes: an account with the role, or a key with the scope. A key of an account needs the account's role as
 * well; one of the operator does not.
 */

import { ApiError } from '../../base/errors.ts'
import type { Publishing } from '../audit/audit.ts'
import type { KeyRecord } from '../keys/key-lookup.ts'
import { type Domains, holdsAny, holdsDomain, sharedDomains } from '../keys/scopes.ts'
import { roleDomains, type User } from './user.ts'

export interface Publisher extends Publishing {
  readonly domains: Domains
  /** What the account may change, whatever the key's scopes; all, for a key of the operator. */
  readonly accountDomains: Domains
  /** In the audit log: `account:3` or `key:5`. */
  readonly by: `account:${number}` | `key:${number}`
}

/** A signed-in account as a publisher. @throws ApiError `role_missing` for a reader */
export function publisherOfAccount(user: User): Publisher {
  const domains = roleDomains(user)
  if (!holdsAny(domains)) throw roleMissing('This account is not a publisher.')
  return { accountId: user.id, keyId: null, domains, accountDomains: domains, by: `account:${user.id}` }
}

/**
 * A key as a publisher.
 * @throws ApiError `scope_missing` for a key without a publishing scope, `role_missing` if its account is a reader
 */
export function publisherOfKey({ keyId, userId, scopes, accountDomains }: KeyRecord): Publisher {
  if (!holdsAny(scopes.publishes)) throw scopeMissing('This key does not publish', 'publish')
  if (!holdsAny(accountDomains)) throw roleMissing('The account of this key is not a publisher.')
  const domains = sharedDomains(scopes.publishes, accountDomains)
  return { accountId: userId, keyId, domains, accountDomains, by: `key:${keyId}` }
}

/** @throws ApiError `role_missing`, `scope_missing` unless the publisher may change the datasets of a domain */
export function requireDomain(publisher: Publisher, domain: string): void {
  if (holdsDomain(publisher.domains, domain)) return
  if (holdsDomain(publisher.accountDomains, domain))
    throw scopeMissing(`This key does not publish in the domain ${domain}`, `publish:${domain}`)
  const who = publisher.keyId === null ? 'This account' : 'The account of this key'
  throw roleMissing(`${who} is not a publisher of the domain ${domain}.`)
}

function roleMissing(what: string): ApiError {
  return new ApiError('role_missing', `${what} The operator gives the role: izvor users set-role.`)
}

function scopeMissing(what: string, scope: string): ApiError {
  return new ApiError('scope_missing', `${what}: use a key with the scope ${scope}.`)
}
