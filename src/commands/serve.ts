/** izvor serve [--data DIR] [--host H] [--port N] [--workers N]: runs the service until it is asked to stop. */

import type { Command } from 'commander'
import type { App } from '../app.ts'
import type { Config } from '../base/config/config.ts'
import { CommandError } from '../base/errors.ts'
import { type AdminListening, listenForAdmin } from '../server/listening/admin.ts'
import { metricsOfOne } from '../server/metrics/metrics.ts'
import { forgetService, noteService } from '../store/files/service-file.ts'
import type { Cli } from './cli/cli.ts'
import { createFolder } from './cli/folder.ts'
import { openServiceLog } from './cli/service-log.ts'
import { addSettingOptions, readSettings } from './cli/settings.ts'
import { announce, ownAddress, STOPPING } from './serve/announce.ts'
import { openService, type Service } from './serve/service.ts'
import { superviseWorkers } from './serve/supervise.ts'
import { addWorker } from './serve/worker.ts'

export function addServe(program: Command, cli: Cli): void {
  const command = program
    .command('serve')
    .description('Run the service until Ctrl-C or SIGTERM, which lets running requests and exports end.')
  const placeholders = { data: 'folder', host: 'address', port: 'number', reuse_port: '', workers: 'number' }
  const more = { admin_port: 'number', tls_cert: 'file', tls_key: 'file' }
  addSettingOptions(command, { ...placeholders, ...more }).action(async (options) => {
    const read = () => readSettings(cli, options).values
    const config = read()
    refuseScheduleWithoutFolder(config)
    if (config.workers > 1) await superviseWorkers(cli, config, read)
    else await serve(cli, config, { readAgain: read })
  })
  addWorker(program, cli)
}

interface ServeOptions {
  /** Called once requests are accepted. */
  readonly onReady?: (app: App, address: string) => void | Promise<void>
  /** The settings as they are now, for SIGHUP. */
  readonly readAgain?: () => Config
}

/**
 * Serves the data directory with this process, made when it does not exist, until a signal. Then running requests get the
 * time of the grace settings to end.
 * @throws CommandError `failed` when the folder cannot be used or the port is taken
 */
export async function serve(
  cli: Cli,
  config: Config,
  { onReady, readAgain }: ServeOptions = {},
): Promise<void> {
  const stopped = cli.untilStopped()
  createFolder(config)
  const log = openServiceLog(config.log_level, { pretty: cli.terminal.output, colored: cli.colored })
  const service = await openService(cli, config, log, { stopped })
  const { app, listening } = service
  try {
    const admin = startAdmin(service)
    cli.onReload(() => service.reload(() => readAgain?.().log_level ?? app.log.level))
    noteService(app.dataDir, ownAddress(config, listening.url))
    const isEmpty = app.catalog.totals().datasets === 0
    announce(cli, app.log, { address: listening.url, data: app.dataDir.root, isEmpty })
    await onReady?.(app, listening.url)
    service.startUpkeep()
    await stopped
    if (cli.terminal.messages) cli.note(STOPPING)
    await service.stop()
    await admin?.stop()
  } finally {
    forgetService(app.dataDir)
    await service.close()
  }
}

/** Starts the metrics listener where a port is configured. Services that share a port share this one as well. */
function startAdmin({ app, metrics }: Service): AdminListening | undefined {
  const { admin_port: port, reuse_port: reusePort } = app.config
  if (port === null || metrics === null) return undefined
  const admin = listenForAdmin({ port, reusePort }, metricsOfOne(metrics))
  app.log.info({ metrics: `${admin.url}/metrics` }, 'metrics')
  return admin
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
