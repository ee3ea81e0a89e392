/**
 * The key of a secret, for every request. Answers come from a bounded cache that is trusted only while no other
 * connection has committed to `accounts.db` (`PRAGMA data_version`, under 1 us). The lookup has a connection of its
 * own, so it also notices what its own process commits, and no verb has to evict. A revocation, rotation or change of
 * plan holds from the next lookup on, in every process.
 *
 * Threat: a dump of this process's memory; the cache is keyed by hashes, not by secrets. Unknown secrets are not
 * cached: clients choose them. Comparing hashes needs no constant time: an attacker chooses the text before hashing.
 */

import type Database from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { sha256, sha256Base64 } from '../../base/crypto/sha256.ts'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import { openDatabase } from '../../db/open.ts'
import { isWellFormedKey } from './key-format.ts'
import { type Domains, readScopes, type Scopes } from './scopes.ts'

/** An active key with the plan that holds for it now. A limit of null is no limit. */
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

/** About 3 MB when full. Beyond it a lookup costs one indexed query, some 10 us. */
const CACHED_KEYS = 10_000

type Plan = KeyRecord['plan']

interface Row extends Plan, Pick<KeyRecord, 'keyId' | 'label' | 'userId'> {
  readonly ownQuota: number | null
  readonly expiresAt: string | null
  readonly state: 'active' | 'revoked'
  readonly shared: 0 | 1
  /** JSON, as are the domains. */
  readonly scopes: string
  readonly role: 'reader' | 'publisher' | null
  readonly publisherDomains: string | null
}

export class KeyLookup {
  readonly #database: Database.Database
  readonly #dataVersion: Database.Statement<[], number>
  readonly #byHash: Database.Statement<[Uint8Array], Row>
  readonly #counts = { hits: 0, misses: 0, evictions: 0 }
  readonly #cache = new LRUCache<string, KeyRecord | 'api_key_revoked'>({
    max: CACHED_KEYS,
    dispose: (_found, _hash, reason) => {
      if (reason === 'evict') this.#counts.evictions++
    },
  })
  #seen = -1

  /**
   * @param path of `accounts.db`, already made and migrated (`openAccounts`)
   * @throws CommandError `failed` when it cannot be opened
   */
  static open(path: string): KeyLookup {
    return new KeyLookup(openDatabase(path, { readonly: true }))
  }

  private constructor(database: Database.Database) {
    this.#database = database
    this.#dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck()
    this.#byHash = database.prepare<[Uint8Array], Row>(`
      SELECT k.key_id AS keyId, k.label, k.state, k.user_id AS userId, k.plan IS NULL AS shared, p.name,
        p.monthly_quota AS monthlyQuota, p.max_active_keys AS maxActiveKeys, p.per_minute AS perMinute,
        k.monthly_quota AS ownQuota, k.expires_at AS expiresAt, k.scopes, u.role, u.publisher_domains AS publisherDomains
      FROM api_keys k LEFT JOIN users u ON u.id = k.user_id JOIN plans p ON p.name = coalesce(k.plan, u.plan)
      WHERE k.secret_hash = ?
    `)
  }

  /** The key of a secret at a moment, or the code of its refusal. A malformed one is refused without a lookup. */
  find(secret: string, now: Date): ValueOrPromise<KeyRecord | KeyRefusal> {
    if (!isWellFormedKey(secret)) return 'api_key_malformed'
    const found = this.#find(secret)
    return typeof found === 'object' && found.expiresAt <= now.getTime() ? 'api_key_expired' : found
  }

  #find(secret: string): KeyRecord | KeyRefusal {
    this.#dropWhenStale()
    const hash = sha256Base64(secret)
    const known = this.#cache.get(hash)
    if (known !== undefined) {
      this.#counts.hits++
      return known
    }
    this.#counts.misses++
    const row = this.#byHash.get(sha256(secret))
    if (!row) return 'api_key_invalid'
    const found = row.state === 'revoked' ? 'api_key_revoked' : toRecord(row)
    this.#cache.set(hash, found)
    return found
  }

  /** Lookups so far; requests of one turn of the event loop share one. */
  get counts(): Readonly<Record<'hits' | 'misses' | 'evictions' | 'kept', number>> {
    return { ...this.#counts, kept: this.#cache.size }
  }

  close(): void {
    this.#database.close()
  }

  #dropWhenStale(): void {
    const current = this.#dataVersion.get() as number
    if (current === this.#seen) return
    this.#cache.clear()
    this.#seen = current
  }
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
