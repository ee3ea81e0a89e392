/** `serve --workers N`: the service as a supervisor with several workers. */

import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Config } from '../../base/config/config.ts'
import type { LoadedConfig } from '../../base/config/load.ts'
import { CommandError } from '../../base/errors.ts'
import { sharesPorts } from '../../base/process/machine.ts'
import { reapOrphans } from '../../base/process/supervised.ts'
import type { Metrics } from '../../server/listening/admin.ts'
import { requireFreeAddress } from '../../server/listening/listen.ts'
import { type ProcessMetrics, WorkerMetrics, writeMetrics } from '../../server/metrics/worker-metrics.ts'
import type { Cli } from '../cli/cli.ts'
import { createFolder } from '../cli/folder.ts'
import { openServiceLog } from '../cli/service-log.ts'
import { provideCertificate } from './acme.ts'
import { reload, serveUntil } from './service.ts'
import { Supervisor, shareOf } from './supervisor.ts'

const SELF = 'supervisor'

/** Answers scrapes. A worker that does not answer within a second is left out. */
function metricsOf(supervisor: Supervisor, workers: WorkerMetrics): Metrics {
  const self = new Registry()
  const ofWorkers = new Registry()
  collectDefaultMetrics({ register: self })
  addStates(ofWorkers, supervisor)
  const scrape = async (write: (answered: ReadonlyMap<string, ProcessMetrics>) => Promise<string>) => {
    const { running } = supervisor
    const found = new Map<string, ProcessMetrics>()
    await Promise.all(
      [...running].map(async ([worker, process]) => {
        const metrics = await process.metrics('own')
        if (metrics === undefined) return
        found.set(worker, metrics)
        workers.note(worker, metrics)
      }),
    )
    const answered = new Map([...found].sort(([a], [b]) => Number(a) - Number(b)))
    // Metrics of the folder come from a worker that has just answered.
    const [first = ''] = answered.keys()
    const folder = (await running.get(first)?.metrics('folder')) ?? []
    const own = new Map([...answered, [SELF, await self.getMetricsAsJSON()]])
    return (await ofWorkers.metrics()) + (await writeMetrics([folder])) + (await write(own))
  }
  return {
    read: () => scrape((answered) => workers.labelled(answered)),
    readTotals: () => scrape((answered) => workers.totals(answered)),
  }
}

/** Workers with less memory refuse most queries. */
const LEAST_CEILING = 200e6

/**
 * Serves with several processes until a signal. Then running requests get the time of the grace settings to end.
 * @param readAgain returns the current settings, for SIGHUP
 * @throws as `serveAlone`; EndedError when a worker could not start and has said why
 */
export async function superviseWorkers(
  cli: Cli,
  given: LoadedConfig,
  readAgain: () => Config,
): Promise<void> {
  const { values: config } = given
  if (!sharesPorts)
    throw new CommandError(
      'usage',
      `workers is ${config.workers}, and this system does not spread connections to one port over several processes: leave the setting out, or use auto, which is 1 here`,
    )
  const stopped = cli.untilStopped()
  const dataDir = createFolder(config)
  await provideCertificate(config, cli.now())
  // Workers share the port with any program that asks for it, so another one must be noticed before they start.
  if (!config.reuse_port && config.port !== 0) await requireFreeAddress(config)
  const { log } = openServiceLog(config.log_level, cli)
  const { memory_ceiling: ceiling } = shareOf(config, config.port)
  if (ceiling !== null && ceiling < LEAST_CEILING)
    log.warn(
      { workers: config.workers, memory_ceiling: ceiling },
      'each worker gets little of the memory: use fewer workers, or raise memory_ceiling',
    )
  const metrics = new WorkerMetrics()
  const onEnd = (worker: number) => metrics.retire(String(worker))
  const { command, now } = cli
  const supervisor = new Supervisor({ command, given, startedAt: now(), log, onEnd })
  reapOrphans((pid) => supervisor.isOwn(pid))
  cli.beforeEnd(() => supervisor.kill())
  const { url, datasets } = await supervisor.start()
  const readLevel = () => readAgain().log_level
  await serveUntil(stopped, cli, config, {
    log,
    dataDir,
    url,
    isEmpty: datasets === 0,
    metrics: metricsOf(supervisor, metrics),
    reload: () => reload(log, readLevel, () => supervisor.reload(log.level)),
    stop: () => supervisor.stop(),
    close: () => supervisor.kill(),
  })
}

function addStates(registry: Registry, supervisor: Supervisor): void {
  const options = { labelNames: ['worker'], registers: [registry] }
  new Gauge({
    ...options,
    name: 'izvor_worker_up',
    help: '1 for a worker that accepts requests',
    collect() {
      for (const { worker, isReady } of supervisor.states) this.set({ worker }, Number(isReady))
    },
  })
  new Counter({
    ...options,
    name: 'izvor_worker_restarts_total',
    help: 'How often a worker ended and was replaced',
    collect() {
      this.reset()
      for (const { worker, restarts } of supervisor.states) this.inc({ worker }, restarts)
    },
  })
}
