/** What may be said of a key when it is minted or renamed (contract 11): its end, its scopes, its share of the quota. */

import { ApiError, type Problem } from '../../base/errors.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { coerceValue, isRefusal } from '../../query/values.ts'
import { DEFAULT_SCOPES, isScope } from './scopes.ts'

export interface KeyTerms {
  /** RFC 3339 UTC, whole seconds; null: it does not expire. */
  readonly expires_at: string | null
  readonly scopes: readonly string[]
  /** Calls a month within the quota of its account; null: as many as the account has. */
  readonly monthly_quota: number | null
}

/** The terms of a key where nothing was said. */
export const DEFAULT_TERMS: KeyTerms = { expires_at: null, scopes: DEFAULT_SCOPES, monthly_quota: null }

/** Scopes of one key at most. */
export const MOST_SCOPES = 100

/** A moment in whole seconds, from a datetime (RFC 3339) or a date, whose midnight in UTC it then is; undefined for what is none. */
export function readExpiry(text: string): string | undefined {
  const moment = coerceValue('datetime', text)
  return isRefusal(moment) ? undefined : formatTimestamp(new Date(String(moment)))
}

/** Scopes without repetitions; undefined for an empty list, one too long, or one with something else in it. */
export function readScopeList(given: readonly string[]): readonly string[] | undefined {
  const scopes = [...new Set(given)]
  if (scopes.length === 0 || scopes.length > MOST_SCOPES) return undefined
  return scopes.every(isScope) ? scopes : undefined
}

/**
 * Refuses terms that cannot hold.
 * @param quota of the plan; null: none
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
