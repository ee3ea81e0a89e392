import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { SortField } from '../../src/engine/row-query.ts'
import { listPage } from '../../src/engine/run.ts'
import {
  BusyError,
  DeadlineError,
  RequestTurns,
  TurnKeeper,
  type TurnLimits,
  type Work,
} from '../../src/engine/turns.ts'
import { indexedSource, slowSource } from '../support/memory-source.ts'

/** Sorting this many takes more than two turns. */
const ROWS = 3_000_000
const VALUES = Array.from({ length: 200_000 }, (_, i) => String(i))

let source: ReturnType<typeof indexedSource>

beforeAll(() => {
  source = indexedSource(
    ROWS,
    [1, 7, 13].map((step) => ({
      name: `n${step}`,
      type: 'integer' as const,
      texts: VALUES,
      indexOf: (row: number) => (Math.imul(row * step, 0x9e3779b1) >>> 0) % VALUES.length,
    })),
  )
})

function openWith(limits: Partial<TurnLimits>) {
  const unlimited = { most: Number.POSITIVE_INFINITY, deadline: Number.POSITIVE_INFINITY }
  const turns = new TurnKeeper({ ...unlimited, ...limits })
  return { turns, dataset: new OpenDataset(source, { turns }) }
}

function sorted(dataset: OpenDataset, ...columns: number[]) {
  const sort: SortField[] = columns.map((column) => ({ column, descending: false }))
  return listPage(dataset, { filters: [], sort, fields: [0], limit: 1, offset: 0, count: true })
}

async function failureOf(work: unknown): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  return 'none'
}

describe('long queries', () => {
  test('a query that exceeds its time is ended, gives its memory back, and the next one is served', async () => {
    const { dataset, turns } = openWith({ deadline: 0 })
    const freeWithNothingKept = () => {
      while (dataset.masks.giveUpOldest() || dataset.orders.giveUpOldest());
      return dataset.regions.bytesFree - dataset.bytes
    }
    expect(await failureOf(sorted(dataset, 0, 1, 2))).toBeInstanceOf(DeadlineError)
    const before = freeWithNothingKept()
    for (let i = 0; i < 5; i++)
      expect(await failureOf(sorted(dataset, 2, 1, 0))).toBeInstanceOf(DeadlineError)
    expect(freeWithNothingKept()).toBe(before)
    expect([turns.running, dataset.building]).toEqual([0, null])
    expect(await failureOf(sorted(dataset))).toBe('none')
  })

  test('queries that wait for the result of an ended one compute it themselves', async () => {
    const { dataset } = openWith({ deadline: 10_000 })
    const { dataset: hurried } = openWith({ deadline: 0 })
    const all = [sorted(dataset, 0, 1), sorted(dataset, 0, 1), sorted(hurried, 0, 1), sorted(hurried, 0, 1)]
    const failures = await Promise.all(all.map(failureOf))
    expect(failures.map((failure) => failure instanceof DeadlineError)).toEqual([false, false, true, true])
  })

  test('waiting for columns does not make a query long', async () => {
    const turns = new TurnKeeper({ most: 0, deadline: 0 })
    const dataset = new OpenDataset(slowSource(source), { turns })
    const lists = Array.from({ length: 20 }, () => sorted(dataset))
    expect([lists[19] instanceof Promise, turns.running]).toEqual([true, 0])
    expect((await Promise.all(lists)).map(({ total }) => total)).toEqual(lists.map(() => ROWS))
  })

  test('above the limit are refused at once, and short ones are not', async () => {
    const { dataset, turns } = openWith({ most: 2 })
    await dataset.load([
      [[0, 1, 2], 'ordered'],
      [[0], 'json'],
    ])
    const running = [sorted(dataset, 0, 1), sorted(dataset, 1, 2)]
    expect(turns.running).toBe(2)
    expect(await failureOf(sorted(dataset, 2, 0))).toBeInstanceOf(BusyError)
    expect(sorted(dataset)).not.toBeInstanceOf(Promise)
    await Promise.all(running)
    expect([turns.running, await failureOf(sorted(dataset, 2, 0))]).toEqual([0, 'none'])
  })
})

describe('turns', () => {
  let now = 0
  let waited = 0
  let tick = 0
  const clock = spyOn(performance, 'now')
  const processor = spyOn(process, 'threadCpuUsage')
  beforeAll(() => {
    clock.mockImplementation(() => now)
    processor.mockImplementation(() => {
      const used = now - waited
      return { user: (used - (tick && used % tick)) * 1000, system: 0 }
    })
  })
  afterAll(() => {
    clock.mockRestore()
    processor.mockRestore()
  })

  function* taking(ms: number) {
    for (let done = 0; done < ms; done += 0.25) {
      now += 0.25
      yield
    }
    return ms
  }

  test('work requested in one round of the event loop shares a turn; short work still finishes at once', async () => {
    const turns = new TurnKeeper({ most: 10, deadline: 1e9, leastAtOnce: 1 })
    expect(turns.run(taking(4))).toBe(4)
    const late = turns.run(taking(4))
    expect(late).toBeInstanceOf(Promise)
    expect(turns.run(taking(1))).toBe(1)
    expect(await late).toBe(4)
    await new Promise((resolve) => setImmediate(resolve))
    expect(turns.run(taking(4))).toBe(4)
  })

  test('work that waited for a processor has not used up its turn', () => {
    const turns = new TurnKeeper({ most: 1, deadline: 1e9 })
    function* interrupted(): Work<string> {
      for (let step = 0; step < 16; step++) {
        now += 10.25
        waited += 10
        yield
      }
      return 'done'
    }
    expect(turns.run(interrupted())).toBe('done')
  })

  test('a turn ends on time where the system counts only at its ticks', async () => {
    const turns = new TurnKeeper({ most: 1, deadline: 1e9 })
    const from = now
    tick = 4
    const running = turns.run(taking(20))
    const firstTurn = now - from
    expect(await running).toBe(20)
    tick = 0
    expect(firstTurn).toBeLessThan(6)
  })

  test('however much long work is running, others wait for one turn of it, and each piece gets its turns', async () => {
    const turns = new TurnKeeper({ most: 100, deadline: 1e9, leastAtOnce: 1 })
    let isOver = false
    let longest = 0
    const ended: number[] = []
    const all = [40, 30, 20, ...Array<number>(50).fill(40)].map(async (ms) =>
      ended.push(await turns.run(taking(ms))),
    )
    const others = (async () => {
      while (!isOver) {
        const from = now
        await new Promise((resolve) => setImmediate(resolve))
        longest = Math.max(longest, now - from)
      }
    })()
    await Promise.all(all)
    isOver = true
    await others
    expect(longest).toBeLessThan(6)
    expect(ended.slice(0, 2)).toEqual([20, 30])
  })

  test('what work waits for at first may fail before its next turn, or when the work is refused', async () => {
    function* failing(): Work<string> {
      yield Promise.reject(new Error('damaged'))
      return 'done'
    }
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const failures = []
    for (const most of [1, 0])
      failures.push(await failureOf(new TurnKeeper({ most, deadline: 1e9 }).run(failing())))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(failures).toEqual([new Error('damaged'), expect.any(BusyError)])
    expect(unhandled).toEqual([])
  })

  /** Calls `work` while a socket is being read. What it sends is there to be read from another one at once. */
  async function onRead(events: string[], work: (send: () => void) => Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const open = (data: () => void) => Bun.udpSocket({ hostname: '127.0.0.1', socket: { data } })
    const other = await open(() => events.push('read'))
    const first = await open(() => resolve(work(() => other.send('1', other.port, '127.0.0.1'))))
    first.send('1', first.port, '127.0.0.1')
    await promise
    first.close()
    other.close()
  }

  test('sockets are read after each turn of long work, the first one as well', async () => {
    const events: string[] = []
    const turns = new TurnKeeper({ most: 1, deadline: 1e9 })
    await onRead(events, async (send) => {
      await turns.run(
        (function* () {
          for (let turn = 0; turn < 4; turn++) {
            events.push('turn')
            now += 6
            send()
            yield
          }
        })(),
      )
    })
    expect(events.slice(0, 6)).toEqual(['turn', 'read', 'turn', 'read', 'turn', 'read'])
  })

  test('sockets are read before requests beyond a turn are answered', async () => {
    const events: string[] = []
    const turns = new RequestTurns()
    await onRead(events, async (send) => {
      const answer = () => {
        events.push('answer')
        now += 6
        send()
      }
      await Promise.all([turns.run(answer), turns.run(answer), turns.run(answer)])
    })
    expect(events.slice(0, 5)).toEqual(['answer', 'read', 'answer', 'read', 'answer'])
  })
})
