/**
 * The ledger of several nodes, in their database. Time is the database's, so the clocks of nodes need not agree. When
 * the database is away, events cannot be counted and are refused.
 */

import type { Asking } from '../postgres/connection.ts'
import type { CountLedger } from './ledger.ts'

const SWEPT_AT_ONCE = 300

const READ = `
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint, found.version, found.slots
  FROM (SELECT 1) AS one LEFT JOIN limit_counts AS found ON found.name = $1 AND found.who = $2`
const INSERT =
  'INSERT INTO limit_counts (name, who, version, slots, empty_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING'
const UPDATE =
  'UPDATE limit_counts SET version = $3, slots = $4, empty_at = $5 WHERE name = $1 AND who = $2 AND version = $6'
const REMOVE = 'DELETE FROM limit_counts WHERE name = $1 AND who = $2 AND version = $3'
const SWEEP = `
  DELETE FROM limit_counts WHERE (name, who) IN (
    SELECT name, who FROM limit_counts WHERE empty_at <= $1 ORDER BY empty_at LIMIT ${SWEPT_AT_ONCE}
    FOR UPDATE SKIP LOCKED
  )`

/** @param asking closed by its owner */
export function postgresLedger(asking: Asking): CountLedger {
  let ahead: number | undefined
  const changesOne = async (text: string, values: readonly (string | number)[]) =>
    (await asking.ask(text, values)).count === 1
  return {
    isVital: true,
    freshMs: 100,
    get ahead(): number {
      return ahead ?? 0
    },
    async read(name, who) {
      const [asked, started] = [Date.now(), performance.now()]
      const { rows } = await asking.ask(READ, [name, who])
      const [now, version, slots] = rows[0]!
      const tookMs = performance.now() - started
      // An answer that took longer says little about the clock.
      if (ahead === undefined || tookMs <= 50) ahead = Math.round(Number(now) - asked - tookMs / 2)
      return version === null ? undefined : { version: Number(version), slots: String(slots) }
    },
    async change({ name, who, known, next }) {
      if (next === null) return known === 0 || changesOne(REMOVE, [name, who, known])
      const values = [name, who, next.version, next.slots, next.emptyAt]
      return known === 0 ? changesOne(INSERT, values) : changesOne(UPDATE, [...values, known])
    },
    async sweep(now) {
      const { count } = await asking.ask(SWEEP, [now])
      return count === SWEPT_AT_ONCE ? 0 : Number.POSITIVE_INFINITY
    },
    close() {},
  }
}
