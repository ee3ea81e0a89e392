/** When datasets are fetched again, and how the schedule runs, with a clock that the test sets. */

import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import type { EndedProgram, RunningProgram } from '../../src/base/process/child.ts'
import { findScheduleProblem } from '../../src/base/process/schedule.ts'
import { RefreshSchedule } from '../../src/publish/refresh/refresh-schedule.ts'
import type { Catalog } from '../../src/store/catalog/catalog.ts'
import type { NewSource } from '../../src/store/catalog/sources.ts'
import { nextAttempt, nextRun } from '../../src/store/catalog/sources.ts'
import { openTestCatalog } from '../support/catalog-engine.ts'
import { publishTable } from '../support/publish-table.ts'
import { tempDataDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

/** A Friday; `publishTable` imports at this moment. */
const PUBLISHED = new Date('2025-01-31T08:00:00Z')
const DAILY = '0 6 * * *'
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const SOURCE: NewSource = {
  address: 'https://example.org/a.csv',
  options: {},
  schedule: DAILY,
  file: { url: 'https://example.org/a.csv', etag: '"1"', lastModified: null },
  sha256: 'ab'.repeat(32),
}

const after = (milliseconds: number) => new Date(PUBLISHED.getTime() + milliseconds)

test('a schedule is a cron pattern of five parts, and anything else is reported', () => {
  for (const pattern of ['0 6 * * 1', '*/15 * * * *', '@daily', '0 0 1 JAN *'])
    expect([pattern, findScheduleProblem(pattern)]).toEqual([pattern, null])
  for (const pattern of ['', 'weekly', '0 6 * *', '61 * * * *', '* * * * * *', '0 0 30 2 *'])
    expect([pattern, findScheduleProblem(pattern)]).toEqual([
      pattern,
      expect.stringContaining(`'${pattern}'`),
    ])
})

test('hours are those of UTC, in summer as in winter', () => {
  for (const day of ['2025-01-31', '2025-07-31']) {
    const run = nextRun('0 6 * * *', 'a', new Date(`${day}T00:00:00Z`))
    expect(run.toISOString()).toStartWith(`${day}T06:0`)
  }
})

test('datasets with one pattern are spread over five minutes, each always at the same offset', () => {
  const runs = Array.from({ length: 50 }, (_, i) => nextRun(DAILY, `dataset_${i}`, PUBLISHED).getTime())
  const six = new Date('2025-02-01T06:00:00Z').getTime()
  expect(Math.min(...runs)).toBeGreaterThanOrEqual(six)
  expect(Math.max(...runs)).toBeLessThan(six + 5 * MINUTE)
  expect(new Set(runs).size).toBeGreaterThan(45)
  const later = nextRun(DAILY, 'dataset_7', after(24 * HOUR)).getTime()
  expect(later - (runs[7] as number)).toBe(24 * HOUR)
})

test('a run is always later than now, and never skips more than its spread', () => {
  const patterns = fc.constantFrom('* * * * *', '*/7 * * * *', DAILY, '0 6 * * 1', '30 2 29 2 *')
  const moments = fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(patterns, fc.string(), moments, (pattern, dataset, now) => {
      expect(nextRun(pattern, dataset, now).getTime()).toBeGreaterThan(now.getTime())
    }),
  )
})

test('a failing source is retried after 5 minutes, then at growing intervals, up to a day', () => {
  const delay = (failures: number, waits = false) =>
    nextAttempt('0 6 1 * *', 'a', { after: PUBLISHED, failures, waits }).getTime() - PUBLISHED.getTime()
  expect([1, 2, 3, 4].map((n) => delay(n) / MINUTE)).toEqual([5, 10, 20, 40])
  expect([9, 10, 100].map((n) => delay(n) / HOUR)).toEqual([256 / 12, 24, 24])
})

test('a file that a gate refused waits for the next scheduled run', () => {
  const next = nextAttempt(DAILY, 'a', { after: PUBLISHED, failures: 1, waits: true })
  expect(next.toISOString()).toStartWith('2025-02-01T06:0')
})

/** A refresh that ended by itself. */
function ended(code: number | null, message = ''): RunningProgram {
  return { ended: Promise.resolve({ code, interrupted: false, message }), stop() {} }
}

interface Bench {
  readonly catalog: Catalog
  readonly schedule: RefreshSchedule
  readonly started: string[]
  readonly tmpDir: string
  publish(id: string, source?: NewSource | undefined): Promise<void>
  at(now: Date): void
  /** What the next refreshes do; by default they succeed and find nothing new. */
  does(work: (id: string) => RunningProgram): void
}

async function openBench(): Promise<Bench> {
  const { dataDir, catalog } = await openTestCatalog()
  let now = PUBLISHED
  const started: string[] = []
  let run = (id: string): RunningProgram => {
    const recorded = catalog.sources.recordUnchanged(id, null, now)
    return { ended: recorded.then(() => ({ code: 0, interrupted: false, message: '' })), stop() {} }
  }
  const schedule = new RefreshSchedule({
    ...{ catalog, dataDir, log: pino({ level: 'silent' }), now: () => now },
    startRefresh(id) {
      started.push(id)
      return run(id)
    },
  })
  const table = { columns: [{ name: 'a', type: 'integer' as const }], rows: [[1]] }
  return {
    ...{ catalog, schedule, started, tmpDir: dataDir.tmpDir },
    async publish(id, source = SOURCE) {
      await publishTable(catalog, dataDir, { id, domain: 'test', table, source })
    },
    at: (moment) => {
      now = moment
    },
    does: (work) => {
      run = work
    },
  }
}

test('a dataset is refreshed once when it is due, and then at its next time', async () => {
  const { schedule, started, publish, at, catalog } = await openBench()
  await publish('a')
  await publish('by_hand', { ...SOURCE, schedule: null })
  await schedule.runDue()
  expect(started).toEqual([])
  at(new Date('2025-02-01T06:06:00Z'))
  await schedule.runDue()
  await schedule.runDue()
  expect(started).toEqual(['a'])
  expect(catalog.sources.find('a')).toMatchObject({
    checked_at: '2025-02-01T06:06:00Z',
    failures: 0,
    error: null,
  })
  at(new Date('2025-02-02T06:06:00Z'))
  await schedule.runDue()
  expect(started).toEqual(['a', 'a'])
})

test('datasets published or removed while the service runs are noticed', async () => {
  const { schedule, started, publish, at, catalog } = await openBench()
  await publish('a')
  at(new Date('2025-02-03T00:00:00Z'))
  await schedule.runDue()
  await publish('b')
  await catalog.remove('a')
  at(new Date('2025-02-05T00:00:00Z'))
  await schedule.runDue()
  expect(started).toEqual(['a', 'b'])
  expect(catalog.sources.find('a')).toBeUndefined()
})

test('refreshes run one at a time, the longest waiting first', async () => {
  const { schedule, started, publish, at, does, catalog } = await openBench()
  for (const id of ['c', 'a', 'b']) await publish(id, { ...SOURCE, schedule: '0 6 * * *' })
  at(new Date('2025-02-02T00:00:00Z'))
  let running = 0
  does((id) => {
    const ended = (async () => {
      expect(++running).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      await catalog.sources.recordUnchanged(id, null, new Date('2025-02-02T00:00:00Z'))
      return { code: 0, interrupted: false, message: '' }
    })()
    return { ended, stop() {} }
  })
  const due = await catalog.sources.due(new Date('2025-02-02T00:00:00Z'))
  await Promise.all([schedule.runDue(), schedule.runDue()])
  expect(started).toEqual(due)
  expect(due.toSorted()).toEqual(['a', 'b', 'c'])
})

test('a process that dies is recorded as a failure and retried later, and the others continue', async () => {
  const { schedule, started, publish, at, does, catalog } = await openBench()
  await publish('a')
  await publish('b')
  const now = new Date('2025-02-02T00:00:00Z')
  at(now)
  does(() => ended(null, 'it ended with SIGSEGV'))
  const { revision } = catalog
  await schedule.runDue()
  expect(started.toSorted()).toEqual(['a', 'b'])
  expect(catalog.sources.failing()).toEqual(['a', 'b'])
  expect(catalog.sources.find('a')).toMatchObject({
    failed_at: '2025-02-02T00:00:00Z',
    error: 'the refresh broke off: it ended with SIGSEGV',
    failures: 1,
  })
  expect(catalog.revision).toBeGreaterThan(revision)
  expect(catalog.descriptor('a')?.refresh?.failed_at).toBe('2025-02-02T00:00:00Z')
  expect(JSON.stringify(catalog.descriptor('a'))).not.toContain('SIGSEGV')
  expect(await catalog.sources.due(new Date(now.getTime() + 4 * MINUTE))).toEqual([])
})

test('a success after failures clears them', async () => {
  const { publish, catalog } = await openBench()
  await publish('a')
  for (const minutes of [1, 2])
    await catalog.sources.recordFailure('a', 'HTTP 500', false, after(minutes * MINUTE))
  expect(catalog.sources.find('a')?.failures).toBe(2)
  await catalog.sources.recordUnchanged('a', null, after(HOUR))
  const { failures, failed_at, error, sha256, file } = catalog.sources.find('a') ?? {}
  expect([failures, failed_at, error]).toEqual([0, null, null])
  expect([sha256, file]).toEqual([SOURCE.sha256, SOURCE.file as NonNullable<typeof file>])
})

test('a refresh that another service runs is left to it, and checked again', async () => {
  const { schedule, started, publish, at, does, catalog } = await openBench()
  await publish('a')
  at(new Date('2025-02-02T00:00:00Z'))
  does(() => ended(0, 'another refresh is running'))
  await schedule.runDue()
  await schedule.runDue()
  expect(started).toEqual(['a', 'a'])
  expect(catalog.sources.find('a')?.failures).toBe(0)
})

test('a stopped refresh is not a failure, and stays due', async () => {
  const { schedule, publish, at, does, catalog } = await openBench()
  await publish('a')
  const now = new Date('2025-02-02T00:00:00Z')
  at(now)
  does(() => ({ ended: Promise.resolve({ code: null, interrupted: true, message: '' }), stop() {} }))
  await schedule.runDue()
  expect([catalog.sources.failing(), await catalog.sources.due(now)]).toEqual([[], ['a']])
})

test('stopping ends a running refresh, starts no other, and cleans up after it', async () => {
  const { schedule, started, publish, at, does, tmpDir, catalog } = await openBench()
  await publish('a')
  await publish('b')
  at(new Date('2025-02-02T00:00:00Z'))
  does(() => {
    mkdirSync(join(tmpDir, 'left-behind'))
    let end: (how: EndedProgram) => void
    const ended = new Promise<EndedProgram>((resolve) => {
      end = resolve
    })
    return { ended, stop: () => end({ code: null, interrupted: true, message: '' }) }
  })
  const running = schedule.runDue()
  await until(() => started.length === 1)
  await schedule.stop()
  await running
  expect(started).toHaveLength(1)
  expect(readdirSync(tmpDir)).not.toContain('left-behind')
  // A refresh that was asked to end is not a failure of its source.
  expect(catalog.sources.failing()).toEqual([])
  expect((await catalog.sources.due(new Date('2025-02-02T00:00:00Z'))).toSorted()).toEqual(['a', 'b'])
})

test('one process at a time may refresh a folder', () => {
  const dataDir = tempDataDir()
  const lock = dataDir.lock('refresh')
  expect(lock).not.toBeNull()
  expect(dataDir.lock('refresh')).toBeNull()
  dataDir.sweep()
  lock?.release()
  const next = dataDir.lock('refresh')
  expect(next).not.toBeNull()
  next?.release()
})
