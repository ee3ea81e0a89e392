import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { requireRoom } from '../../src/accounts/limits/limits.ts'
import {
  LIMITS,
  type LimitName,
  refusedCounts,
  WINDOW_LIMITS,
  type WindowName,
} from '../../src/base/limits.ts'
import { MemoryLedger } from '../../src/db/counts/ledger.ts'
import { SlidingWindows } from '../../src/db/sliding-windows.ts'
import { atOnce } from '../support/at-once.ts'

const NOON = Date.parse('2025-03-01T12:00:00Z')

function at(milliseconds: number): Date {
  return new Date(NOON + milliseconds)
}

function take(windows: SlidingWindows, who: number, most: number, now: Date) {
  return atOnce(windows.take({ name: 'calls', most, seconds: 60, keeps: 'all' }, who, 1, now))
}

/** How many of `tries` requests at one moment are admitted. */
function admitted(limiter: SlidingWindows, limit: number, milliseconds: number, tries: number): number {
  let count = 0
  for (let index = 0; index < tries; index++) {
    if (take(limiter, 1, limit, at(milliseconds)).admitted) count++
  }
  return count
}

test('a burst uses the whole limit, and nothing more for 60 seconds', () => {
  const limiter = new SlidingWindows()
  expect(admitted(limiter, 5, 400, 20)).toBe(5)
  expect(admitted(limiter, 5, 60_399, 20)).toBe(0)
  expect(admitted(limiter, 5, 60_400, 20)).toBe(5)
})

test('every answer says what is left and when there is more', () => {
  const limiter = new SlidingWindows()
  expect(take(limiter, 1, 2, at(0))).toEqual({ admitted: true, remaining: 1, resetSeconds: 60 })
  expect(take(limiter, 1, 2, at(20_000))).toEqual({ admitted: true, remaining: 0, resetSeconds: 40 })
  expect(take(limiter, 1, 2, at(30_500))).toEqual({ admitted: false, remaining: 0, resetSeconds: 30 })
  expect(take(limiter, 1, 2, at(60_000))).toEqual({ admitted: true, remaining: 0, resetSeconds: 20 })
})

test('a refused request uses nothing', () => {
  const limiter = new SlidingWindows()
  expect(admitted(limiter, 1, 0, 1000)).toBe(1)
  expect(admitted(limiter, 1, 60_000, 1)).toBe(1)
})

test('keys do not share their requests', () => {
  const limiter = new SlidingWindows()
  expect(take(limiter, 1, 1, at(0)).admitted).toBe(true)
  expect(take(limiter, 2, 1, at(0)).admitted).toBe(true)
  expect(take(limiter, 1, 1, at(0)).admitted).toBe(false)
})

test('lowering or raising a limit takes effect at the next request', () => {
  const limiter = new SlidingWindows()
  for (let second = 0; second < 10; second++) take(limiter, 1, 10, at(second * 1000))
  expect(take(limiter, 1, 4, at(10_000))).toEqual({ admitted: false, remaining: 0, resetSeconds: 56 })
  expect(take(limiter, 1, 4, at(66_000)).admitted).toBe(true)
  expect(take(limiter, 1, 12, at(66_000)).admitted).toBe(true)
})

test('a clock that steps back neither frees nor blocks a key', () => {
  const limiter = new SlidingWindows()
  expect(admitted(limiter, 3, 0, 2)).toBe(2)
  expect(admitted(limiter, 3, -3_600_000, 5)).toBe(1)
  expect(admitted(limiter, 3, -3_600_000 + 59_999, 5)).toBe(0)
  expect(admitted(limiter, 3, -3_600_000 + 60_000, 5)).toBe(3)
})

test('no 60 seconds hold more requests than the limit, and a client that waits as long as stated gets through', () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), pauses, (limit, gaps) => {
      const limiter = new SlidingWindows()
      const through: number[] = []
      let now = 0
      for (const gap of gaps) {
        now += gap
        const state = take(limiter, 1, limit, at(now))
        if (state.admitted) through.push(now)
        else if (gap % 2 === 0) {
          now += state.resetSeconds * 1000
          expect(take(limiter, 1, limit, at(now)).admitted).toBe(true)
          through.push(now)
        }
      }
      for (const [index, moment] of through.entries()) {
        const later = through[index + limit]
        if (later !== undefined) expect(later - moment).toBeGreaterThanOrEqual(60_000)
      }
    }),
  )
})

test('a window frees each event exactly when it leaves', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (steps, most) => {
      const windows = new SlidingWindows()
      const taken: number[] = []
      let time = 0
      for (const step of steps) {
        time += step * 1000
        const recent = taken.filter((at) => at > time - 60_000)
        const { admitted, resetSeconds } = take(windows, 1, most, new Date(time))
        expect(admitted).toBe(recent.length < most)
        if (admitted) taken.push(time)
        else expect(resetSeconds).toBe((Math.min(...recent) + 60_000 - time) / 1000)
      }
    }),
  )
})

test('several events are counted all or none, and 0 asks for one', () => {
  const windows = new SlidingWindows()
  const calls = { name: 'calls', most: 5, seconds: 60, keeps: 'all' } as const
  expect(atOnce(windows.take(calls, 'a', 3, at(0)))).toEqual({
    admitted: true,
    remaining: 2,
    resetSeconds: 60,
  })
  expect(atOnce(windows.take(calls, 'a', 3, at(10_000)))).toEqual({
    admitted: false,
    remaining: 0,
    resetSeconds: 50,
  })
  expect(atOnce(windows.take(calls, 'a', 0, at(10_000))).admitted).toBe(true)
  expect(atOnce(windows.take(calls, 'a', 2, at(10_000))).remaining).toBe(0)
  expect(atOnce(windows.take(calls, 'a', 0, at(10_000))).admitted).toBe(false)
  void windows.give(calls, 'a', 3)
  expect(atOnce(windows.take(calls, 'a', 3, at(20_000))).remaining).toBe(0)
})

test('a window tracks a bounded number of keys, returns events, and survives a clock set back', () => {
  const windows = new SlidingWindows(new MemoryLedger(), { mostTracked: 2 })
  const once = { name: 'once', most: 1, seconds: 60, keeps: 'recent' } as const
  const admits = (who: string, moment = at(0)) => atOnce(windows.take(once, who, 1, moment)).admitted
  for (const who of ['a', 'b', 'c']) expect(admits(who)).toBe(true)
  expect([admits('a'), admits('c')]).toEqual([true, false])
  void windows.give(once, 'c', 1)
  expect(admits('c')).toBe(true)
  expect(admits('c', at(-NOON))).toBe(false)
  expect(atOnce(windows.take({ ...once, name: 'other' }, 'c', 1, at(0))).admitted).toBe(true)
})

test('a window of accounts forgets nobody who has events, and drops those without', () => {
  const windows = new SlidingWindows(new MemoryLedger(), { mostTracked: 2 })
  const failures = { name: 'failures', most: 1, seconds: 60, keeps: 'all' } as const
  for (let who = 0; who < 10_000; who++) void windows.take(failures, who, 1, at(0))
  expect(atOnce(windows.take(failures, 0, 1, at(1000))).admitted).toBe(false)
  expect(windows.tracked(failures)).toBe(10_000)
  for (let who = 10_000; who < 30_000; who++) void windows.take(failures, who, 1, at(61_000))
  expect(windows.tracked(failures)).toBe(20_000)
})

test('asking, being refused and giving back leave nothing behind', () => {
  const windows = new SlidingWindows()
  for (const keeps of ['all', 'recent'] as const) {
    const window = { name: keeps, most: 1, seconds: 60, keeps }
    void windows.take(window, 'a', 0, at(0))
    void windows.take(window, 'a', 2, at(0))
    void windows.take(window, 'b', 1, at(0))
    void windows.give(window, 'b', 1)
    void windows.give(window, 'c', 1)
    expect(windows.tracked(window)).toBe(0)
  }
})

const countOf = (limit: LimitName) => new Map(refusedCounts()).get(limit)!

test.each(Object.keys(WINDOW_LIMITS) as WindowName[])(
  'the limit %s admits as many as its row says, then refuses in its words, and the refusal is counted',
  async (name) => {
    const { most, seconds, code } = WINDOW_LIMITS[name]
    const given = typeof most === 'number' ? most : 7
    const windows = new SlidingWindows()
    const before = countOf(name)
    const ask = async (now: Date) => requireRoom(windows, name, 'somebody', 1, now, given)
    for (let n = 0; n < given; n++) await ask(at(0))
    expect(countOf(name)).toBe(before)
    await expect(ask(at(0))).rejects.toMatchObject({ code: code ?? 'rate_limited', retryAfter: seconds })
    expect(countOf(name)).toBe(before + 1)
    await ask(at(seconds * 1000))
  },
)

test('every limit has a count from the start', () => {
  expect(refusedCounts().map(([limit]) => limit)).toEqual(Object.keys(LIMITS) as LimitName[])
})
