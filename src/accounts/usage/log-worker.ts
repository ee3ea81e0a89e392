/**
 * The thread that answers questions about the request log and the use of datasets, on a connection that only reads, and does the log's upkeep
 * on another, so that neither delays the thread that answers requests. `RequestLogs` is its only client.
 */

import { openUsageReading } from '../../db/usage.ts'
import { type FoundUse, readUse, type UseQuery } from './dataset-use.ts'
import { type LogPage, type LogQuery, readLogPage } from './log-record.ts'
import { type LogStatistics, readLogStatistics, type StatisticsQuery } from './log-statistics.ts'
import { LogUpkeep } from './log-upkeep.ts'

/** Kinds of work, each with what it takes and what it answers. */
export interface LogWork {
  open: { takes: string; gives: null }
  page: { takes: LogQuery; gives: LogPage }
  statistics: { takes: StatisticsQuery; gives: LogStatistics }
  use: { takes: UseQuery; gives: FoundUse }
  unpack: { takes: null; gives: null }
  /** Gives whether there is more. */
  unpackSome: { takes: null; gives: boolean }
  erase: { takes: number; gives: null }
  retain: { takes: { before: number; rows: number }; gives: null }
  close: { takes: null; gives: null }
}

export interface LogTask<K extends keyof LogWork = keyof LogWork> {
  readonly id: number
  readonly kind: K
  readonly input: LogWork[K]['takes']
}

export interface LogAnswer {
  readonly id: number
  readonly value?: unknown
  /** What went wrong, when something did. */
  readonly error?: string
}

/** Between two batches of upkeep, for other writers. */
const PAUSE_MS = 1

let reading: ReturnType<typeof openUsageReading>
let upkeep: LogUpkeep
/** Upkeep is done one task after the other. */
let lastTask: Promise<void> = Promise.resolve()

const work: { [K in keyof LogWork]: (input: LogWork[K]['takes']) => Promise<LogWork[K]['gives']> } = {
  async open(path) {
    reading = openUsageReading(path)
    upkeep = new LogUpkeep(path)
    return null
  },
  page: (query) => readLogPage(reading, query),
  statistics: (query) => readLogStatistics(reading, query),
  use: (query) => readUse(reading, query),
  unpack: () => inTurn(() => upkeep.unpack()),
  unpackSome: () => inTurn(() => upkeep.unpackSome()),
  erase: (now) => inTurn(() => upkeep.erase(now)),
  retain: ({ before, rows }) => inTurn(() => upkeep.retain(before, rows)),
  async close() {
    closing = true
    await lastTask
    reading.close()
    upkeep.close()
    return null
  },
}

let closing = false

/** Runs a task after those before it, with a pause after every step. Its result; null when it has none or is cut short. */
function inTurn<T>(begin: () => Generator<void, T>): Promise<T> {
  const done = lastTask.then(async () => {
    const steps = begin()
    let step = steps.next()
    while (!step.done && !closing) {
      await Bun.sleep(PAUSE_MS)
      step = steps.next()
    }
    return (step.value ?? null) as T
  })
  lastTask = done.then(
    () => {},
    () => {},
  )
  return done
}

declare const self: Worker

self.onmessage = async ({ data }: MessageEvent<LogTask>) => {
  const { id, kind, input } = data
  let answer: LogAnswer
  try {
    answer = { id, value: await work[kind](input as never) }
  } catch (error) {
    answer = { id, error: (error as Error).message }
  }
  self.postMessage(answer)
  if (kind === 'close') process.exit()
}
