/** Limits that several processes count together, compared with a plain list of what was admitted. */

import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { Window } from '../../src/db/counts/blocks.ts'
import { MemoryLedger } from '../../src/db/counts/ledger.ts'
import { postgresLedger } from '../../src/db/counts/postgres-ledger.ts'
import { SqliteLedger } from '../../src/db/counts/sqlite-ledger.ts'
import { Postgres } from '../../src/db/postgres/open.ts'
import { SlidingWindows } from '../../src/db/sliding-windows.ts'
import { LEDGERS, newPlace, storesIn, storesOver } from '../support/count-ledgers.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const NOON = Date.parse('2025-03-01T12:00:00Z')
const MONTH_END = Date.parse('2025-04-01T00:00:00Z')
const STORES = 3

function rate(most: number): Window {
  return { name: 'calls', most, seconds: 60, keeps: 'all' }
}

function quota(most: number, used = 0): Window {
  return { name: 'quota', most, seconds: 0, until: MONTH_END, keeps: 'all', seed: () => used }
}

interface Step {
  readonly store: number
  readonly who: string
  /** Events to take; below 0: to give back. */
  readonly n: number
  /** Time since the previous step. */
  readonly pause: number
}

const step = fc.record<Step>({
  store: fc.nat(STORES - 1),
  who: fc.constantFrom('a', 'b'),
  n: fc.integer({ min: -3, max: 4 }),
  pause: fc.oneof(fc.constant(0), fc.nat(900), fc.nat(20_000)),
})
const steps = fc.array(step, { minLength: 1, maxLength: 250 })

/** Takes the latest of a store's own events off the list. @returns how many there were */
function takeBack(events: { at: number; store: number }[], store: number, n: number): number {
  let taken = 0
  for (let index = events.length - 1; index >= 0 && taken < n; index--) {
    if (events[index]!.store !== store) continue
    events.splice(index, 1)
    taken++
  }
  return taken
}

describe.each(LEDGERS)('on %s', (_, newLedger) => {
  test('no window exceeds its limit, however many count in it, and returned events are available again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), steps, async (most, given) => {
        const open = await newLedger()
        const [observer, ...stores] = await storesIn(open, 1 + STORES)
        const events = { a: [], b: [] } as Record<string, { at: number; store: number }[]>
        let now = NOON
        for (const { store, who, n, pause } of given) {
          now += pause
          const list = events[who]!
          if (n < 0) {
            const back = takeBack(list, store, -n)
            if (back > 0) await stores[store]!.give(rate(most), who, back)
          } else if (n > 0) {
            const { admitted, remaining } = await stores[store]!.take(rate(most), who, n, new Date(now))
            if (admitted) for (let i = 0; i < n; i++) list.push({ at: now, store })
            const held = list.filter(({ at }) => at > now - 60_000).length
            expect(held).toBeLessThanOrEqual(most)
            if (admitted) expect(remaining).toBeLessThanOrEqual(most - held)
          }
        }
        for (const store of stores) await store.close()
        for (const who of ['a', 'b']) {
          // Events leave by the end of their second at the latest.
          const inSeconds = events[who]!.filter(
            ({ at }) => Math.floor(at / 1000) >= Math.floor(now / 1000) - 61,
          )
          const { admitted, remaining } = await observer!.take(rate(most), who, 0, new Date(now))
          expect(admitted ? remaining : 0).toBeGreaterThanOrEqual(most - inSeconds.length)
          const later = await observer!.take(rate(most), who, 0, new Date(now + 61_000))
          expect(later.remaining).toBe(most)
        }
        await observer!.close()
      }),
    )
  })

  test('a shared quota is never exceeded, what one returns others can use, and it is reached', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.nat(20), steps, async (most, used, given) => {
        const open = await newLedger()
        const [observer, ...stores] = await storesIn(open, 1 + STORES, { sharers: () => STORES })
        const window = quota(most, used)
        let calls = used
        const own = stores.map(() => 0)
        let now = NOON
        for (const { store, n, pause } of given) {
          now += pause
          if (n < 0) {
            const back = Math.min(-n, own[store]!)
            if (back > 0) await stores[store]!.give(window, 'account:1', back)
            calls -= back
            own[store]! -= back
          } else if (n > 0 && (await stores[store]!.take(window, 'account:1', n, new Date(now))).admitted) {
            calls += n
            own[store]! += n
            expect(calls).toBeLessThanOrEqual(most)
          }
        }
        for (const store of stores) await store.close()
        const admits = async () => (await observer!.take(window, 'account:1', 1, new Date(now))).admitted
        while (await admits()) calls++
        expect(calls).toBe(Math.max(most, used))
        await observer!.close()
      }),
    )
  })

  test.each([
    ['in the second it was taken in, and counts until that has left', 900, 60_500],
    ['in no later second', 30_000, 61_100],
  ])('a unit of a block may be used %s', async (_, used, asked) => {
    const [one, other] = await storesIn(await newLedger(), 2)
    const window = rate(64)
    const admit = async (store: SlidingWindows, at: number) =>
      (await store.take(window, 'a', 1, new Date(NOON + at))).admitted
    // The third request takes three units more than it needs.
    for (let i = 0; i < 4; i++) expect(await admit(one!, 0)).toBe(true)
    for (let i = 0; i < 3; i++) expect(await admit(one!, used)).toBe(true)
    let admitted = 0
    while (await admit(other!, asked)) admitted++
    // The previous minute holds what the first one used, and these.
    expect(admitted).toBeLessThanOrEqual(64 - 3)
    expect(admitted).toBeGreaterThanOrEqual(64 - 7)
    await one!.close()
    await other!.close()
  })

  test('a quota whose use cannot be read yet does not start at zero', async () => {
    const [store] = await storesIn(await newLedger(), 1)
    let isAway = true
    const seed = async () => {
      if (isAway) throw new Error('away')
      return 7
    }
    const take = async () => store!.take({ ...quota(10), seed }, 'account:1', 1, new Date(NOON))
    await expect(take()).rejects.toThrow('away')
    await expect(take()).rejects.toThrow('away')
    isAway = false
    expect((await take()).remaining).toBe(2)
    await store!.close()
  })

  test('a process that is killed takes its last block with it, and no more', async () => {
    const [killed, other] = await storesIn(await newLedger(), 2, { sharers: () => 2 })
    const window = quota(500)
    let calls = 0
    for (let i = 0; i < 50; i++)
      if ((await killed!.take(window, 'account:1', 1, new Date(NOON))).admitted) calls++
    // It is not closed, so what it holds stays counted.
    while ((await other!.take(window, 'account:1', 1, new Date(NOON))).admitted) calls++
    expect(calls).toBeLessThanOrEqual(500)
    expect(calls).toBeGreaterThanOrEqual(500 - Math.ceil(500 / 16))
    await other!.close()
  })

  test('unused blocks are returned within seconds', async () => {
    const [idle, other] = await storesIn(await newLedger(), 2)
    const window = quota(400)
    for (let i = 0; i < 18; i++) await idle!.take(window, 'account:1', 1, new Date(NOON))
    const left = async () => (await other!.take(window, 'account:1', 0, new Date(NOON))).remaining
    expect(await left()).toBeLessThan(382)
    await until(async () => (await left()) === 382)
    await idle!.close()
    await other!.close()
  })

  test('clocks set back keep the limit and block nobody for longer than a window', async () => {
    const [one, two] = await storesIn(await newLedger(), 2)
    const admit = async (store: SlidingWindows, at: number) =>
      (await store.take(rate(3), 'a', 1, new Date(NOON + at))).admitted
    expect([await admit(one!, 0), await admit(two!, 500), await admit(one!, 900)]).toEqual([true, true, true])
    const back = -3_600_000
    expect([await admit(two!, back), await admit(one!, back + 100)]).toEqual([false, false])
    expect(await admit(one!, back + 59_000)).toBe(false)
    expect([await admit(two!, back + 60_500), await admit(one!, back + 60_500)]).toEqual([true, true])
    await one!.close()
    await two!.close()
  })
})

test.skipIf(!hasPostgres)(
  'without the database nodes count nothing and say so within 3 seconds; then they go on',
  async () => {
    const server = await startPostgres()
    const database = await Postgres.open(await server.createDatabase())
    const store = new SlidingWindows(postgresLedger(database))
    try {
      const take = async () => store.take(quota(5), 'account:1', 1, new Date(NOON))
      expect((await take()).remaining).toBe(4)
      server.freeze()
      const started = performance.now()
      const asked = await Promise.allSettled([take(), take(), take()])
      expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
      expect(performance.now() - started).toBeLessThan(4000)
      server.thaw()
      // A request that the frozen server had received may be counted, but is not admitted.
      const { remaining } = await until(async () => {
        try {
          return await take()
        } catch {
          return undefined
        }
      })
      expect(remaining).toBeLessThanOrEqual(3)
      expect(remaining).toBeGreaterThanOrEqual(0)
    } finally {
      await store.close()
      await database.close()
      await server.stop()
    }
  },
)

test('a process that opens the counts alone starts over, and one that joins others continues them', async () => {
  const path = newPlace()
  const take = async (store: SlidingWindows) =>
    (await store.take(quota(100), 'account:1', 1, new Date(NOON))).remaining
  const [first] = storesOver(path, 1)
  expect(await take(first!)).toBe(99)
  const [joined] = storesOver(path, 1)
  expect(await take(joined!)).toBe(98)
  await first!.close()
  await joined!.close()
  const [later] = storesOver(path, 1)
  expect(await take(later!)).toBe(99)
  await later!.close()
})

test('damaged counts are recreated', async () => {
  const path = newPlace()
  await Bun.write(path, 'not a database, but long enough to look like one '.repeat(100))
  const [store] = storesOver(path, 1)
  expect((await store!.take(rate(2), 'a', 1, new Date(NOON))).remaining).toBe(1)
  await store!.close()
})

test('while the counts cannot be written, each process counts for itself and says so once a second at most', async () => {
  const errors: unknown[] = []
  const ledger = SqliteLedger.open(newPlace())
  const store = new SlidingWindows(ledger, { onError: (error) => errors.push(error) })
  const admit = async () => (await store.take(rate(5), 'a', 1, new Date(NOON))).admitted
  expect(await admit()).toBe(true)
  ledger.close()
  const admitted = []
  for (let i = 0; i < 8; i++) admitted.push(await admit())
  expect(admitted).toEqual([true, true, true, true, false, false, false, false])
  expect(errors).toHaveLength(1)
  await store.close()
})

test('a flood of made-up names keeps a bounded number of counts, in the ledger too', async () => {
  const path = newPlace()
  const [store] = storesOver(path, 1, { mostTracked: 100 })
  const window = { name: 'sign_up', most: 5, seconds: 3600, keeps: 'recent' } as const
  for (let i = 0; i < 2000; i++) await store!.take(window, `network ${i}`, 1, new Date(NOON))
  const { Database } = await import('bun:sqlite')
  using reading = new Database(path, { readonly: true })
  expect(reading.query('SELECT count(*) AS n FROM limit_counts').get()).toEqual({ n: 100 })
  await store!.close()
})

/** A ledger whose clock is known once it has been asked. */
class LedgerWithClock extends MemoryLedger {
  override ahead = 0
  clock = 0

  override read(name: string, who: string) {
    this.ahead = this.clock
    return super.read(name, who)
  }
}

test('a period ends by the clock of the process, whatever the ledger’s clock says', async () => {
  const ledger = new LedgerWithClock()
  ledger.clock = 5000
  const store = new SlidingWindows(ledger)
  const take = (at: number) => store.take(quota(2), 'account:1', 1, new Date(at))
  const states = []
  for (const before of [3000, 2000, 1]) states.push(await take(MONTH_END - before))
  expect(states.map(({ admitted }) => admitted)).toEqual([true, true, false])
  expect(states.map(({ resetSeconds }) => resetSeconds)).toEqual([3, 2, 1])
  await store.close()
})

test('events are dated by the ledger’s clock from the first on, and stay for a window at most', async () => {
  const ledger = new LedgerWithClock()
  ledger.clock = 60_000
  const store = new SlidingWindows(ledger)
  const take = () => store.take(rate(10), 'a', 1, new Date(NOON))
  await take()
  expect(ledger.read('calls', 'a')?.slots).toBe(`${NOON + 60_000} 1 0`)
  ledger.ahead = ledger.clock = 59_999
  for (let i = 0; i < 5; i++) expect((await take()).resetSeconds).toBe(60)
  await store.close()
})

/** What a thief of the disk would read of `limits.db` and its log. */
function bytesOf(path: string): string {
  return ['', '-wal']
    .map((end) => (existsSync(path + end) ? readFileSync(path + end, 'latin1') : ''))
    .join('')
}

const VISITOR = '198.51.100.231'

test('an address leaves the file and its log once it has left its window, even without further calls', async () => {
  const path = newPlace()
  const store = new SlidingWindows(SqliteLedger.open(path))
  const window = (name: string, seconds: number): Window => ({ name, most: 5, seconds, keeps: 'recent' })
  await store.take(window('sign_ups', 1), VISITOR, 1, new Date(NOON))
  await store.take(window('calls', 3600), 7, 1, new Date(NOON))
  expect(bytesOf(path)).toContain(VISITOR)
  await until(() => !bytesOf(path).includes(VISITOR))
  await store.close()
})

test('an address that a killed process left is gone from the file once another one opens it', () => {
  const path = newPlace()
  const before = SqliteLedger.open(path)
  const next = { version: 1, slots: '0 1 0', emptyAt: NOON }
  for (let i = 0; i < 300; i++) before.change({ name: 'sign_ups', who: `${VISITOR}/${i}`, known: 0, next })
  before.close()
  expect(bytesOf(path)).toContain(VISITOR)
  const after = SqliteLedger.open(path)
  expect(bytesOf(path)).not.toContain(VISITOR)
  after.close()
})

test('events past their window leave the ledger', () => {
  const ledger = SqliteLedger.open(newPlace())
  for (let i = 0; i < 700; i++) {
    ledger.change({ name: 'a', who: String(i), known: 0, next: { version: 1, slots: '0 1 0', emptyAt: i } })
  }
  while (ledger.sweep(650) === 0) {}
  expect([ledger.read('a', '650'), ledger.read('a', '651')]).toEqual([
    undefined,
    { version: 1, slots: '0 1 0' },
  ])
  ledger.close()
})
