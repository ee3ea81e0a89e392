/**
 * Fetches datasets again by their schedules: one at a time, each in a separate process, so neither the load nor a crash of
 * an ingest affects requests. The catalog holds what is due, so added and removed datasets take effect while the service
 * runs, runs missed while it was down are made up later, and several services on one data directory do not repeat each
 * other's work.
 */

import { type RunningProgram, startProgram } from '../../base/process/child.ts'
import { Schedule, type ScheduleOptions } from '../../base/process/schedule.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { DataDir } from '../../store/files/data-dir.ts'

export interface RefreshScheduleOptions extends ScheduleOptions {
  readonly catalog: Catalog
  readonly dataDir: DataDir
  /** Starts the refresh of a dataset, if it is still due. */
  readonly startRefresh: (dataset: string) => RunningProgram
}

/** A fetch gives up after an hour; an ingest that takes another hour hangs. */
const LONGEST_RUN_MS = 7_200_000

/**
 * Starts one refresh in a separate process.
 * @param program the command line of this program @param data the data directory
 * @param dataset refreshed if it is still due @param variables added to the process's environment
 */
export function startRefresh(
  program: readonly string[],
  data: string,
  dataset: string,
  variables: Readonly<Record<string, string>> = {},
): RunningProgram {
  const command = [...program, 'datasets', 'refresh', dataset, '--if-due', '--data', data]
  return startProgram(command, LONGEST_RUN_MS, false, variables)
}

export class RefreshSchedule extends Schedule<RefreshScheduleOptions> {
  constructor(options: RefreshScheduleOptions) {
    super('refreshes', options)
  }

  protected override async look(): Promise<void> {
    const { catalog, now } = this.options
    const tried = new Set<string>()
    for (;;) {
      // Read again each time: during a long run another process may have refreshed the next dataset.
      const due = await catalog.sources.due(now())
      const next = due.find((dataset) => !tried.has(dataset))
      if (next === undefined || this.isClosed) return
      tried.add(next)
      await this.#refresh(next)
    }
  }

  async #refresh(dataset: string): Promise<void> {
    const { catalog, log, now, startRefresh } = this.options
    const before = catalog.sources.find(dataset)
    const end = await this.run(startRefresh(dataset))
    if (end === undefined) return
    const { code, message } = end
    const after = catalog.sources.find(dataset)
    if (code === 0) {
      // Another service has refreshed it, or is doing so.
      if (after?.checked_at === before?.checked_at) return
      const changed = after !== undefined && after.changed_at !== before?.changed_at
      return log.info({ dataset, changed }, 'refreshed by schedule')
    }
    // A killed process could not record its failure.
    if (after !== undefined && after.failures === before?.failures) {
      await catalog.sources.recordFailure(dataset, `the refresh broke off: ${message}`, true, now())
    }
    log.warn({ dataset, code, reason: message }, 'a scheduled refresh failed; the served version stays')
  }
}
