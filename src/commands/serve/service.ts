/** One process that serves: everything open, listening, and the upkeep that it may do for all on the folder. */

import type { Logger } from 'pino'
import { type App, type AppOptions, openApp } from '../../app.ts'
import { type Config, nodeVariables } from '../../base/config/config.ts'
import { type ApiError, EndedError } from '../../base/errors.ts'
import { leaseTable } from '../../db/postgres/shared-catalog.ts'
import { RefreshSchedule, startRefresh } from '../../publish/refresh/refresh-schedule.ts'
import { listenForAdmin, type Metrics } from '../../server/listening/admin.ts'
import { answerWaiting, type Listening } from '../../server/listening/listen.ts'
import { accessLog } from '../../server/metrics/access-log.ts'
import { openMetrics } from '../../server/metrics/metrics.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { forgetService, noteService } from '../../store/files/service-file.ts'
import { AlertSchedule } from '../../upkeep/alerts.ts'
import { BackupSchedule, startScheduledBackup } from '../../upkeep/backup/record.ts'
import { databaseLease, type EndWork, folderLease, Lease } from '../../upkeep/lease.ts'
import { startObjectSweeps } from '../../upkeep/object-sweeps.ts'
import type { Cli } from '../cli/cli.ts'
import { serviceAddress } from '../cli/running-service.ts'
import type { ServiceLog } from '../cli/service-log.ts'
import { type AcmeService, beginListening, provideCertificate } from './acme.ts'
import { startWarmUp } from './warm-up.ts'

export type Service = Awaited<ReturnType<typeof openService>>

/**
 * Opens the data directory and accepts requests.
 * @param options `startedAt` and `given` as for `openApp`; `stopped` ends the wait for a database that is away
 * @throws CommandError `failed` when the folder cannot be used or the port is taken; nothing stays open then
 */
export async function openService(
  cli: Cli,
  config: Config,
  { log, write }: ServiceLog,
  {
    startedAt = cli.now(),
    stopped,
    desktop,
    given,
  }: Pick<AppOptions, 'startedAt' | 'desktop' | 'given'> & { stopped: Promise<unknown> },
) {
  // An uncaught failure, such as of work that a timer began, is logged and does not end the service.
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(kind, (error: unknown) => log.error({ err: error }, 'work in the background failed'))
  }
  await provideCertificate(config, cli.now())
  const app = await openWhenThere(config, { now: cli.now, log, startedAt, desktop, given }, stopped)
  try {
    const { listening, acme } = await beginListening(app)
    if (config.access_log) listening.answers.listen(accessLog(log, listening.routes, write))
    const lease = new Lease({
      // One process of all on the folder, or on the database.
      claim: app.database === null ? folderLease(app.dataDir) : databaseLease(leaseTable(app.database)),
      begin: () => beginUpkeep(cli, app, listening, acme),
      log,
    })
    app.settings.onChange = () => void lease.again()
    const ended = new AbortController()
    void startWarmUp(app, ended.signal)
    const watched = { ...app, answers: listening.answers, doesUpkeep: () => lease.isHeld }
    return {
      app,
      listening,
      /** null when no port is configured for them. */
      metrics: config.admin_port === null ? null : openMetrics(watched, listening.routes),
      /** Starts the upkeep that one process on the folder does: this one, as soon as no other does it. */
      startUpkeep: () => {
        if (app.dataDir.isWritable()) lease.start()
      },
      /** Applies changed settings as far as possible, and reads the certificate again. */
      reload: (readLevel: () => string) =>
        reload(log, readLevel, () => {
          listening.reloadTls()
          void acme?.retry()
          log.info({ log_level: log.level, taken: app.settings.takeUp() }, READ_AGAIN)
        }),
      /** Lets running requests and exports end, for as long as the grace settings say. */
      async stop() {
        ended.abort()
        await Promise.all([acme?.stop(), lease.stop(), listening.stop(graceOf(config))])
      },
      close: () => app.close(),
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

const READ_AGAIN = 'settings were read again, and the files of tls_cert and tls_key'

/**
 * While the database is away, answers on the configured address that it waits.
 * @throws EndedError when stopped before
 */
async function openWhenThere(config: Config, options: AppOptions, stopped: Promise<unknown>): Promise<App> {
  const end = new AbortController()
  void stopped.then(() => end.abort(new EndedError(0)))
  let endAnswers: (() => Promise<void>) | undefined
  const onWaiting = (away: ApiError) => {
    endAnswers = answerWaiting(config, away)
  }
  try {
    return await openApp(config, { ...options, onWaiting, signal: end.signal })
  } finally {
    await endAnswers?.()
  }
}

/** With a successor on the same port: seconds for clients to open new connections to it. */
const HANDOVER_DELAY_S = 1

/** How long a stopping service still accepts requests, in seconds. */
export function drainDelay({ drain_delay, reuse_port }: Config): number {
  return drain_delay ?? (reuse_port ? HANDOVER_DELAY_S : 0)
}

/** The time that a stopping service gives running requests. */
function graceOf(config: Config) {
  const { shutdown_grace: requests, export_grace } = config
  return { delay: drainDelay(config), requests, exports: export_grace ?? undefined }
}

/**
 * For SIGHUP. Never throws: a mistake in the settings does not end a running service.
 * @param follow reads the rest again
 */
export function reload(log: Logger, readLevel: () => string, follow: () => void): void {
  try {
    log.level = readLevel()
    follow()
  } catch (error) {
    const { message: reason } = error as Error
    log.error({ reason }, 'settings could not be read again; the former ones stay in force')
  }
}

/** Begins the work that one process does for all on a data directory: schedules, waiting mail, old log records. */
function beginUpkeep(cli: Cli, app: App, listening: Listening, acme: AcmeService | null): EndWork {
  const { catalog, dataDir, now, log, config } = app
  const { backup_schedule: schedule, backup_dir: folder, backup_keep: keep } = config
  const start = (dataset: string) => startRefresh(cli.command, dataDir.root, dataset, nodeVariables(config))
  const startBackup = (to: string) =>
    startScheduledBackup(cli.command, { data: dataDir.root, folder: to, keep })
  const schedules = [
    config.refresh ? new RefreshSchedule({ catalog, dataDir, now, log, startRefresh: start }) : undefined,
    schedule === null || folder === null
      ? undefined
      : new BackupSchedule({ dataDir, schedule, now, log, startBackup: () => startBackup(folder) }),
    openAlerts(app, listening, acme),
    acme?.renewal(),
  ]
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

function openAlerts(
  app: App,
  { certificate }: Listening,
  acme: AcmeService | null,
): AlertSchedule | undefined {
  const { alerts_to, alerts_language: language } = app.config
  if (alerts_to === null) return undefined
  const wake = () => app.accountService.mailer.wake()
  const records = acme?.records ?? null
  return new AlertSchedule({
    ...app,
    certificate,
    records,
    to: { emails: alerts_to.split(', '), language },
    wake,
  })
}

/** A service that accepts requests, with one process or several. */
interface Running {
  readonly log: Logger
  readonly dataDir: DataDir
  readonly url: string
  /** Whether nothing is published. */
  readonly isEmpty: boolean
  readonly metrics: Metrics | null
  readonly reload: () => void
  readonly onReady?: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly close: () => unknown
}

/** Announces where a service is, and lets it serve until `stopped`; then running requests may end. */
export async function serveUntil(
  stopped: Promise<unknown>,
  cli: Cli,
  config: Config,
  { log, dataDir, url, isEmpty, metrics, reload, onReady, stop, close }: Running,
): Promise<void> {
  // Services that share a port share the admin port as well.
  const { admin_port: adminPort, reuse_port: reusePort } = config
  try {
    const admin =
      adminPort === null || metrics === null
        ? undefined
        : listenForAdmin({ port: adminPort, reusePort }, metrics)
    if (admin) log.info({ metrics: `${admin.url}/metrics` }, 'metrics')
    cli.onReload(reload)
    // An address for commands on this machine, so not `0.0.0.0` or port 0.
    const port = config.port === 0 ? Number(new URL(url).port) : config.port
    noteService(dataDir, serviceAddress({ ...config, port }))
    announce(cli, log, { address: url, data: dataDir.root, isEmpty })
    await onReady?.()
    await stopped
    if (cli.terminal.messages) cli.note('Stopping when running requests have ended; Ctrl-C again stops now.')
    await stop()
    await admin?.stop()
  } finally {
    forgetService(dataDir)
    await close()
  }
}

/** A line on a terminal, else a log record unless the level hides it; if the log goes to a file, also a message. */
function announce(
  cli: Cli,
  log: Logger,
  { address, data, isEmpty }: { readonly address: string; readonly data: string; readonly isEmpty: boolean },
): void {
  const line = `Izvor serves ${data} at ${address} (documentation: ${address}/docs)`
  if (!cli.terminal.output && log.isLevelEnabled('info')) {
    log.info({ address, data }, 'listening')
    if (!cli.terminal.messages) return
    cli.note(line)
  } else cli.print(`${line}\n`)
  if (isEmpty) cli.note(`Nothing is published yet: ${cli.program} ingest FILE`)
}
