/** What one process does for all on a data directory: schedules, mail that waits, the bounds of logs. */

import type { App } from '../../app.ts'
import { nodeVariables } from '../../base/config/config.ts'
import { RefreshSchedule, startRefresh } from '../../publish/refresh/refresh-schedule.ts'
import type { Listening } from '../../server/listening/listen.ts'
import { AlertSchedule } from '../../upkeep/alerts/schedule.ts'
import { BackupSchedule, startScheduledBackup } from '../../upkeep/backup/schedule.ts'
import type { EndWork } from '../../upkeep/lease.ts'
import { startObjectSweeps } from '../../upkeep/objects/sweeps.ts'
import type { Cli } from '../cli/cli.ts'

/** Begins all of it, where it is configured. */
export function beginUpkeep(cli: Cli, app: App, listening: Listening): EndWork {
  const schedules = [openRefreshes(cli, app), openBackups(cli, app), openAlerts(app, listening)]
  for (const schedule of schedules) schedule?.start()
  const endAccounts = app.accountService.startUpkeep()
  const endUsage = app.usage.startUpkeep(app.now)
  const endSweeps = app.objects === null ? () => {} : startObjectSweeps({ ...app, objects: app.objects })
  return async () => {
    endAccounts()
    endUsage()
    endSweeps()
    await Promise.all(schedules.map((schedule) => schedule?.stop()))
  }
}

/** Refreshes by schedule, where enabled. */
function openRefreshes(cli: Cli, { catalog, dataDir, now, log, config }: App): RefreshSchedule | undefined {
  if (!config.refresh) return undefined
  return new RefreshSchedule({
    catalog,
    dataDir,
    now,
    log,
    startRefresh: (dataset) => startRefresh(cli.command, dataDir.root, dataset, nodeVariables(config)),
  })
}

/** Backups by schedule, where configured. */
function openBackups(cli: Cli, { dataDir, now, log, config }: App): BackupSchedule | undefined {
  const { backup_schedule: schedule, backup_dir: folder, backup_keep: keep } = config
  if (schedule === null || folder === null) return undefined
  const startBackup = () => startScheduledBackup(cli.command, { data: dataDir.root, folder, keep })
  return new BackupSchedule({ dataDir, schedule, now, log, startBackup })
}

/** Mails to the operator, where somebody is named. */
function openAlerts(app: App, { certificate }: Listening): AlertSchedule | undefined {
  const { config, startedAt } = app
  const { alerts_to, alerts_language: language } = config
  if (alerts_to === null) return undefined
  const { disk_floor: diskFloor, backup_schedule: backupSchedule } = config
  const wake = () => app.accountService.mailer.wake()
  const watched = { ...app, diskFloor, backupSchedule, certificate, startedAt }
  return new AlertSchedule({ ...watched, to: { emails: alerts_to.split(', '), language }, wake })
}
