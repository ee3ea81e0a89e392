/** izvor serve [--data DIR] [--host H] [--port N] [--reuse-port]: runs the service until it is asked to stop. */

import type { Command } from 'commander'
import { type App, openApp } from '../app.ts'
import type { Config } from '../base/config/config.ts'
import { CommandError } from '../base/errors.ts'
import { accessLog } from '../server/access-log.ts'
import { type AdminListening, listenForAdmin } from '../server/admin.ts'
import { type Listening, listen } from '../server/listen.ts'
import { openMetrics } from '../server/metrics.ts'
import { forgetService, noteService } from '../store/files/service-file.ts'
import { AlertSchedule } from '../upkeep/alerts/schedule.ts'
import { BackupSchedule, startScheduledBackup } from '../upkeep/backup/schedule.ts'
import { RefreshSchedule, startRefresh } from '../upkeep/refresh/schedule.ts'
import type { Cli } from './cli/cli.ts'
import { createFolder } from './cli/folder.ts'
import { serviceAddress } from './cli/service-address.ts'
import { openServiceLog } from './cli/service-log.ts'
import { addSettingOptions, readSettings } from './cli/settings.ts'

export function addServe(program: Command, cli: Cli): void {
  const command = program
    .command('serve')
    .description('Run the service until Ctrl-C or SIGTERM, which lets running requests and exports end.')
  const placeholders = { data: 'folder', host: 'address', port: 'number', reuse_port: '' }
  const more = { admin_port: 'number', tls_cert: 'file', tls_key: 'file' }
  addSettingOptions(command, { ...placeholders, ...more }).action((options) => {
    const read = () => readSettings(cli, options).values
    return serve(cli, read(), { readAgain: read })
  })
}

export interface ServeOptions {
  /** Called once requests are accepted. */
  readonly onReady?: (app: App, address: string) => void | Promise<void>
  /** The settings as they are now, for SIGHUP. */
  readonly readAgain?: () => Config
}

/**
 * Serves the data directory, made when it does not exist, until a signal. Then running requests get the time of the
 * grace settings to end.
 * @throws CommandError `failed` when the folder cannot be used or the port is taken
 */
export async function serve(
  cli: Cli,
  config: Config,
  { onReady, readAgain }: ServeOptions = {},
): Promise<void> {
  refuseScheduleWithoutFolder(config)
  const stopped = cli.untilStopped()
  createFolder(config)
  const { log, write } = openServiceLog(config.log_level, {
    pretty: cli.terminal.output,
    colored: cli.colored,
  })
  const app = await openApp(config, { now: cli.now, log })
  try {
    const listening = listen(app)
    if (config.access_log) listening.answers.listen(accessLog(log, listening.routes, write))
    const admin = startAdmin(app, listening)
    cli.onReload(() => reload(app, listening, readAgain))
    noteService(app.dataDir, ownAddress(config, listening))
    announce(cli, app, listening.url)
    await onReady?.(app, listening.url)
    const schedule = startSchedule(cli, app)
    const backups = startBackups(cli, app)
    const alerts = startAlerts(app, listening)
    await stopped
    if (cli.terminal.messages) cli.note('Stopping when running requests have ended; Ctrl-C again stops now.')
    const grace = {
      delay: drainDelay(config),
      requests: config.shutdown_grace,
      exports: config.export_grace ?? undefined,
    }
    await Promise.all([schedule?.stop(), backups?.stop(), alerts?.stop(), listening.stop(grace)])
    await admin?.stop()
  } finally {
    forgetService(app.dataDir)
    await app.close()
  }
}

/** Where commands on this machine reach the service: `0.0.0.0` and port 0 stand for others. */
function ownAddress(config: Config, { url }: Listening): string {
  return serviceAddress({ ...config, port: config.port === 0 ? Number(new URL(url).port) : config.port })
}

/** With a successor on the same port: time for clients to open new connections to it. In seconds. */
const HANDOVER_DELAY_S = 1

function drainDelay({ drain_delay, reuse_port }: Config): number {
  return drain_delay ?? (reuse_port ? HANDOVER_DELAY_S : 0)
}

/** Starts the metrics listener where a port is configured. Services that share a port share this one as well. */
function startAdmin(app: App, { routes, answers }: Listening): AdminListening | undefined {
  const { admin_port: port, reuse_port: reusePort } = app.config
  if (port === null) return undefined
  const admin = listenForAdmin({ port, reusePort }, openMetrics({ ...app, answers }, routes))
  app.log.info({ metrics: `${admin.url}/metrics` }, 'metrics')
  return admin
}

/** SIGHUP reads the log level and the certificate again. A mistake in the settings does not end a running service. */
function reload({ log }: App, listening: Listening, readAgain: (() => Config) | undefined): void {
  try {
    if (readAgain !== undefined) log.level = readAgain().log_level
    listening.reloadTls()
    log.info(
      { log_level: log.level },
      'settings were read again: log_level, and the files of tls_cert and tls_key',
    )
  } catch (error) {
    log.error(
      { reason: (error as Error).message },
      'settings could not be read again; the former ones stay in force',
    )
  }
}

/** Starts refreshes by schedule, where enabled and the data directory is writable. */
function startSchedule(cli: Cli, app: App): RefreshSchedule | undefined {
  const { catalog, dataDir, now, log, config } = app
  if (!config.refresh || !dataDir.isWritable()) return undefined
  const schedule = new RefreshSchedule({
    catalog,
    dataDir,
    now,
    log,
    startRefresh: (dataset) => startRefresh(cli.command, dataDir.root, dataset),
  })
  schedule.start()
  return schedule
}

/** @throws CommandError `usage` for a setting that has no effect alone */
function refuseScheduleWithoutFolder({ backup_schedule, backup_dir }: Config): void {
  if ((backup_schedule === null) === (backup_dir === null)) return
  const [given, other] = backup_dir === null ? ['schedule', 'dir'] : ['dir', 'schedule']
  throw new CommandError(
    'usage',
    `the setting backup_${given} needs backup_${other} beside it: set IZVOR_BACKUP_${other?.toUpperCase()}, or neither`,
  )
}

/** Starts backups by schedule, where configured and the data directory is writable. */
function startBackups(cli: Cli, app: App): BackupSchedule | undefined {
  const { dataDir, now, log, config } = app
  const { backup_schedule: schedule, backup_dir: folder, backup_keep: keep } = config
  if (schedule === null || folder === null || !dataDir.isWritable()) return undefined
  const startBackup = () => startScheduledBackup(cli.command, { data: dataDir.root, folder, keep })
  const backups = new BackupSchedule({ dataDir, schedule, now, log, startBackup })
  backups.start()
  return backups
}

/** Starts mails to the operator, where somebody is named and the data directory is writable. */
function startAlerts(app: App, { certificate }: Listening): AlertSchedule | undefined {
  const { dataDir, config, startedAt } = app
  const { alerts_to, alerts_language: language } = config
  if (alerts_to === null || !dataDir.isWritable()) return undefined
  const { disk_floor: diskFloor, backup_schedule: backupSchedule } = config
  const wake = () => app.accountService.mailer.wake()
  const watched = { ...app, diskFloor, backupSchedule, certificate, startedAt }
  const to = { emails: alerts_to.split(', '), language }
  const alerts = new AlertSchedule({ ...watched, to, wake })
  alerts.start()
  return alerts
}

/**
 * Prints a line on a terminal, else a log record with the address, or the line where the log level hides the record.
 * With the log in a file and messages on a terminal, the line is also a message.
 */
function announce(cli: Cli, app: App, address: string): void {
  const line = `Izvor serves ${app.dataDir.root} at ${address} (documentation: ${address}/docs)`
  if (!cli.terminal.output && app.log.isLevelEnabled('info')) {
    app.log.info({ address, data: app.dataDir.root }, 'listening')
    if (!cli.terminal.messages) return
    cli.note(line)
  } else cli.print(`${line}\n`)
  if (app.catalog.totals().datasets === 0) cli.note(`Nothing is published yet: ${cli.program} ingest FILE`)
}
