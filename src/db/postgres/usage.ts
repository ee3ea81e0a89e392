/** The tables of usage in PostgreSQL, with a request log in parts: one for each month. */

import type { UsageDb, UsageReading, UsageTransaction } from '../usage.ts'
import type { Postgres } from './open.ts'

/** "months" in ASCII, as the key of the lock under which parts are made. */
const LOCK = 0x6d6f6e746873
const MONTHS_AHEAD = 2
const PART = /^request_logs_(\d{4})_(\d{2})$/

export function usageOver(postgres: Postgres): UsageDb {
  const transactions = postgres.transactions<UsageTransaction>('READ COMMITTED')
  return Object.assign(postgres.queries<UsageReading>(), {
    transaction: <T>(work: (tx: UsageTransaction) => Promise<T>) => transactions.run(work),
    makeLogMonths: (now: Date) => makeLogMonths(postgres, now),
    dropLogMonths: (before: Date) => dropLogMonths(postgres, before),
  })
}

async function makeLogMonths(postgres: Postgres, now: Date): Promise<void> {
  const present = new Set(await partsOf(postgres))
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const month = startOfMonth(now, ahead)
    const name = partOf(month)
    if (present.has(name)) continue
    const [from, to] = [month, startOfMonth(now, ahead + 1)].map((moment) => moment.getTime() / 1000)
    await postgres.ask(`DO $$ BEGIN
      PERFORM pg_advisory_xact_lock(${LOCK});
      CREATE TABLE IF NOT EXISTS ${name} PARTITION OF request_logs FOR VALUES FROM (${from}) TO (${to});
    END $$`)
  }
}

async function dropLogMonths(postgres: Postgres, before: Date): Promise<void> {
  for (const name of await partsOf(postgres)) {
    const [, year, month] = PART.exec(name) ?? []
    const end = Date.UTC(Number(year), Number(month))
    if (end <= before.getTime()) await postgres.ask(`DROP TABLE IF EXISTS ${name}`)
  }
}

/** Names of the parts for months. */
async function partsOf(postgres: Postgres): Promise<string[]> {
  const { rows } = await postgres.ask(
    `SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'request_logs'::regclass ORDER BY c.relname`,
  )
  return rows.map(([name]) => String(name)).filter((name) => PART.test(name))
}

function partOf(month: Date): string {
  return `request_logs_${month.toISOString().slice(0, 7).replace('-', '_')}`
}

function startOfMonth(now: Date, ahead: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead))
}
