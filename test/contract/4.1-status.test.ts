import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readBuild } from '../../src/base/build.ts'
import { placeOf, runSql } from '../support/accounts-place.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { testsNodes } from '../support/node-settings.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

let app: TestApp
let now = new Date('2025-03-04T05:06:07Z')
beforeAll(async () => {
  app = await startTestApp({ now: () => now })
  await app.publish(TOWNS)
})
afterAll(() => app.stop())

const open = { key: null }

describe('4.1 status', () => {
  test('liveness gives version, build and start', async () => {
    const { status, body, headers } = await app.get('/health/live', open)
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      build: readBuild(),
      started_at: '2025-03-04T05:06:07Z',
      checks: {},
    })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('readiness checks every database, the disk and the datasets', async () => {
    const { status, body } = await app.get('/health/ready', open)
    expect([status, body.status]).toEqual([200, 'ok'])
    expect(Object.keys(body.checks)).toEqual([
      'accounts',
      'catalog',
      'usage',
      'disk',
      'datasets',
      'refresh',
      'backup',
      ...(testsNodes ? ['object_store'] : []),
    ])
    for (const check of Object.values(body.checks)) {
      expect(check).toEqual({ status: 'ok', message: expect.any(String) })
    }
  })

  test('too little free disk space is 503 with a body of the same shape', async () => {
    const full = await startTestApp({ flags: { disk_floor: '1000000GB' } })
    try {
      const { status, body } = await full.get('/health/ready', open)
      expect([status, body.status, body.checks.disk.status]).toEqual([503, 'unavailable', 'unavailable'])
      expect(body.checks.catalog.status).toBe('ok')
      expect(body.error).toBeUndefined()
      expect((await full.get('/health/live', open)).status).toBe(200)
    } finally {
      await full.stop()
    }
  })

  test('a database that cannot be read is 503', async () => {
    const broken = await startTestApp()
    try {
      await runSql(placeOf(broken.app), 'DROP TABLE mail_queue; DROP TABLE api_keys')
      const { status, body, text } = await broken.get('/health/ready', open)
      expect([status, body.checks.accounts.status]).toEqual([503, 'unavailable'])
      expect(text).not.toContain('api_keys')
    } finally {
      await broken.stop()
    }
  })

  test('statistics are aggregate and at most ten seconds old', async () => {
    const first = (await app.get('/stats', open)).body
    expect(first).toEqual({
      datasets: 1,
      domains: 1,
      rows: 10,
      requests_total: 0,
      requests_today: 0,
      accounts: 0,
      active_keys: 1,
      generated_at: '2025-03-04T05:06:07Z',
    })
    await app.get(TOWNS_PATH)
    now = new Date(now.getTime() + 9_999)
    expect((await app.get('/stats', open)).body).toEqual(first)
    now = new Date(now.getTime() + 1)
    expect((await app.get('/stats', open)).body).toMatchObject({
      requests_total: 1,
      requests_today: 1,
      generated_at: '2025-03-04T05:06:17Z',
    })
  })
})
