/** Looks for problems every few seconds and tells the operator by mail. A look reads a few rows and asks for free space. */

import { Schedule, type ScheduleOptions } from '../../base/process/schedule.ts'
import type { AccountsDb } from '../../db/accounts.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { type Recipients, settleAlerts } from './alerts.ts'
import { findProblems, type Watched } from './problems.ts'

export interface AlertScheduleOptions extends ScheduleOptions, Watched {
  readonly dataDir: DataDir
  readonly accounts: AccountsDb
  readonly to: Recipients
  /** Something was queued (`Mailer.wake`). */
  readonly wake: () => void
}

export class AlertSchedule extends Schedule<AlertScheduleOptions> {
  constructor(options: AlertScheduleOptions) {
    super('alerts', options)
  }

  protected override async look(): Promise<void> {
    const { accounts, to, now, wake } = this.options
    const changes = await settleAlerts(accounts, await findProblems(this.options, now()), to, now())
    if (changes > 0) wake()
  }
}
