/** Options of `keys mint` and `keys rename` for the end of a key, its scopes and its quota. */

import { type Command, InvalidArgumentError } from 'commander'
import { type KeyTerms, MOST_SCOPES, readExpiry, readScopeList } from '../../accounts/keys/terms.ts'
import { parseCountingNumber } from '../cli/arguments.ts'

/** Commander turns null into an empty text, so `none` stays a word until `termsOf`. */
export interface GivenTerms {
  readonly expiresAt?: string
  readonly scopes?: readonly string[]
  readonly monthlyQuota?: number | 'none'
}

const NONE = 'none'

export function addTermOptions(command: Command): Command {
  return command
    .option(
      '--expires-at <time>',
      'when it stops working: a datetime (2026-12-31T18:00:00Z), a date (its midnight in UTC), or none',
      parseExpiry,
    )
    .option(
      '--scopes <list>',
      'what it may do, between commas: read, read:DOMAIN, read:DOMAIN/DATASET, publish, publish:DOMAIN',
      parseScopes,
    )
    .option('--monthly-quota <n>', 'calls a month within the quota of its plan, or none', parseQuota)
}

/** The terms that were given. */
export function termsOf({ expiresAt, scopes, monthlyQuota }: GivenTerms): Partial<KeyTerms> {
  return {
    ...(expiresAt !== undefined && { expires_at: expiresAt === NONE ? null : expiresAt }),
    ...(scopes !== undefined && { scopes }),
    ...(monthlyQuota !== undefined && { monthly_quota: monthlyQuota === NONE ? null : monthlyQuota }),
  }
}

function parseExpiry(text: string): string {
  const expiry = text === NONE ? text : readExpiry(text)
  if (expiry !== undefined) return expiry
  throw new InvalidArgumentError('It is a datetime such as 2026-12-31T18:00:00Z, a date, or none.')
}

function parseScopes(text: string): readonly string[] {
  const scopes = readScopeList(text.split(',').map((scope) => scope.trim()))
  if (scopes !== undefined) return scopes
  throw new InvalidArgumentError(
    `It is a list of 1 to ${MOST_SCOPES} of read, read:DOMAIN, read:DOMAIN/DATASET, publish, publish:DOMAIN.`,
  )
}

function parseQuota(text: string): number | 'none' {
  return text === NONE ? text : parseCountingNumber(text)
}
