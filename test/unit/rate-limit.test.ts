import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { RateLimiter } from '../../src/usage/rate-limit.ts'

const NOON = Date.parse('2025-03-01T12:00:00Z')

function at(milliseconds: number): Date {
  return new Date(NOON + milliseconds)
}

/** How many of `tries` requests at one moment get through. */
function admitted(limiter: RateLimiter, limit: number, milliseconds: number, tries: number): number {
  let count = 0
  for (let index = 0; index < tries; index++) {
    if (limiter.take(1, limit, at(milliseconds)).admitted) count++
  }
  return count
}

test('a burst uses the whole limit, and nothing more for 60 seconds', () => {
  const limiter = new RateLimiter()
  expect(admitted(limiter, 5, 400, 20)).toBe(5)
  expect(admitted(limiter, 5, 60_399, 20)).toBe(0)
  expect(admitted(limiter, 5, 60_400, 20)).toBe(5)
})

test('what is left and when there is more are told with every request', () => {
  const limiter = new RateLimiter()
  expect(limiter.take(1, 2, at(0))).toEqual({ admitted: true, remaining: 1, resetSeconds: 60 })
  expect(limiter.take(1, 2, at(20_000))).toEqual({ admitted: true, remaining: 0, resetSeconds: 40 })
  expect(limiter.take(1, 2, at(30_500))).toEqual({ admitted: false, remaining: 0, resetSeconds: 30 })
  expect(limiter.take(1, 2, at(60_000))).toEqual({ admitted: true, remaining: 0, resetSeconds: 20 })
})

test('a refused request uses nothing', () => {
  const limiter = new RateLimiter()
  expect(admitted(limiter, 1, 0, 1000)).toBe(1)
  expect(admitted(limiter, 1, 60_000, 1)).toBe(1)
})

test('keys do not share their requests', () => {
  const limiter = new RateLimiter()
  expect(limiter.take(1, 1, at(0)).admitted).toBe(true)
  expect(limiter.take(2, 1, at(0)).admitted).toBe(true)
  expect(limiter.take(1, 1, at(0)).admitted).toBe(false)
})

test('a limit that is lowered or raised holds for the next request', () => {
  const limiter = new RateLimiter()
  for (let second = 0; second < 10; second++) limiter.take(1, 10, at(second * 1000))
  expect(limiter.take(1, 4, at(10_000))).toEqual({ admitted: false, remaining: 0, resetSeconds: 56 })
  expect(limiter.take(1, 4, at(66_000)).admitted).toBe(true)
  expect(limiter.take(1, 12, at(66_000)).admitted).toBe(true)
})

test('a clock that steps back neither frees nor blocks a key', () => {
  const limiter = new RateLimiter()
  expect(admitted(limiter, 3, 0, 2)).toBe(2)
  expect(admitted(limiter, 3, -3_600_000, 5)).toBe(1)
  expect(admitted(limiter, 3, -3_600_000 + 59_999, 5)).toBe(0)
  expect(admitted(limiter, 3, -3_600_000 + 60_000, 5)).toBe(3)
})

test('no 60 seconds hold more requests than the limit, and whoever waits as told gets through', () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), pauses, (limit, gaps) => {
      const limiter = new RateLimiter()
      const through: number[] = []
      let now = 0
      for (const gap of gaps) {
        now += gap
        const state = limiter.take(1, limit, at(now))
        if (state.admitted) through.push(now)
        else if (gap % 2 === 0) {
          now += state.resetSeconds * 1000
          expect(limiter.take(1, limit, at(now)).admitted).toBe(true)
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
