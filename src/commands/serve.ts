/** izvor serve [--data DIR] [--host H] [--port N] [--reuse-port]: runs the service until it is asked to stop. */

import type { Command } from 'commander'
import { type App, openApp } from '../app.ts'
import { BackupSchedule, startScheduledBackup } from '../backup/schedule.ts'
import type { Config } from '../config.ts'
import { CommandError } from '../errors.ts'
import { accessLog } from '../http/access-log.ts'
import { type AdminListening, listenForAdmin } from '../http/admin.ts'
import { type Listening, listen } from '../http/listen.ts'
import { openMetrics } from '../http/metrics.ts'
import { startRefresh } from '../refresh/child.ts'
import { RefreshSchedule } from '../refresh/schedule.ts'
import type { Cli } from './cli.ts'
import { createFolder } from './folder.ts'
import { openServiceLog } from './service-log.ts'
import { addSettingOptions, readSettings } from './settings.ts'

export function addServe(program: Command, cli: Cli): void {
  const command = program
    .command('serve')
    .description(
      'Run the service until Ctrl-C or SIGTERM; running requests and exports are then given time to end.',
    )
  const placeholders = { data: 'folder', host: 'address', port: 'number', reuse_port: '' }
  const more = { admin_port: 'number', tls_cert: 'file', tls_key: 'file' }
  addSettingOptions(command, { ...placeholders, ...more }).action((options) => {
    const read = () => readSettings(cli, options).values
    return serve(cli, read(), { readAgain: read })
  })
}

export interface ServeOptions {
  /** Called once requests are accepted. */
  readonly onReady?: (app: App, address: string) => void
  /** The settings as they are now, for SIGHUP. */
  readonly readAgain?: () => Config
}

/**
 * Serves the data folder, made when it is not there, until a signal; then lets running requests end, for as long as
 * the grace setting allows.
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
  const app = openApp(config, { now: cli.now, log })
  try {
    const listening = listen(app)
    if (config.access_log) app.answers.listen(accessLog(log, listening.routes, write))
    const admin = startAdmin(app, listening)
    cli.onReload(() => reload(app, listening, readAgain))
    announce(cli, app, listening.url)
    onReady?.(app, listening.url)
    const schedule = startSchedule(cli, app)
    const backups = startBackups(cli, app)
    await stopped
    if (cli.terminal.messages) cli.note('Stopping: running requests may end, Ctrl-C again ends them now.')
    const grace = {
      ...{ delay: drainDelay(config), requests: config.shutdown_grace },
      exports: config.export_grace ?? undefined,
    }
    await Promise.all([schedule?.stop(), backups?.stop(), listening.stop(grace)])
    await admin?.stop()
  } finally {
    app.close()
  }
}

/** For a successor that shares the port already: time for clients to come back over new connections. In seconds. */
const HANDOVER_DELAY_S = 1

function drainDelay({ drain_delay, reuse_port }: Config): number {
  return drain_delay ?? (reuse_port ? HANDOVER_DELAY_S : 0)
}

/** Metrics, where a port for them is given. Two services that share a port share this one as well. */
function startAdmin(app: App, { routes }: Listening): AdminListening | undefined {
  const { admin_port: port, reuse_port: reusePort } = app.config
  if (port === null) return undefined
  const admin = listenForAdmin({ port, reusePort }, openMetrics(app, routes))
  app.log.info({ metrics: `${admin.url}/metrics` }, 'metrics')
  return admin
}

/** What SIGHUP does: the level of the log, and the certificate. A service that runs is not ended by a typing mistake. */
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
      'settings could not be read again; what was in force still is',
    )
  }
}

/** Datasets with a schedule are fetched again, where that is wanted and the folder can be written. */
function startSchedule(cli: Cli, app: App): RefreshSchedule | undefined {
  const { catalog, dataDir, now, log, config } = app
  if (!config.refresh || !dataDir.isWritable()) return undefined
  const schedule = new RefreshSchedule({
    ...{ catalog, dataDir, now, log },
    startRefresh: (dataset) => startRefresh(cli.command, dataDir.root, dataset),
  })
  schedule.start()
  return schedule
}

/** @throws CommandError `usage` for a setting that does nothing alone */
function refuseScheduleWithoutFolder({ backup_schedule, backup_dir }: Config): void {
  if ((backup_schedule === null) === (backup_dir === null)) return
  const [given, other] = backup_dir === null ? ['schedule', 'dir'] : ['dir', 'schedule']
  throw new CommandError(
    'usage',
    `the setting backup_${given} needs backup_${other} beside it: set IZVOR_BACKUP_${other?.toUpperCase()}, or neither`,
  )
}

/** Backups by schedule, where they are wanted and the folder can be written. */
function startBackups(cli: Cli, app: App): BackupSchedule | undefined {
  const { dataDir, now, log, config } = app
  const { backup_schedule: schedule, backup_dir: folder, backup_keep: keep } = config
  if (schedule === null || folder === null || !dataDir.isWritable()) return undefined
  const startBackup = () => startScheduledBackup(cli.command, { data: dataDir.root, folder, keep })
  const backups = new BackupSchedule({ dataDir, schedule, now, log, startBackup })
  backups.start()
  return backups
}

/**
 * A line for a person; for whatever else reads the output a log record with the address, or again the line where
 * the log level would swallow the record. Who keeps the log in a file still sees the line, as a message.
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
