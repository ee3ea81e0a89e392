/**
 * What a key may do (contract 11): a list of `read`, `read:{domain}`, `read:{domain}/{dataset}`, `publish` and
 * `publish:{domain}`; and when it ends, and its share of the quota.
 */

import { ApiError, type Problem } from '../../base/errors.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { coerceValue, isRefusal } from '../../query/values.ts'
import { NAME_PATTERN } from '../../read/definition/names.ts'
import type { Places } from '../../store/catalog/search/places.ts'

/** The domains that an account or key may change. */
export type Domains = 'all' | readonly string[]

export interface Scopes {
  /** As the key's record lists them. */
  readonly listed: readonly string[]
  readonly reads: Places
  readonly publishes: Domains
  /** Part of cache keys; empty for the usual scopes. */
  readonly tag: string
}

const DEFAULT_SCOPES: readonly string[] = ['read']
/** The same object for most keys. */
const READS_ALL: Scopes = { listed: DEFAULT_SCOPES, reads: 'all', publishes: [], tag: '' }

const NAME = NAME_PATTERN.slice(1, -1)
/** Every scope, as a regular expression. */
export const SCOPE_PATTERN = `^(read(:${NAME}(/${NAME})?)?|publish(:${NAME})?)$`
const SCOPE = new RegExp(SCOPE_PATTERN)

/** For the description and the documents. */
export const SCOPES_IN_WORDS =
  '`read`: all data; `read:{domain}`, `read:{domain}/{dataset}`: these alone; `publish`, `publish:{domain}`: bring data in. ' +
  'What is outside of them is not there for the key. A domain or dataset that is not in the catalog is refused, with the nearest names.'

/** Whether a text is a scope. */
export function isScope(text: string): boolean {
  return SCOPE.test(text)
}

/** @param listed scopes, as stored */
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

/** Whether a domain is one of `domains`. */
export function holdsDomain(domains: Domains, domain: string): boolean {
  return domains === 'all' || domains.includes(domain)
}

/** Whether `domains` is not empty. */
export function holdsAny(domains: Domains): boolean {
  return domains === 'all' || domains.length > 0
}

/** The domains that are in both. */
export function sharedDomains(these: Domains, those: Domains): Domains {
  if (these === 'all') return those
  return those === 'all' ? these : these.filter((domain) => those.includes(domain))
}

export interface KeyTerms {
  /** RFC 3339 UTC, whole seconds; null: it does not expire. */
  readonly expires_at: string | null
  readonly scopes: readonly string[]
  /** Calls a month that the key may take of its account's quota; null: all of them. */
  readonly monthly_quota: number | null
}

/** The terms of a key when none are given. */
export const DEFAULT_TERMS: KeyTerms = { expires_at: null, scopes: DEFAULT_SCOPES, monthly_quota: null }

/** The most scopes one key may have. */
export const MOST_SCOPES = 100

/** A moment in whole seconds, from a datetime (RFC 3339) or a date (midnight UTC); undefined for any other text. */
export function readExpiry(text: string): string | undefined {
  const moment = coerceValue('datetime', text)
  return isRefusal(moment) ? undefined : formatTimestamp(new Date(String(moment)))
}

/** Scopes without repetitions; undefined for a list that is empty, too long, or holds a text that is not a scope. */
export function readScopeList(given: readonly string[]): readonly string[] | undefined {
  const scopes = [...new Set(given)]
  if (scopes.length === 0 || scopes.length > MOST_SCOPES) return undefined
  return scopes.every(isScope) ? scopes : undefined
}

/**
 * Refuses terms that a key cannot have.
 * @param quota of the plan; null: no limit
 * @throws ApiError `invalid_body` for an end that is past, or a quota larger than the plan's
 */
export function requireTerms(given: Partial<KeyTerms>, quota: number | null, now: Date): void {
  const { expires_at, monthly_quota } = given
  const problems: Problem[] = []
  if (expires_at != null && expires_at <= formatTimestamp(now))
    problems.push(problem('expires_at', `${expires_at} is past: a key ends in the future`))
  if (monthly_quota != null && quota !== null && monthly_quota > quota)
    problems.push(problem('monthly_quota', `${monthly_quota} is more than the ${quota} calls of the plan`))
  if (problems.length > 0)
    throw new ApiError('invalid_body', problems.map(({ message }) => message).join(' '), problems)
}

function problem(name: keyof KeyTerms, what: string): Problem {
  return { location: `body.${name}`, message: `${name} ${what}.` }
}
