import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { count, desc, eq, sql } from 'drizzle-orm'
import { ApiError, CommandError } from '../../src/base/errors.ts'
import type { DbReading, Transaction } from '../../src/db/accounts.ts'
import { DatabaseAway } from '../../src/db/postgres/database-away.ts'
import { Postgres } from '../../src/db/postgres/open.ts'
import { PostgresPool } from '../../src/db/postgres/pool.ts'
import { apiKeys, audit, plans, secrets, signIns, users } from '../../src/db/schema/accounts-schema.ts'
import { numbers } from '../../src/db/schema/nodes-schema.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'

let server: TestPostgres

beforeAll(async () => {
  if (hasPostgres) server = await startPostgres()
})
afterAll(() => server?.stop())

/** A database with its tables. */
async function open(): Promise<Postgres> {
  return Postgres.open(await server.createDatabase())
}

const person = {
  email: 'Ana@Example.org',
  emailKey: 'ana@example.org',
  language: 'ro' as const,
  plan: 'free',
  createdAt: '2026-01-01T00:00:00Z',
}

describe.skipIf(!hasPostgres)('verbs written for SQLite, on PostgreSQL', () => {
  test('generated keys, defaults, JSON, bytes, conditions and nulls come back as they went', async () => {
    const db = await open()
    const tx = db.queries<Transaction>()
    const [ana] = await tx
      .insert(users)
      .values({ ...person, secondFactorSecret: Buffer.from([0, 1, 255]) })
      .returning()
    expect(ana).toMatchObject({ id: 1, publisherDomains: [], role: 'reader', passwordHash: null })
    expect([...ana!.secondFactorSecret!]).toEqual([0, 1, 255])
    await tx.insert(signIns).values({ userId: ana!.id, attemptedAt: 'x', success: false, ip: '::1' })
    const [found] = await db.queries<DbReading>().select().from(signIns).where(eq(signIns.success, false))
    expect(found).toMatchObject({ id: 1, success: false })
    await tx.update(users).set({ publisherDomains: ['economy', 'health'] })
    expect(await tx.select({ domains: users.publisherDomains }).from(users)).toEqual([
      { domains: ['economy', 'health'] },
    ])
    db.close()
  })

  test('numbers of every size, counts and sums are numbers', async () => {
    const db = await open()
    const tx = db.queries<Transaction>()
    await tx.insert(plans).values({ name: 'huge', monthly_quota: Number.MAX_SAFE_INTEGER })
    const rows = await tx
      .select({ n: count(), sum: sql<number>`sum(${plans.monthly_quota})`, is: sql<number>`count(*) = 4` })
      .from(plans)
    expect(rows).toEqual([{ n: 4, sum: Number.MAX_SAFE_INTEGER + 1_010_000, is: 1 }])
    db.close()
  })

  test('an existing row is changed, or left', async () => {
    const db = await open()
    const tx = db.queries<Transaction>()
    const set = (n: number) =>
      tx
        .insert(numbers)
        .values({ name: 'x', n })
        .onConflictDoUpdate({ target: numbers.name, set: { n: sql`${numbers.n} + excluded.n` } })
        .returning({ n: numbers.n })
    expect([await set(2), await set(3)]).toEqual([[{ n: 2 }], [{ n: 5 }]])
    await tx.insert(secrets).values({ name: 's', bytes: Buffer.alloc(1) })
    const again = tx
      .insert(secrets)
      .values({ name: 's', bytes: Buffer.alloc(2) })
      .onConflictDoNothing()
    expect(await again.returning({ name: secrets.name })).toEqual([])
    db.close()
  })

  test('texts are ordered by code points, and U+0000 becomes U+FFFD', async () => {
    const db = await open()
    const tx = db.queries<Transaction>()
    const names = ['b', 'B', 'ă', 'z', 'a', '\0']
    await tx.insert(plans).values(names.map((name) => ({ name })))
    const rows = await tx.select({ name: plans.name }).from(plans).orderBy(desc(plans.name))
    expect(rows.map(({ name }) => name)).toEqual([
      '\uFFFD',
      'ă',
      'z',
      'unlimited',
      'institution',
      'free',
      'b',
      'a',
      'B',
    ])
    db.close()
  })
})

describe.skipIf(!hasPostgres)('transactions on PostgreSQL', () => {
  test('add up however many run at once', async () => {
    const db = await open()
    const transactions = db.transactions<Transaction>()
    await db.queries<Transaction>().insert(numbers).values({ name: 'x', n: 0 })
    const add = () =>
      transactions.run(async (tx) => {
        const [row] = await tx.select({ n: numbers.n }).from(numbers).where(eq(numbers.name, 'x'))
        await tx
          .update(numbers)
          .set({ n: row!.n + 1 })
          .where(eq(numbers.name, 'x'))
      })
    await Promise.all(Array.from({ length: 20 }, add))
    const { rows } = await db.ask(`SELECT n FROM numbers WHERE name = 'x'`)
    expect(rows).toEqual([[20]])
    db.close()
  })

  test('leave nothing when they reject, and reject with the reason', async () => {
    const db = await open()
    const failed = db.transactions<Transaction>().run(async (tx) => {
      await tx.insert(plans).values({ name: 'x' })
      throw new ApiError('not_found', 'planted')
    })
    await expect(failed).rejects.toThrow('planted')
    expect((await db.ask(`SELECT 1 FROM plans WHERE name = 'x'`)).rows).toEqual([])
    db.close()
  })

  test('do not count as done when one of their queries failed', async () => {
    const db = await open()
    const failed = db.transactions<Transaction>().run(async (tx) => {
      await tx.insert(plans).values({ name: 'x' })
      await tx
        .insert(plans)
        .values({ name: 'x' })
        .catch(() => {})
    })
    await expect(failed).rejects.toThrow('after one of its questions failed')
    db.close()
  })
})

describe.skipIf(!hasPostgres)('what the tables enforce by themselves', () => {
  test('the audit log is append-only', async () => {
    const db = await open()
    const tx = db.queries<Transaction>()
    await tx.insert(audit).values({ at: 'x', actor: 'operator', event: 'key_minted' })
    const changes = [
      async () => tx.update(audit).set({ event: 'y' }),
      async () => tx.delete(audit),
      () => db.ask('TRUNCATE audit'),
    ]
    for (const change of changes) await expect(change()).rejects.toThrow('the audit log is append-only')
    expect(await tx.select({ n: count() }).from(audit)).toEqual([{ n: 1 }])
    db.close()
  })

  test('the number of keys rises with what a key may do, and not with a sign-in', async () => {
    const db = await open()
    const tx = db.queries<Transaction>()
    const number = async () =>
      (await db.ask(`SELECT n FROM numbers WHERE name = 'keys'`)).rows[0]?.[0] as number
    const raised = async (change: PromiseLike<unknown>) => {
      const before = await number()
      await change
      return (await number()) - before
    }
    const key = { label: 'x', plan: 'free', state: 'active' as const, hint: 'x', createdAt: 'x' }
    expect(await raised(tx.insert(apiKeys).values({ ...key, secretHash: Buffer.alloc(32) }))).toBe(1)
    expect(await raised(tx.update(apiKeys).set({ state: 'revoked' }))).toBe(1)
    expect(await raised(tx.delete(apiKeys))).toBe(1)
    expect(await raised(tx.update(plans).set({ per_minute: 7 }))).toBe(1)
    expect(await raised(tx.insert(users).values(person))).toBe(0)
    expect(await raised(tx.update(users).set({ secondFactorStep: 5 }))).toBe(0)
    expect(await raised(tx.update(users).set({ plan: 'institution' }))).toBe(1)
    expect(await raised(tx.delete(users))).toBe(1)
    db.close()
  })

  test('nodes that start at once create the tables once; a newer database stops the start', async () => {
    const url = await server.createDatabase()
    const opened = await Promise.all(Array.from({ length: 4 }, () => Postgres.open(url)))
    await opened[0]!.ask(`UPDATE numbers SET n = n + 1 WHERE name = 'schema'`)
    for (const one of opened) one.close()
    await expect(Postgres.open(url)).rejects.toThrow('was made by a newer version of Izvor')
  })
})

describe.skipIf(!hasPostgres)('a database that cannot be used', () => {
  test('stops the start with the fault, and no password', async () => {
    const url = await server.createDatabase()
    const wrongPassword = url.replace('a%20password', 'another')
    const wrongName = url.replace(/test_\d+$/, 'nothing')
    for (const [address, reason] of [
      [wrongPassword, 'refuses the password'],
      [wrongName, 'no database of this name'],
    ] as const) {
      const error = await Postgres.open(address).catch((caught) => caught)
      expect(error).toBeInstanceOf(CommandError)
      expect(error.message).toContain(reason)
      expect(error.message).not.toContain('of%20tests')
    }
  })

  test('that is frozen, dead or restarted: each query ends in time, and later ones work by themselves', async () => {
    const own = await startPostgres()
    try {
      const db = await Postgres.open(await own.createDatabase())
      const ask = () => db.ask('SELECT 1', []).then(({ rows }) => rows[0]?.[0])
      await Promise.all(Array.from({ length: 30 }, ask))
      own.freeze()
      const began = performance.now()
      const answers = await Promise.allSettled(Array.from({ length: 30 }, ask))
      expect(performance.now() - began).toBeLessThan(6000)
      for (const answer of answers) {
        expect(answer.status === 'rejected' && answer.reason).toBeInstanceOf(DatabaseAway)
      }
      own.thaw()
      expect(await ask()).toBe(1)
      await own.kill()
      await expect(ask()).rejects.toBeInstanceOf(DatabaseAway)
      await own.start()
      expect(await ask()).toBe(1)
      db.close()
    } finally {
      await own.stop()
    }
  })

  test('gets back connections that have been idle for a while', async () => {
    const pool = new PostgresPool(await server.createDatabase(), 5, 20)
    const ours = async () => {
      const { rows } = await pool.ask(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'",
      )
      return rows[0]?.[0]
    }
    const five = async () => {
      await Promise.all(Array.from({ length: 5 }, () => pool.ask('SELECT 1')))
      return await ours()
    }
    // On a busy machine some may have been idle for too long before all are open.
    await until(five, (count) => count === 5)
    await until(ours, (count) => count === 1)
    pool.close()
  })
})
