/** The tables of usage in PostgreSQL, with a request log in parts: one for each month. */

import { type SQL, sql } from 'drizzle-orm'
import type { SharedUsageTransaction, UsageDb, UsageReading, UsageTransaction } from '../usage.ts'
import type { Asking } from './connection.ts'
import type { Postgres } from './open.ts'
import { queriesOver } from './queries.ts'

/** "months" in ASCII, as the key of the lock under which parts are made. */
const LOCK = 0x6d6f6e746873
/** Questions of the log at once. */
const LOG_CONNECTIONS = 2
const MONTHS_AHEAD = 2
/** Of records that came before their part was made. */
const MOVE_MS = 60_000
const PART = /^request_logs_(\d{4})_(\d{2})$/

export function usageOver(postgres: Postgres): UsageDb {
  const transactions = postgres.transactions<UsageTransaction>('READ COMMITTED')
  return Object.assign(postgres.queries<UsageReading>(), {
    transaction: <T>(work: (tx: SharedUsageTransaction) => Promise<T>) =>
      transactions.run((tx) =>
        work(
          Object.assign(tx, {
            appendLog: (columns: string, lines: readonly string[]) => appendLog(tx, columns, lines),
          }),
        ),
      ),
    openLogReading: () => {
      const questions = postgres.sideQuestions(LOG_CONNECTIONS)
      return Object.assign(queriesOver<UsageReading>(questions), { close: () => questions.close() })
    },
    makeLogMonths: (now: Date) => makeLogMonths(postgres, now),
    dropLogMonths: (before: Date) => dropLogMonths(postgres, before),
  })
}

const NUMBERS: ReadonlySet<string> = new Set(['at', 'key_id', 'status', 'latency_us', 'bytes'])

/** All records are one text, which the server takes apart. Instead of U+0000, which it does not take, it gets U+FFFD. */
async function appendLog(tx: UsageTransaction, columns: string, lines: readonly string[]): Promise<void> {
  const fields = columns.split(', ').map((name, index) => {
    const field = `f[${index + 1}]`
    return NUMBERS.has(name)
      ? `${field}::bigint`
      : name === 'user_agent'
        ? `nullif(${field}, U&'\\FFFD')`
        : field
  })
  const split = sql`SELECT string_to_array(line, chr(9)) AS f FROM unnest(string_to_array(${lines.join('\n')}, chr(10))) AS line`
  await (tx as unknown as { execute(query: SQL): Promise<unknown> }).execute(
    sql`INSERT INTO request_logs (${sql.raw(columns)}) SELECT ${sql.raw(fields.join(', '))} FROM (${split}) AS lines`,
  )
}

async function makeLogMonths(postgres: Postgres, now: Date): Promise<void> {
  const present = new Set(await partsOf(postgres))
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const month = startOfMonth(now, ahead)
    if (!present.has(partOf(month))) await postgres.writeOnce((asking) => makeLogMonth(asking, month))
  }
}

/**
 * Makes the part of a month where it is missing. Records of the month that came before their part move into it.
 * @param asking in a transaction that sees what others commit meanwhile
 * @param month its first moment
 * @throws DatabaseAway
 */
export async function makeLogMonth(asking: Asking, month: Date): Promise<void> {
  const name = partOf(month)
  const [from, to] = [month, startOfMonth(month, 1)].map((moment) => moment.getTime() / 1000)
  await asking.ask(`SELECT pg_advisory_xact_lock(${LOCK})`)
  const { rows } = await asking.ask(`SELECT to_regclass('${name}') IS NOT NULL`)
  if (rows[0]?.[0] === 1) return
  await asking.ask('LOCK TABLE request_logs IN SHARE ROW EXCLUSIVE MODE')
  await asking.ask(`SET LOCAL statement_timeout = ${MOVE_MS}`)
  const slowly = (text: string) => asking.ask(text, [], MOVE_MS)
  await slowly(`CREATE TABLE ${name} (LIKE request_logs_other)`)
  await slowly(`WITH moved AS (DELETE FROM request_logs_other WHERE at >= ${from} AND at < ${to} RETURNING *)
    INSERT INTO ${name} SELECT * FROM moved`)
  await slowly(`ALTER TABLE request_logs ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`)
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
