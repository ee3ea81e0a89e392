/**
 * Fetches datasets again when their schedules say so: one at a time, each in a process of its own, so that neither
 * work nor crash of an ingest reaches those who are being served. What is due stands in the catalog, so datasets that
 * come or go while the service runs are followed, runs missed while it was down are made up for, and several services
 * on one folder do not repeat each other's work.
 */

import type { Logger } from 'pino'
import type { Catalog } from '../catalog/catalog.ts'
import { ScheduleRunner } from '../process/schedule-runner.ts'
import type { DataDir } from '../storage/data-dir.ts'
import type { RunningRefresh } from './child.ts'

export interface ScheduleOptions {
  readonly catalog: Catalog
  readonly dataDir: DataDir
  readonly now: () => Date
  readonly log: Logger
  /** Starts the refresh of one dataset, if it is still due. */
  readonly startRefresh: (dataset: string) => RunningRefresh
}

export class RefreshSchedule {
  readonly #options: ScheduleOptions
  readonly #runner: ScheduleRunner

  constructor(options: ScheduleOptions) {
    this.#options = options
    this.#runner = new ScheduleRunner(
      () => options.dataDir.sweep(),
      () => this.#runAll(),
    )
  }

  /** Looks now and every few seconds from now on. */
  start(): void {
    this.#runner.start()
  }

  /** Refreshes all that is due, one after the other. Returns when that is done; joins a look that is under way. */
  async runDue(): Promise<void> {
    await this.#runner.look()
  }

  /** Ends a refresh that runs; its dataset stays due. */
  async stop(): Promise<void> {
    await this.#runner.stop()
  }

  async #runAll(): Promise<void> {
    const { catalog, now, log } = this.#options
    const tried = new Set<string>()
    try {
      for (;;) {
        // Asked anew each time: a run takes long, and meanwhile others may have done the next one.
        const next = catalog.sources.due(now()).find((dataset) => !tried.has(dataset))
        if (next === undefined || this.#runner.isClosed) return
        tried.add(next)
        await this.#run(next)
      }
    } catch (error) {
      log.error({ err: error }, 'the schedule of refreshes could not be followed; it will be tried again')
    }
  }

  async #run(dataset: string): Promise<void> {
    const { catalog, log, now, startRefresh } = this.#options
    const before = catalog.sources.find(dataset)
    const end = await this.#runner.run(startRefresh(dataset))
    if (end === undefined) return
    const { code, message } = end
    const after = catalog.sources.find(dataset)
    if (code === 0) {
      // Another service's refresh was faster, or is still running.
      if (after?.checked_at === before?.checked_at) return
      const changed = after !== undefined && after.changed_at !== before?.changed_at
      return log.info({ dataset, changed }, 'refreshed by schedule')
    }
    // A process that was killed, or died, could not leave a note.
    if (after !== undefined && after.failures === before?.failures) {
      catalog.sources.recordFailure(dataset, `the refresh broke off: ${message}`, true, now())
    }
    log.warn({ dataset, code, reason: message }, 'a refresh by schedule failed; what was served stays served')
  }
}
