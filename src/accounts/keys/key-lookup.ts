/**
 * Finds the key of a secret, for every request, in either database.
 *
 * Threat: a dump of this process's memory; the cache is keyed by hashes, not by secrets. Comparing hashes needs no
 * constant time: an attacker chooses the text before hashing.
 */

import { LRUCache } from 'lru-cache'
import { sha256, sha256Base64 } from '../../base/crypto/sha256.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import { openDatabase } from '../../db/open.ts'
import type { Postgres } from '../../db/postgres/open.ts'
import type { users } from '../../db/schema/accounts-schema.ts'
import { commitNumberOf } from '../../db/transaction.ts'
import { isWellFormedKey } from './key-format.ts'
import type { Plan } from './plans.ts'
import { type Domains, readScopes, type Scopes } from './scopes.ts'

/** An active key with the plan that holds for it now. A limit of null means no limit. */
export interface KeyRecord {
  readonly keyId: number
  readonly label: string
  /** The account that sees the key; null: the operator's. */
  readonly userId: number | null
  /** Whose monthly quota a call uses: keys an account makes share its quota, one minted by the operator has its own. */
  readonly quotaOwner: `account:${number}` | `key:${number}`
  readonly plan: Readonly<Plan>
  /** Calls a month that this key may take of the quota; null: all of them. */
  readonly monthlyQuota: number | null
  /** Milliseconds since 1970; Infinity: never. */
  readonly expiresAt: number
  readonly scopes: Scopes
  /** The domains its account may publish in; all, for a key of the operator. */
  readonly accountDomains: Domains
}

/** Why a secret is refused: the `error.code` of the answer. */
export type KeyRefusal = 'api_key_malformed' | 'api_key_invalid' | 'api_key_revoked' | 'api_key_expired'

/** About 3 MB when full. Beyond it a lookup costs one indexed query. */
const CACHED_KEYS = 10_000

/** Where keys are stored. Its number changes when a change to what a key may do is committed. */
interface KeySource {
  /** The number at some moment after this call began. */
  number(): ValueOrPromise<number>
  /** The row of a hash, and the source's number at that moment or before. */
  row(hash: Uint8Array): ValueOrPromise<readonly [number: number, row: Row | null | undefined]>
  close(): void
}

/**
 * Finds keys. A revocation, rotation or change of plan holds in every process and on every node: no lookup that begins
 * after it was answered accepts the old state. Answers come from a bounded cache; an entry is valid while the source's
 * number is the one it was read with.
 */
export class KeyLookup {
  readonly #source: KeySource
  readonly #counts = { hits: 0, misses: 0, evictions: 0 }
  /** Unknown secrets are not cached: clients choose them. */
  readonly #cache = new LRUCache<string, { readonly number: number; readonly found: KeyRecord | KeyRefusal }>(
    {
      max: CACHED_KEYS,
      dispose: (_found, _hash, reason) => {
        if (reason === 'evict') this.#counts.evictions++
      },
    },
  )

  constructor(source: KeySource) {
    this.#source = source
  }

  /**
   * The key of a secret at a moment, or the code of its refusal.
   * @throws ApiError `service_unavailable` when the database cannot be asked
   */
  find(secret: string, now: Date): ValueOrPromise<KeyRecord | KeyRefusal> {
    return withValue(this.#find(secret), (found) =>
      typeof found === 'object' && found.expiresAt <= now.getTime() ? 'api_key_expired' : found,
    )
  }

  /** Lookups so far, and the number of cached keys. */
  get counts(): Readonly<Record<'hits' | 'misses' | 'evictions' | 'kept', number>> {
    return { ...this.#counts, kept: this.#cache.size }
  }

  close(): void {
    this.#source.close()
  }

  #find(secret: string): ValueOrPromise<KeyRecord | KeyRefusal> {
    const hash = sha256Base64(secret)
    const entry = this.#cache.get(hash)
    if (entry === undefined) return this.#read(secret, hash)
    return withValue(this.#source.number(), (number) => {
      if (entry.number !== number) return this.#read(secret, hash)
      this.#counts.hits++
      return entry.found
    })
  }

  /** A malformed secret is refused without a query. */
  #read(secret: string, hash: string): ValueOrPromise<KeyRecord | KeyRefusal> {
    if (!isWellFormedKey(secret)) return 'api_key_malformed'
    this.#counts.misses++
    return withValue(this.#source.row(sha256(secret)), ([number, row]) => {
      if (!row) return 'api_key_invalid'
      const found = row.state === 'revoked' ? 'api_key_revoked' : toRecord(row)
      this.#cache.set(hash, { number, found })
      return found
    })
  }
}

/**
 * Keys in `accounts.db`. The number is that of its last commit. A connection of its own also sees commits of this
 * process, so no verb has to evict.
 * @param path of `accounts.db`, already made and migrated (`openAccounts`)
 * @throws CommandError `failed` when it cannot be opened
 */
export function openFileKeys(path: string): KeyLookup {
  const database = openDatabase(path, { readonly: true })
  const byHash = database.prepare<[Uint8Array], Row>(`SELECT ${ROW_OF_HASH} ?`)
  const number = commitNumberOf(database)
  const row = (hash: Uint8Array) => [number(), byHash.get(hash)] as const
  return new KeyLookup({ number, row, close: () => database.close() })
}

/** Queries under way at once; lookups that begin meanwhile share the next one. */
const CONNECTIONS = 4
const NUMBER = 'SELECT n FROM numbers WHERE name = $1'

/**
 * Keys in PostgreSQL, for nodes that share it. It has its own connections, so no other transaction delays a lookup.
 * Triggers raise the number `keys`. There is no lease: every lookup waits for a query that was sent after it began.
 */
export function openSharedKeys(postgres: Postgres): KeyLookup {
  const questions = postgres.sideQuestions(CONNECTIONS)
  let next: Promise<number> | undefined
  return new KeyLookup({
    number() {
      if (next !== undefined) return next
      const forget = () => {
        if (next === own) next = undefined
      }
      // Once the query is sent, lookups that begin later need another one.
      const asked = questions.ask(NUMBER, ['keys'], undefined, forget)
      const own = asked.then(({ rows }) => rows[0]?.[0] as number).finally(forget)
      next = own
      return own
    },
    async row(hash) {
      const { rows } = await questions.ask(NUMBER_AND_ROW, [Buffer.from(hash)])
      return rows[0] as [number, Row | null]
    },
    close: () => questions.close(),
  })
}

type Row = KeyRecord['plan'] &
  Pick<KeyRecord, 'keyId' | 'label' | 'userId'> & {
    readonly ownQuota: number | null
    readonly expiresAt: string | null
    readonly state: 'active' | 'revoked'
    readonly shared: 0 | 1
    /** JSON, as are the domains. */
    readonly scopes: string
    readonly role: typeof users.$inferSelect.role | null
    readonly publisherDomains: string | null
  }

/** Selects by `secret_hash`, with the names of `Row`; the parameter follows. */
const ROW_OF_HASH = `
  k.key_id AS "keyId", k.label, k.state, k.user_id AS "userId", CASE WHEN k.plan IS NULL THEN 1 ELSE 0 END AS shared,
  p.name, p.monthly_quota, p.max_active_keys, p.per_minute,
  k.monthly_quota AS "ownQuota", k.expires_at AS "expiresAt", k.scopes, u.role, u.publisher_domains AS "publisherDomains"
  FROM api_keys k LEFT JOIN users u ON u.id = k.user_id JOIN plans p ON p.name = coalesce(k.plan, u.plan)
  WHERE k.secret_hash =`

const NUMBER_AND_ROW = `SELECT (SELECT n FROM numbers WHERE name = 'keys'), (SELECT row_to_json(f) FROM (SELECT ${ROW_OF_HASH} $1) f)`

function toRecord(row: Row): KeyRecord {
  const { keyId, label, userId, name, monthly_quota, max_active_keys, per_minute, expiresAt } = row
  const domains = row.publisherDomains
  const ofPublisher = domains === null ? 'all' : (JSON.parse(domains) as readonly string[])
  return {
    keyId,
    label,
    userId,
    quotaOwner: row.shared ? `account:${userId as number}` : `key:${keyId}`,
    plan: { name, monthly_quota, max_active_keys, per_minute },
    monthlyQuota: row.ownQuota,
    expiresAt: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
    scopes: readScopes(JSON.parse(row.scopes)),
    accountDomains: userId === null ? 'all' : row.role === 'reader' ? [] : ofPublisher,
  }
}
