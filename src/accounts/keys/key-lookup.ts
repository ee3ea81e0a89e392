/** The key of a secret, for every request: the same answers from every engine. */

import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import { isWellFormedKey } from './key-format.ts'
import { type Domains, readScopes, type Scopes } from './scopes.ts'

/** An active key with the plan that holds for it now. A limit of null means no limit. */
export interface KeyRecord {
  readonly keyId: number
  readonly label: string
  /** The account that sees the key; null: the operator's. */
  readonly userId: number | null
  /** Whose monthly quota a call uses: keys of the console share their account's, one minted by the operator has its own. */
  readonly quotaOwner: `account:${number}` | `key:${number}`
  readonly plan: {
    readonly name: string
    readonly monthlyQuota: number | null
    readonly maxActiveKeys: number | null
    readonly perMinute: number | null
  }
  /** Calls a month of this key within the quota; null: as many as the quota allows. */
  readonly monthlyQuota: number | null
  /** Milliseconds since 1970; Infinity: never. */
  readonly expiresAt: number
  readonly scopes: Scopes
  /** What its account may publish; all, for a key of the operator. */
  readonly accountDomains: Domains
}

/** Why a secret is refused; each is the `error.code` of the answer. */
export type KeyRefusal = 'api_key_malformed' | 'api_key_invalid' | 'api_key_revoked' | 'api_key_expired'

/**
 * Finds keys. A revocation, rotation or change of plan holds from the next lookup on, in every process and on every
 * node: from the moment at which it was answered, no lookup that begins later accepts the old.
 */
export interface KeyLookup {
  /**
   * The key of a secret at a moment, or the code of its refusal. A malformed one is refused without a lookup.
   * @throws ApiError `service_unavailable` when the database cannot be asked
   */
  find(secret: string, now: Date): ValueOrPromise<KeyRecord | KeyRefusal>
  /** Lookups so far, and what the cache holds. */
  readonly counts: Readonly<Record<'hits' | 'misses' | 'evictions' | 'kept', number>>
  close(): void
}

/** What a cache holds of a secret. Unknown secrets are not kept: clients choose them. */
export type Kept = KeyRecord | 'api_key_revoked'

/** About 3 MB when full. Beyond it a lookup costs one indexed query. */
export const CACHED_KEYS = 10_000

type Plan = KeyRecord['plan']

export interface Row extends Plan, Pick<KeyRecord, 'keyId' | 'label' | 'userId'> {
  readonly ownQuota: number | null
  readonly expiresAt: string | null
  readonly state: 'active' | 'revoked'
  readonly shared: 0 | 1
  /** JSON, as are the domains. */
  readonly scopes: string
  readonly role: 'reader' | 'publisher' | null
  readonly publisherDomains: string | null
}

/** Of `secret_hash`, with the names of `Row`; its parameter follows. */
export const ROW_OF_HASH = `
  k.key_id AS "keyId", k.label, k.state, k.user_id AS "userId", CASE WHEN k.plan IS NULL THEN 1 ELSE 0 END AS shared,
  p.name, p.monthly_quota AS "monthlyQuota", p.max_active_keys AS "maxActiveKeys", p.per_minute AS "perMinute",
  k.monthly_quota AS "ownQuota", k.expires_at AS "expiresAt", k.scopes, u.role, u.publisher_domains AS "publisherDomains"
  FROM api_keys k LEFT JOIN users u ON u.id = k.user_id JOIN plans p ON p.name = coalesce(k.plan, u.plan)
  WHERE k.secret_hash =`

/** The refusal of a text that is not a key; else undefined. */
export function refuseShape(secret: string): KeyRefusal | undefined {
  return isWellFormedKey(secret) ? undefined : 'api_key_malformed'
}

/** What was found, at a moment. */
export function atMoment(found: KeyRecord | KeyRefusal, now: Date): KeyRecord | KeyRefusal {
  return typeof found === 'object' && found.expiresAt <= now.getTime() ? 'api_key_expired' : found
}

/** What a row says of its secret. */
export function readRow(row: Row): Kept {
  return row.state === 'revoked' ? 'api_key_revoked' : toRecord(row)
}

function toRecord(row: Row): KeyRecord {
  const { keyId, label, userId, name, monthlyQuota, maxActiveKeys, perMinute } = row
  return {
    ...{ keyId, label, userId },
    quotaOwner: row.shared ? (`account:${userId as number}` as const) : (`key:${keyId}` as const),
    plan: { name, monthlyQuota, maxActiveKeys, perMinute },
    monthlyQuota: row.ownQuota,
    expiresAt: row.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(row.expiresAt),
    scopes: readScopes(JSON.parse(row.scopes)),
    accountDomains: domainsOf(row),
  }
}

function domainsOf({ userId, role, publisherDomains }: Row): Domains {
  if (userId === null) return 'all'
  if (role !== 'publisher') return []
  return publisherDomains === null ? 'all' : JSON.parse(publisherDomains)
}
