/** izvor serve [--data DIR] [--host H] [--port N] [--reuse-port]: runs the service until it is asked to stop. */

import type { Command } from 'commander'
import { pino } from 'pino'
import { type App, openApp } from '../app.ts'
import type { Config } from '../config.ts'
import { listen } from '../http/listen.ts'
import { startRefresh } from '../refresh/child.ts'
import { RefreshSchedule } from '../refresh/schedule.ts'
import type { Cli } from './cli.ts'
import { createFolder } from './folder.ts'
import { addSettingOptions, readSettings } from './settings.ts'

/** A service's log is its output; what collects it reads standard output. */
const STANDARD_OUTPUT = 1

export function addServe(program: Command, cli: Cli): void {
  const command = program
    .command('serve')
    .description(
      'Run the service until Ctrl-C or SIGTERM; running requests and exports are then given time to end.',
    )
  addSettingOptions(command, { data: 'folder', host: 'address', port: 'number', reuse_port: '' }).action(
    (options) => serve(cli, readSettings(cli, options).values),
  )
}

/**
 * Serves the data folder, made when it is not there, until a signal; then lets running requests end, for as long as
 * the grace setting allows.
 * @param onReady called once requests are accepted
 * @throws CommandError `failed` when the folder cannot be used or the port is taken
 */
export async function serve(
  cli: Cli,
  config: Config,
  onReady?: (app: App, address: string) => void,
): Promise<void> {
  const stopped = cli.untilStopped()
  createFolder(config)
  const log = pino({ level: config.log_level }, pino.destination(STANDARD_OUTPUT))
  const app = openApp(config, { now: cli.now, log })
  try {
    const listening = listen(app)
    announce(cli, app, listening.url)
    onReady?.(app, listening.url)
    const schedule = startSchedule(cli, app)
    await stopped
    if (cli.terminal.messages) cli.note('Stopping: running requests may end, Ctrl-C again ends them now.')
    await Promise.all([schedule?.stop(), listening.stop(config.shutdown_grace)])
  } finally {
    app.close()
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
