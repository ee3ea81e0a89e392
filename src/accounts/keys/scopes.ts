/**
 * What a key may do (contract 11): a list of `read`, `read:{domain}`, `read:{domain}/{dataset}`, `publish` and
 * `publish:{domain}`. Domains and datasets need not be there yet.
 */

import { NAME_PATTERN } from '../../read/definition/names.ts'
import type { Places } from '../../store/catalog/places.ts'

/** The domains that an account or key may change. */
export type Domains = 'all' | readonly string[]

export interface Scopes {
  /** As the key's record lists them. */
  readonly listed: readonly string[]
  readonly reads: Places
  readonly publishes: Domains
  /** For what is cached by the scopes: empty for the usual ones. */
  readonly tag: string
}

/** What a key may do where nothing was said. */
export const DEFAULT_SCOPES: readonly string[] = ['read']
/** The same object for most keys. */
const READS_ALL: Scopes = { listed: DEFAULT_SCOPES, reads: 'all', publishes: [], tag: '' }

const NAME = NAME_PATTERN.slice(1, -1)
/** Every scope, as a regular expression. */
export const SCOPE_PATTERN = `^(read(:${NAME}(/${NAME})?)?|publish(:${NAME})?)$`
const SCOPE = new RegExp(SCOPE_PATTERN)

/** For the description and the documents. */
export const SCOPES_IN_WORDS =
  '`read`: all data; `read:{domain}`, `read:{domain}/{dataset}`: these alone; `publish`, `publish:{domain}`: bring data in. ' +
  'What is outside of them is not there for the key.'

/** Whether a text is a scope. */
export function isScope(text: string): boolean {
  return SCOPE.test(text)
}

/** @param listed scopes, as they are stored */
export function readScopes(listed: readonly string[]): Scopes {
  if (listed.length === 1 && listed[0] === 'read') return READS_ALL
  return {
    listed,
    reads: listed.includes('read') ? 'all' : new Set(placesOf('read', listed)),
    publishes: listed.includes('publish') ? 'all' : placesOf('publish', listed),
    tag: listed.toSorted().join(),
  }
}

function placesOf(verb: 'read' | 'publish', listed: readonly string[]): string[] {
  const start = `${verb}:`
  return listed.filter((scope) => scope.startsWith(start)).map((scope) => scope.slice(start.length))
}

/** Whether a domain is among some. */
export function holdsDomain(domains: Domains, domain: string): boolean {
  return domains === 'all' || domains.includes(domain)
}

/** Whether there is any domain among some. */
export function holdsAny(domains: Domains): boolean {
  return domains === 'all' || domains.length > 0
}

/** The domains that are in both. */
export function sharedDomains(these: Domains, those: Domains): Domains {
  if (these === 'all') return those
  return those === 'all' ? these : these.filter((domain) => those.includes(domain))
}
