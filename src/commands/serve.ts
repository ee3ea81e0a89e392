/** izvor serve [--data DIR] [--host H] [--port N] [--workers N]: runs the service until it is asked to stop. */

import type { App, Desktop } from '../app.ts'
import type { Config } from '../base/config/config.ts'
import type { LoadedConfig } from '../base/config/load.ts'
import { CommandError } from '../base/errors.ts'
import { metricsOfOne } from '../server/metrics/metrics.ts'
import type { Cli } from './cli/cli.ts'
import { settingsCommand } from './cli/command-row.ts'
import { createFolder } from './cli/folder.ts'
import { openServiceLog } from './cli/service-log.ts'
import { readSettings } from './cli/settings.ts'
import { openService, serveUntil } from './serve/service.ts'
import { superviseWorkers } from './serve/supervise.ts'

export const serve = settingsCommand({
  name: 'serve',
  description: 'Run the service until Ctrl-C or SIGTERM, which lets running requests and exports end.',
  settings: {
    data: 'folder',
    host: 'address',
    port: 'number',
    reuse_port: '',
    workers: 'number',
    admin_port: 'number',
    tls_cert: 'file',
    tls_key: 'file',
    acme_host: 'name',
  },
  json: null,
  async does({ cli, config, loaded }, options: object) {
    const { backup_schedule, backup_dir } = config
    if ((backup_schedule === null) !== (backup_dir === null)) {
      const [given, other] = backup_dir === null ? ['schedule', 'dir'] : ['dir', 'schedule']
      throw new CommandError(
        'usage',
        `the setting backup_${given} needs backup_${other} beside it: set IZVOR_BACKUP_${other?.toUpperCase()}, or neither`,
      )
    }
    const readAgain = () => readSettings(cli, options).values
    if (config.workers > 1) await superviseWorkers(cli, loaded, readAgain)
    else await serveAlone(cli, config, { readAgain, given: loaded })
  },
})

/**
 * Serves the data directory, made when it does not exist, with this process until a signal. Then running requests get
 * the time of the grace settings to end.
 * @param options `onReady` is called once requests are accepted; `readAgain` returns the current settings, for SIGHUP;
 *   `given` has the settings with their origins
 * @throws CommandError `failed` when the folder cannot be used or the port is taken
 */
export async function serveAlone(
  cli: Cli,
  config: Config,
  {
    onReady,
    readAgain,
    ends,
    desktop,
    given,
  }: {
    readonly onReady?: (app: App, address: string) => void | Promise<void>
    readonly readAgain?: () => Config
    /** Stops the service when it resolves. */
    readonly ends?: Promise<void>
    readonly desktop?: Desktop
    readonly given?: LoadedConfig
  },
): Promise<void> {
  const signalled = cli.untilStopped()
  const stopped = ends === undefined ? signalled : Promise.race([signalled, ends])
  createFolder(config)
  const log = openServiceLog(config.log_level, cli)
  const service = await openService(cli, config, log, { stopped, desktop, given })
  const { app, listening, metrics } = service
  await serveUntil(stopped, cli, config, {
    ...service,
    log: app.log,
    dataDir: app.dataDir,
    url: listening.url,
    // A desktop's first page says what to do.
    isEmpty: desktop === undefined && app.catalog.totals().datasets === 0,
    metrics: metrics && metricsOfOne(metrics),
    reload: () => service.reload(() => readAgain?.().log_level ?? app.log.level),
    async onReady() {
      await onReady?.(app, listening.url)
      service.startUpkeep()
    },
  })
}
