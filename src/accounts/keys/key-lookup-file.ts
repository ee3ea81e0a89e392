/**
 * Keys of `accounts.db`. Answers come from a bounded cache that is trusted only while no other connection has committed
 * to the file (`PRAGMA data_version`, under 1 us). The lookup has a connection of its own, so it also notices what its
 * own process commits, and no verb has to evict.
 *
 * Threat: a dump of this process's memory; the cache is keyed by hashes, not by secrets. Comparing hashes needs no
 * constant time: an attacker chooses the text before hashing.
 */

import type Database from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { sha256, sha256Base64 } from '../../base/crypto/sha256.ts'
import { openDatabase } from '../../db/open.ts'
import {
  atMoment,
  CACHED_KEYS,
  type Kept,
  type KeyLookup,
  type KeyRecord,
  type KeyRefusal,
  ROW_OF_HASH,
  type Row,
  readRow,
  refuseShape,
} from './key-lookup.ts'

export class FileKeyLookup implements KeyLookup {
  readonly #database: Database.Database
  readonly #dataVersion: Database.Statement<[], number>
  readonly #byHash: Database.Statement<[Uint8Array], Row>
  readonly #counts = { hits: 0, misses: 0, evictions: 0 }
  readonly #cache = new LRUCache<string, Kept>({
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
  static open(path: string): FileKeyLookup {
    return new FileKeyLookup(openDatabase(path, { readonly: true }))
  }

  private constructor(database: Database.Database) {
    this.#database = database
    this.#dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck()
    this.#byHash = database.prepare<[Uint8Array], Row>(`SELECT ${ROW_OF_HASH} ?`)
  }

  find(secret: string, now: Date): KeyRecord | KeyRefusal {
    return refuseShape(secret) ?? atMoment(this.#find(secret), now)
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
    const found = readRow(row)
    this.#cache.set(hash, found)
    return found
  }

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
