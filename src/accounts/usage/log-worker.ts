/**
 * The thread that queries the request log and the use of datasets in `usage.db` on a read-only connection, and does the
 * log's upkeep on another one. `fileLog` is its only client.
 */

import { doTasks } from '../../base/process/task-thread.ts'
import { openUsageReading } from '../../db/usage.ts'
import { readUse, type UseQuery } from './dataset-use.ts'
import { type LogQuery, readLogPage } from './log-record.ts'
import { readLogStatistics, type StatisticsQuery } from './log-statistics.ts'
import { LogUpkeep } from './log-upkeep.ts'

/** A pause between two batches of upkeep, for other writers. */
const PAUSE_MS = 1

let opened: { reading: ReturnType<typeof openUsageReading>; upkeep: LogUpkeep } | undefined
/** Upkeep tasks run one after the other. */
let lastTask: Promise<unknown> = Promise.resolve()
let closing = false

function open(path: string) {
  opened ??= { reading: openUsageReading(path), upkeep: new LogUpkeep(path) }
  return opened
}

/** Each takes the path of `usage.db` first. */
const work = {
  page: (path: string, query: LogQuery) => readLogPage(open(path).reading, query),
  statistics: (path: string, query: StatisticsQuery) => readLogStatistics(open(path).reading, query),
  use: (path: string, query: UseQuery) => readUse(open(path).reading, query),
  unpack: (path: string) => inTurn(() => open(path).upkeep.unpack()),
  /** Resolves to whether there is more. */
  unpackSome: (path: string) => inTurn(() => open(path).upkeep.unpackSome()),
  /** @param now seconds since 1970, as is `before` */
  erase: (path: string, now: number) => inTurn(() => open(path).upkeep.erase(now)),
  retain: (path: string, before: number, rows: number) =>
    inTurn(() => open(path).upkeep.retain(before, rows)),
  async close() {
    closing = true
    await lastTask
    opened?.reading.close()
    opened?.upkeep.close()
    process.exit()
  },
}
export type FileLogWork = typeof work

/** Runs a task after those before it, with a pause after every step. @returns its result; undefined when cut short */
function inTurn<T>(begin: () => Generator<void, T>): Promise<T> {
  const done = lastTask.then(async () => {
    const steps = begin()
    let step = steps.next()
    while (!step.done && !closing) {
      await Bun.sleep(PAUSE_MS)
      step = steps.next()
    }
    return step.value as T
  })
  lastTask = done.catch(() => {})
  return done
}

doTasks(work)
