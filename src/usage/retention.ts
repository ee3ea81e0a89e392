/** The nightly job that keeps the request log within its bounds. */

import { Cron } from 'croner'
import type { RequestLogs } from './request-logs.ts'
import type { LogRetention } from './usage.ts'

/** 03:17 UTC, when few ask; not on the hour, when everybody's jobs run. */
const NIGHTLY = '17 3 * * *'

export class Retention {
  readonly #logs: RequestLogs
  readonly #bounds: LogRetention
  #job: Cron | undefined

  constructor(logs: RequestLogs, bounds: LogRetention) {
    this.#logs = logs
    this.#bounds = bounds
  }

  /** @param failed told when a night's work failed; the next night does it */
  start(now: () => Date, failed: (error: unknown) => void): void {
    this.#job = new Cron(NIGHTLY, { timezone: 'UTC', unref: true, protect: true, catch: failed }, () =>
      this.run(now()),
    )
  }

  /** Removes what is too old or too much. */
  async run(now: Date): Promise<void> {
    const { seconds, rows } = this.#bounds
    await this.#logs.retain(new Date(now.getTime() - seconds * 1000), rows)
  }

  stop(): void {
    this.#job?.stop()
  }
}
