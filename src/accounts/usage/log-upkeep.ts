/**
 * Upkeep of the request log: unpacks the inbox into rows, and deletes records of deleted keys and records that are too
 * old or too many. Every task works in batches of about a millisecond, one per step of its generator, so that other
 * writers get their turn in between. Deleted records are personal data, so they are overwritten in the file.
 */

import type Database from 'better-sqlite3'
import { cutLog, openDatabase } from '../../db/open.ts'
import { writingAtOnce } from '../../db/transaction.ts'
import { runSteps } from '../../db/usage.ts'
import { LOG_COLUMNS, unpackCall } from './log-record.ts'
import { separateKey } from './usage-tables.ts'

/**
 * A round of unpacking takes this many batches, or this share of the backlog when that is more: a burst is spread out,
 * and a backlog does not grow without end.
 */
const BATCHES_AT_ONCE = 8
const ROUNDS_OF_BACKLOG = 30
const DELETED_AT_ONCE = 250
/** How long a deleted key is remembered: longer than any other process may hold its calls. */
const ERASED_KEPT_S = 86_400

/** How often to try to empty the write-ahead log while others read; a query of the log takes less than a second. */
const MOST_CUTS = 1000

export class LogUpkeep {
  readonly #database: Database.Database
  readonly #statements: ReturnType<typeof prepareStatements>
  readonly #unpackOne: () => boolean
  readonly #separate: (keyId: number) => void

  /** @param path of `usage.db`, made and migrated. @throws CommandError `failed` when it cannot be opened */
  constructor(path: string) {
    this.#database = openDatabase(path, { durability: 'normal', secureDelete: true })
    this.#statements = prepareStatements(this.#database)
    const { nextBatch, insertLog, dropBatch } = this.#statements
    this.#unpackOne = writingAtOnce(this.#database, () => {
      const batch = nextBatch.get()
      if (batch === undefined) return false
      for (const line of batch.records.split('\n')) insertLog.run(unpackCall(line))
      dropBatch.run(batch.id)
      return true
    })
    this.#separate = writingAtOnce(this.#database, (keyId) =>
      runSteps((text) => this.#database.prepare(text), separateKey(keyId)),
    )
  }

  /** Makes rows of everything that is in the inbox when it starts. */
  *unpack(): Generator<void> {
    for (let left = this.#batches(); left > 0 && this.#unpackOne(); left--) yield
  }

  /** Makes rows of a part of the inbox, or of all of it when there is little. @returns whether any is left */
  *unpackSome(): Generator<void, boolean> {
    const batches = this.#batches()
    const most = Math.max(BATCHES_AT_ONCE, Math.ceil(batches / ROUNDS_OF_BACKLOG))
    for (let done = 0; done < most && this.#unpackOne(); done++) yield
    return batches > most
  }

  /** Removes the records of deleted keys. @param now seconds since 1970 */
  *erase(now: number): Generator<void> {
    const { erasedKeys, eraseLogs, forgetErased } = this.#statements
    for (const keyId of erasedKeys.all()) {
      this.#separate(keyId)
      while (eraseLogs.run(keyId).changes > 0) yield
    }
    forgetErased.run(now - ERASED_KEPT_S)
    for (let tries = 0; tries < MOST_CUTS && !cutLog(this.#database); tries++) yield
  }

  /** Removes records from before a moment (seconds since 1970), then the oldest beyond a number. */
  *retain(before: number, rows: number): Generator<void> {
    const { dropOld, dropFirst, count } = this.#statements
    while (dropOld.run(before).changes > 0) yield
    for (let excess = (count.get() ?? 0) - rows; excess > 0; ) {
      excess -= dropFirst.run(Math.min(excess, DELETED_AT_ONCE)).changes
      yield
    }
  }

  close(): void {
    this.#database.close()
  }

  /** Batches in the inbox; an overestimate when processes wrote at the same time. */
  #batches(): number {
    const { first, last } = this.#statements.inbox.get() ?? { first: null, last: null }
    return first === null || last === null ? 0 : last - first + 1
  }
}

function prepareStatements(database: Database.Database) {
  const values = LOG_COLUMNS.replace(/\w+/g, '?')
  const dropWhere = (condition: string) =>
    `DELETE FROM request_logs WHERE id IN (SELECT id FROM request_logs WHERE ${condition})`
  return {
    inbox: database.prepare<[], { first: number | null; last: number | null }>(
      'SELECT (SELECT min(id) FROM log_inbox) AS first, (SELECT max(id) FROM log_inbox) AS last',
    ),
    nextBatch: database.prepare<[], { id: number; records: string }>(
      'SELECT id, records FROM log_inbox ORDER BY id LIMIT 1',
    ),
    insertLog: database.prepare<[unknown[]]>(`INSERT INTO request_logs (${LOG_COLUMNS}) VALUES (${values})`),
    dropBatch: database.prepare<[number]>('DELETE FROM log_inbox WHERE id = ?'),
    erasedKeys: database.prepare<[], number>('SELECT key_id FROM erased_keys').pluck(),
    eraseLogs: database.prepare<[number]>(dropWhere(`key_id = ? LIMIT ${DELETED_AT_ONCE}`)),
    forgetErased: database.prepare<[number]>('DELETE FROM erased_keys WHERE erased_at < ?'),
    dropOld: database.prepare<[number]>(dropWhere(`at < ? ORDER BY at LIMIT ${DELETED_AT_ONCE}`)),
    dropFirst: database.prepare<[number]>(
      'DELETE FROM request_logs WHERE id IN (SELECT id FROM request_logs ORDER BY at LIMIT ?)',
    ),
    count: database.prepare<[], number>('SELECT count(*) FROM request_logs').pluck(),
  }
}
