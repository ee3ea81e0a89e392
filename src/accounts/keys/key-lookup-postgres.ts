/**
 * Keys in PostgreSQL, for nodes that share it. Answers come from a bounded cache; each belongs to the value that the
 * number `keys` had when the row was read. Triggers raise the number in the transaction of every change to what a key
 * may do, so an answer holds while the number stands still. There is no lease: every lookup waits for a question that was
 * sent after it began.
 *
 * Threat: a dump of this process's memory; the cache is keyed by hashes, not by secrets.
 */

import { LRUCache } from 'lru-cache'
import { sha256, sha256Base64 } from '../../base/crypto/sha256.ts'
import type { Postgres, SideQuestions } from '../../db/postgres/open.ts'
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

const NUMBER = 'SELECT n FROM numbers WHERE name = $1'
/** Number and row of one moment. */
const NUMBER_AND_ROW = `SELECT (SELECT n FROM numbers WHERE name = 'keys'), (SELECT row_to_json(f) FROM (SELECT ${ROW_OF_HASH} $1) f)`
/** Questions under way at once; lookups that begin meanwhile share the next one. */
const CONNECTIONS = 4

interface Entry {
  readonly number: number
  readonly found: Kept
}

export class PostgresKeyLookup implements KeyLookup {
  readonly #questions: SideQuestions
  readonly #counts = { hits: 0, misses: 0, evictions: 0 }
  readonly #cache = new LRUCache<string, Entry>({
    max: CACHED_KEYS,
    dispose: (_found, _hash, reason) => {
      if (reason === 'evict') this.#counts.evictions++
    },
  })
  #next: Promise<number> | undefined

  /** On connections of its own: transactions of others never hold a lookup up. */
  constructor(postgres: Postgres) {
    this.#questions = postgres.sideQuestions(CONNECTIONS)
  }

  find(secret: string, now: Date): KeyRefusal | Promise<KeyRecord | KeyRefusal> {
    return refuseShape(secret) ?? this.#find(secret).then((found) => atMoment(found, now))
  }

  get counts(): Readonly<Record<'hits' | 'misses' | 'evictions' | 'kept', number>> {
    return { ...this.#counts, kept: this.#cache.size }
  }

  close(): void {
    this.#questions.close()
  }

  async #find(secret: string): Promise<KeyRecord | KeyRefusal> {
    const hash = sha256Base64(secret)
    if (this.#cache.has(hash)) {
      const number = await this.#askNumber()
      const entry = this.#cache.get(hash)
      if (entry?.number === number) {
        this.#counts.hits++
        return entry.found
      }
    }
    this.#counts.misses++
    return this.#read(secret, hash)
  }

  /** The number as it was after this call began. */
  #askNumber(): Promise<number> {
    if (this.#next !== undefined) return this.#next
    const forget = () => {
      if (this.#next === next) this.#next = undefined
    }
    // Once the question is on its way, who comes later needs another one.
    const asked = this.#questions.ask(NUMBER, ['keys'], undefined, forget)
    const next = asked.then(({ rows }) => rows[0]?.[0] as number).finally(forget)
    this.#next = next
    return next
  }

  async #read(secret: string, hash: string): Promise<KeyRecord | KeyRefusal> {
    const { rows } = await this.#questions.ask(NUMBER_AND_ROW, [Buffer.from(sha256(secret))])
    const [number, text] = rows[0] as [number, Row | null]
    if (text === null) return 'api_key_invalid'
    const found = readRow(text)
    this.#cache.set(hash, { number, found })
    return found
  }
}
