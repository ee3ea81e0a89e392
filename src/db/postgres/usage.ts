/** The tables of usage in PostgreSQL, with a request log partitioned by month. */

import type { DbReading } from '../transaction.ts'
import {
  portions,
  type SharedUsageDb,
  type UsageRow,
  type UsageStatement,
  type UsageSteps,
  type UsageWriting,
} from '../usage.ts'
import type { Asking } from './connection.ts'
import type { Postgres } from './open.ts'
import { queriesOver } from './queries.ts'

/** "months" in ASCII, as the key of the lock under which partitions are made. */
const LOCK = 0x6d6f6e746873
/** For moving records that came before their partition was made. */
const MOVE_MS = 60_000
const PART = /^request_logs_(\d{4})_(\d{2})$/

/** Rows of one statement; their values stay below PostgreSQL's limit of 65,535 parameters. */
const ROWS_AT_ONCE = 2000

/** @param postgres closed by its owner */
export function usageOver(postgres: Postgres): SharedUsageDb {
  // Many nodes may raise a sum at the same time, each from its current value.
  const transactions = postgres.transactions<unknown>('READ COMMITTED')
  return Object.assign(postgres.queries<DbReading>(), {
    async ask(text: string, row: UsageRow) {
      const { rows } = await postgres.ask(numbered(text), row)
      return rows as UsageRow[]
    },
    write: (steps: () => UsageSteps, { batch }: UsageWriting) =>
      transactions.run(async (_, asking) => {
        if (batch === undefined || (await isNew(asking, batch))) await runSteps(asking, steps())
      }),
    logStatements,
    openLogReading: () => {
      // Simultaneous queries of the log.
      const questions = postgres.sideQuestions(2)
      return Object.assign(queriesOver<DbReading>(questions), { close: () => questions.close() })
    },
    makeLogMonths: (now: Date) => makeLogMonths(postgres, now),
    dropLogMonths: (before: Date) => dropLogMonths(postgres, before),
    close: () => {},
  })
}

async function isNew(
  asking: Asking,
  { writer, number }: NonNullable<UsageWriting['batch']>,
): Promise<boolean> {
  const { rows } = await asking.ask(
    `INSERT INTO usage_writers (writer, batch, at) VALUES ($1, $2, $3)
     ON CONFLICT (writer) DO UPDATE SET batch = excluded.batch, at = excluded.at
     WHERE usage_writers.batch < excluded.batch RETURNING batch`,
    [writer, number, Math.floor(Date.now() / 1000)],
  )
  return rows.length > 0
}

async function runSteps(asking: Asking, steps: UsageSteps): Promise<void> {
  let step = steps.next()
  while (!step.done) {
    const found: UsageRow[] = []
    const { text: statement, rows: given } = step.value
    // Rows to insert go into few statements, ordered by their keys (the first columns), so that two nodes that write the
    // same rows wait for one another instead of deadlocking.
    const questions = VALUES.test(statement)
      ? portions(given.toSorted(byKey), ROWS_AT_ONCE).map((some): [string, UsageRow] => [
          statement.replace(VALUES, (_, group: string) => `VALUES ${some.map(() => group).join(', ')}`),
          some.flat(),
        ])
      : given.map((row): [string, UsageRow] => [statement, row])
    for (const [text, row] of questions) {
      const { rows } = await asking.ask(numbered(text), row)
      found.push(...(rows as UsageRow[]))
    }
    step = steps.next(found)
  }
}

const VALUES = /VALUES (\([?, ]+\))/

function numbered(text: string): string {
  let number = 0
  return text.replaceAll('?', () => `$${++number}`)
}

function byKey(a: UsageRow, b: UsageRow): number {
  const place = a.findIndex((value, index) => value !== b[index])
  return place === -1 ? 0 : a[place]! < b[place]! ? -1 : 1
}

const NUMBERS: ReadonlySet<string> = new Set(['at', 'key_id', 'status', 'latency_us', 'bytes'])

/** Sends all records as one text for the server to split: building queries takes half of a processor. U+FFFD: null. */
function* logStatements(columns: string, lines: readonly string[]): Generator<UsageStatement> {
  const fields = columns.split(', ').map((name, index) => {
    const field = `f[${index + 1}]`
    if (NUMBERS.has(name)) return `${field}::bigint`
    return name === 'user_agent' ? `nullif(${field}, U&'\\FFFD')` : field
  })
  yield {
    text: `INSERT INTO request_logs (${columns}) SELECT ${fields.join(', ')} FROM (
      SELECT string_to_array(line, chr(9)) AS f FROM unnest(string_to_array(?, chr(10))) AS line) AS lines`,
    rows: portions(lines, ROWS_AT_ONCE).map((some) => [some.join('\n')]),
  }
}

async function makeLogMonths(postgres: Postgres, now: Date): Promise<void> {
  const present = new Set(await partsOf(postgres))
  for (let ahead = 0; ahead <= 2; ahead++) {
    const month = startOfMonth(now, ahead)
    if (!present.has(partOf(month))) await postgres.writeOnce((asking) => makeLogMonth(asking, month))
  }
}

/**
 * Makes the partition of a month if it is missing. Records of the month that came before it are moved into it.
 * @param asking in a transaction that sees commits of others meanwhile
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
