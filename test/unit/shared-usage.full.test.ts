/** Usage of several nodes in one database, compared with that of one folder. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { dayNumber } from '../../src/accounts/usage/calendar.ts'
import type { UseQuery } from '../../src/accounts/usage/dataset-use.ts'
import { UsageRecorder } from '../../src/accounts/usage/usage.ts'
import { Postgres } from '../../src/db/postgres/open.ts'
import { usageOver } from '../../src/db/postgres/usage.ts'
import type { SharedUsageDb } from '../../src/db/usage.ts'
import { answered, limitedKey } from '../support/calls.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { runs } from '../support/property-runs.ts'
import { tempDataDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

const NOON = new Date('2025-03-01T12:00:00Z')
const DAY_MS = 86_400_000
const KEYS = [1, 2, 3]
const ALL: UseQuery = {
  ...{ datasets: null, keyIds: null, from: '2025-01-01', to: '2025-12-31' },
  ...{ by: ['day', 'dataset', 'key', 'format'], limit: 1000, offset: 0 },
}

const WAITING =
  'SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())'

let server: TestPostgres
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres()
})
afterAll(() => server?.stop())

async function openDatabase(): Promise<Postgres & AsyncDisposable> {
  const postgres = await Postgres.open(await server.createDatabase())
  return Object.assign(postgres, { [Symbol.asyncDispose]: async () => postgres.close() })
}

/** Something that a node counts or records. */
const events = fc.record({
  node: fc.nat(1),
  kind: fc.constantFrom('call', 'back', 'used', 'flush', 'forget'),
  key: fc.constantFrom(...KEYS),
  day: fc.nat(40),
  dataset: fc.constantFrom('towns', 'trade'),
})
type Happening = typeof events extends fc.Arbitrary<infer T> ? T : never

async function happen(usage: UsageRecorder, { kind, key, day, dataset }: Happening): Promise<void> {
  const at = new Date(NOON.getTime() + day * DAY_MS)
  if (kind === 'call') {
    await usage.reserve(limitedKey(key, null, 7), at)
    const agent = day % 3 === 0 ? null : `„țară” 'x' \\ {,} ${day}`
    const path = `/v1/${dataset}`
    usage.record(answered({ key_id: key, at, path, user_agent: agent, status: day % 2 === 0 ? 200 : 404 }))
  } else if (kind === 'back') usage.giveBack(limitedKey(key, null, 7), at)
  else if (kind === 'used')
    usage.used({ day: dayNumber(at), dataset, keyId: key, format: 'json', rows: day, bytes: 100 })
  else if (kind === 'flush') await usage.flush()
  // The numbers of deleted keys are not reused.
  else if (key === 3) await usage.forget(key)
}

/** Everything that can be queried, except the numbers of records. */
async function usageOf(usage: UsageRecorder) {
  const page = await usage.logs.page({ keyIds: KEYS, limit: 1000, offset: 0 })
  return {
    totals: await usage.totals(NOON),
    days: await usage.daysOf(KEYS, 0),
    lastUsed: await Promise.all(KEYS.map((key) => usage.lastUsed(key))),
    month: await usage.monthOf('account:7', NOON),
    use: await usage.use(ALL),
    statistics: await usage.logs.statistics({ keyIds: KEYS, days: 30 }, NOON),
    records: page.data.map(({ id: _, ...record }) => JSON.stringify(record)).sort(),
    pagination: page.pagination,
  }
}

describe.skipIf(!hasPostgres)('usage of two nodes', () => {
  test('equals that of two processes on one folder, whatever is counted and recorded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(events, { maxLength: 40 }), async (happenings) => {
        await using postgres = await openDatabase()
        const path = tempDataDir().usageDb
        const shared = [0, 1].map(() => UsageRecorder.over(usageOver(postgres)))
        const local = [0, 1].map(() => UsageRecorder.open(path))
        for (const nodes of [shared, local]) {
          for (const happening of happenings) await happen(nodes[happening.node]!, happening)
          for (const node of nodes) await node.flush()
          await nodes[0]!.logs.retain(new Date(0), 1e6)
        }
        expect(await usageOf(shared[0]!)).toEqual(await usageOf(local[0]!))
        expect(await usageOf(shared[1]!)).toEqual(await usageOf(shared[0]!))
        for (const node of [...shared, ...local]) await node.close()
      }),
      { numRuns: runs(100) },
    )
  })

  test('a batch that was written without a confirmation counts once', async () => {
    await using postgres = await openDatabase()
    const db = usageOver(postgres)
    let isLost = true
    // As when the connection is lost after the commit.
    const losing: SharedUsageDb = Object.assign(Object.create(db), {
      write: async (...given: Parameters<SharedUsageDb['write']>) => {
        await db.write(...given)
        if (isLost) throw new Error('lost')
      },
    })
    const usage = UsageRecorder.over(losing)
    for (const calls of [3, 2]) {
      for (let call = 0; call < calls; call++) await usage.reserve(limitedKey(1), NOON)
      usage.record(answered({ key_id: 1, at: NOON }))
      await usage.flush()
    }
    isLost = false
    await usage.flush()
    await usage.flush()
    expect((await usage.totals(NOON)).total).toBe(5)
    expect((await usage.logs.page({ keyIds: [1], limit: 9, offset: 0 })).pagination.total).toBe(2)
    await usage.close()
  })

  test('usage that an unreachable database does not take is written when it is back', async () => {
    await using postgres = await openDatabase()
    const errors: unknown[] = []
    const usage = UsageRecorder.over(usageOver(postgres), { onError: (error) => errors.push(error) })
    await usage.reserve(limitedKey(1), NOON)
    usage.record(answered({ key_id: 1, at: NOON }))
    server.freeze()
    try {
      await usage.flush()
      await usage.flush()
    } finally {
      server.thaw()
    }
    expect(errors.length).toBeGreaterThan(0)
    await usage.flush()
    expect((await usage.totals(NOON)).total).toBe(1)
    expect((await usage.logs.page({ keyIds: [1], limit: 9, offset: 0 })).pagination.total).toBe(1)
    await usage.close()
  })

  test('the log has a partition for each month, and months that are too old are dropped', async () => {
    await using postgres = await openDatabase()
    const db = usageOver(postgres)
    const parts = async () =>
      (
        await postgres.ask(
          `SELECT tableoid::regclass::text, count(*) FROM request_logs GROUP BY 1 ORDER BY 1`,
        )
      ).rows
    await Promise.all([1, 2, 3].map(() => db.makeLogMonths(NOON)))
    const usage = UsageRecorder.over(db)
    for (const month of [2, 2, 3, 4, 6]) {
      usage.record(answered({ key_id: 1, at: new Date(Date.UTC(2025, month, 15)) }))
    }
    await usage.flush()
    expect(await parts()).toEqual([
      ['request_logs_2025_03', 2],
      ['request_logs_2025_04', 1],
      ['request_logs_2025_05', 1],
      ['request_logs_other', 1],
    ])
    await usage.logs.retain(new Date('2025-05-20T00:00:00Z'), 1000)
    expect(await parts()).toEqual([['request_logs_other', 1]])
    await usage.logs.retain(new Date(0), 0)
    expect(await parts()).toEqual([])
    await usage.close()
  })

  test('records that came before the partition of their month move into it', async () => {
    await using postgres = await openDatabase()
    const db = usageOver(postgres)
    const usage = UsageRecorder.over(db)
    for (const month of [2, 3, 6]) {
      usage.record(answered({ key_id: 1, at: new Date(Date.UTC(2025, month, 15)) }))
    }
    await usage.flush()
    const { data } = await usage.logs.page({ keyIds: [1], limit: 9, offset: 0 })
    await Promise.all([1, 2].map(() => db.makeLogMonths(NOON)))
    const { rows } = await postgres.ask(
      'SELECT tableoid::regclass::text, count(*) FROM request_logs GROUP BY 1 ORDER BY 1',
    )
    expect(rows).toEqual([
      ['request_logs_2025_03', 1],
      ['request_logs_2025_04', 1],
      ['request_logs_other', 1],
    ])
    expect((await usage.logs.page({ keyIds: [1], limit: 9, offset: 0 })).data).toEqual(data)
    usage.record(answered({ key_id: 1, at: new Date(Date.UTC(2025, 3, 16)) }))
    await usage.flush()
    expect((await usage.logs.page({ keyIds: [1], limit: 9, offset: 0 })).pagination.total).toBe(4)
    await usage.close()
  })

  test('other queries do not wait for those of the log, however many there are', async () => {
    await using postgres = await openDatabase()
    const usage = UsageRecorder.over(usageOver(postgres))
    await postgres.writeOnce(async (asking) => {
      await asking.ask('LOCK TABLE request_logs IN ACCESS EXCLUSIVE MODE')
      const pages = Array.from({ length: 20 }, () =>
        usage.logs.page({ keyIds: [1], limit: 9, offset: 0 }).catch(() => {}),
      )
      await until(async () => Number((await asking.ask(WAITING)).rows[0]![0]) >= 2)
      const other = postgres.ask('SELECT 1').then(() => 'answered')
      expect(await Promise.race([other, ...pages])).toBe('answered')
    })
    await usage.close()
  })
})
