/** `serve --workers N`: the service as a supervisor with several workers. */

import type { Logger } from 'pino'
import type { Config } from '../../base/config/config.ts'
import { CommandError } from '../../base/errors.ts'
import { sharesPorts } from '../../base/process/machine.ts'
import { reapOrphans } from '../../base/process/supervised.ts'
import { type AdminListening, listenForAdmin } from '../../server/listening/admin.ts'
import { requireFreeAddress } from '../../server/listening/listen.ts'
import { forgetService, noteService } from '../../store/files/service-file.ts'
import type { Cli } from '../cli/cli.ts'
import { createFolder } from '../cli/folder.ts'
import { openServiceLog } from '../cli/service-log.ts'
import { announce, ownAddress, STOPPING } from './announce.ts'
import { shareOf } from './share.ts'
import { Supervisor } from './supervisor.ts'
import { SupervisorMetrics } from './supervisor-metrics.ts'

/** Workers with less memory refuse most queries. */
const LEAST_CEILING = 200e6

/**
 * Serves with several processes until a signal. Then running requests get the time of the grace settings to end.
 * @param readAgain the settings as they are now, for SIGHUP
 * @throws as `serveAlone`; EndedError when a worker could not start, and has said why
 */
export async function superviseWorkers(
  cli: Cli,
  config: Config,
  readAgain: (() => Config) | undefined,
): Promise<void> {
  refuseWithoutSharing(config)
  const stopped = cli.untilStopped()
  const dataDir = createFolder(config)
  // Workers share the port with all who ask for that, so another program on it is found before.
  if (!config.reuse_port && config.port !== 0) await requireFreeAddress(config)
  const { log } = openServiceLog(config.log_level, { pretty: cli.terminal.output, colored: cli.colored })
  warnOfLittleMemory(config, log)
  const metrics = new SupervisorMetrics()
  const onEnd = (worker: number) => metrics.retire(worker)
  const { command, now } = cli
  const supervisor = new Supervisor({ command, config, startedAt: now(), log, onEnd })
  reapOrphans((pid) => supervisor.isOwn(pid))
  cli.beforeEnd(() => supervisor.kill())
  const { url, datasets } = await supervisor.start()
  const admin = startAdmin(config, metrics, supervisor, log)
  try {
    cli.onReload(() => reload(supervisor, log, readAgain))
    noteService(dataDir, ownAddress(config, url))
    announce(cli, log, { address: url, data: dataDir.root, isEmpty: datasets === 0 })
    await stopped
    if (cli.terminal.messages) cli.note(STOPPING)
    await supervisor.stop()
    await admin?.stop()
  } finally {
    supervisor.kill()
    forgetService(dataDir)
  }
}

/** @throws CommandError `usage` where several processes cannot share a port */
function refuseWithoutSharing({ workers }: Config): void {
  if (sharesPorts) return
  throw new CommandError(
    'usage',
    `workers is ${workers}, and this system does not spread connections to one port over several processes: leave the setting out, or use auto, which is 1 here`,
  )
}

function warnOfLittleMemory(config: Config, log: Logger): void {
  const { memory_ceiling: ceiling } = shareOf(config, config.port)
  if (ceiling !== null && ceiling < LEAST_CEILING)
    log.warn(
      { workers: config.workers, memory_ceiling: ceiling },
      'each worker gets little of the memory: use fewer workers, or raise memory_ceiling',
    )
}

function startAdmin(
  { admin_port: port, reuse_port: reusePort }: Config,
  metrics: SupervisorMetrics,
  supervisor: Supervisor,
  log: Logger,
): AdminListening | undefined {
  if (port === null) return undefined
  const admin = listenForAdmin({ port, reusePort }, metrics.over(supervisor))
  log.info({ metrics: `${admin.url}/metrics` }, 'metrics')
  return admin
}

/** SIGHUP: a mistake in the settings does not end a running service. */
function reload(supervisor: Supervisor, log: Logger, readAgain: (() => Config) | undefined): void {
  try {
    if (readAgain !== undefined) log.level = readAgain().log_level
    supervisor.reload(log.level)
  } catch (error) {
    log.error(
      { reason: (error as Error).message },
      'settings could not be read again; the former ones stay in force',
    )
  }
}
