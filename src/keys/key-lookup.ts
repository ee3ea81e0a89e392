/**
 * Who a secret belongs to, for every request. Answers come from a bounded cache that is trusted only while no other
 * connection has committed to `accounts.db` (`PRAGMA data_version`, under 1 us). The look-up has a connection of its
 * own, so this also notices what its own process commits: nobody has to remember to evict. A revocation, rotation or
 * change of plan holds from the next look-up on, whoever makes it.
 *
 * Threat: a dump of this process's memory; the cache is keyed by hashes, not by secrets. Secrets that nobody holds
 * are not cached: clients choose them. Comparing hashes needs no constant time, since what an attacker can choose is
 * the text before hashing.
 */

import type Database from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { sha256, sha256Base64 } from '../crypto/sha256.ts'
import { openDatabase } from '../db/open.ts'
import { isWellFormedKey } from './key-format.ts'

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
}

/** Why a secret opens nothing; each is the `error.code` of the answer. */
export type KeyRefusal = 'api_key_malformed' | 'api_key_invalid' | 'api_key_revoked'

/** About 3 MB when full. Beyond it a look-up costs one indexed query, some 10 us. */
const CACHED_KEYS = 10_000

interface Row {
  key_id: number
  label: string
  state: 'active' | 'revoked'
  user_id: number | null
  shared: 0 | 1
  name: string
  monthly_quota: number | null
  max_active_keys: number | null
  per_minute: number | null
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
      SELECT k.key_id, k.label, k.state, k.user_id, k.plan IS NULL AS shared,
        p.name, p.monthly_quota, p.max_active_keys, p.per_minute
      FROM api_keys k LEFT JOIN users u ON u.id = k.user_id JOIN plans p ON p.name = coalesce(k.plan, u.plan)
      WHERE k.secret_hash = ?
    `)
  }

  /** The key of a secret, or the code of its refusal. A malformed one is refused without a look-up. */
  find(secret: string): KeyRecord | KeyRefusal {
    if (!isWellFormedKey(secret)) return 'api_key_malformed'
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

  /** Look-ups so far that were asked for at all: requests of one turn of the event loop share one. */
  get counts(): {
    readonly hits: number
    readonly misses: number
    readonly evictions: number
    readonly kept: number
  } {
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
  const {
    key_id: keyId,
    label,
    user_id: userId,
    shared,
    name,
    monthly_quota,
    max_active_keys,
    per_minute,
  } = row
  return {
    keyId,
    label,
    userId,
    quotaOwner: shared ? `account:${userId as number}` : `key:${keyId}`,
    plan: { name, monthlyQuota: monthly_quota, maxActiveKeys: max_active_keys, perMinute: per_minute },
  }
}
