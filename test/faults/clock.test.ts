/** The clock jumps over the end of a month, forward and back: quotas and counts stay with their month. */

import { expect, test } from 'bun:test'
import { startTestApp } from '../support/app.ts'
import { countMoment } from '../support/fault-moments.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

test('quotas follow a clock that jumps over the end of a month and back, and no call is lost or counted twice', async () => {
  let now = new Date('2025-01-31T23:59:58Z')
  const app = await startTestApp({ now: () => now })
  try {
    await app.publish(TOWNS)
    const { secret } = await app.mintKey('free')
    const remaining = async () => {
      const answer = await app.get(TOWNS_PATH, { key: secret })
      expect(answer.status).toBe(200)
      return Number(/"month";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
    }
    const full = await remaining()
    expect(await remaining()).toBe(full - 1)
    const steps = [
      ['2025-02-01T00:00:01Z', full],
      // A time server sets the clock back: January's calls are still counted.
      ['2025-01-31T23:59:30Z', full - 2],
      ['2025-03-01T00:00:00Z', full],
      // The clock's battery ran out.
      ['2000-01-01T00:00:00Z', full],
      ['2025-02-28T23:59:59Z', full - 1],
      ['2024-02-29T23:59:59.999Z', full],
      ['2038-01-19T03:14:08Z', full],
      ['2025-01-31T12:00:00Z', full - 3],
    ] as const
    for (const [moment, left] of steps) {
      now = new Date(moment)
      expect([moment, await remaining()]).toEqual([moment, left])
      countMoment('steps of the clock')
    }
    const { body } = await app.get('/stats', { key: null })
    expect(body.requests_total).toBe(2 + steps.length)
    expect((await app.get('/health/ready', { key: null })).status).toBe(200)
  } finally {
    await app.stop()
  }
})
