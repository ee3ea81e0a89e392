/** izvor serve-worker: one of the processes of `serve --workers`, started and ended by a supervisor. */

import { closingLater } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { openSupervisor } from '../../base/process/supervised.ts'
import type { Cli } from '../cli/cli.ts'
import type { AddCommand } from '../cli/command-row.ts'
import { createFolder } from '../cli/folder.ts'
import { openServiceLog } from '../cli/service-log.ts'
import { openService, type Service } from './service.ts'
import type { FromWorker, ToWorker } from './worker-process.ts'
import { WORKER_COMMAND } from './worker-process.ts'

export const serveWorker: AddCommand = (program, cli) =>
  program.command(WORKER_COMMAND, { hidden: true }).action(() => serveAsWorker(cli))

/** Serves until the supervisor asks it to stop or is gone, or a signal comes; then running requests may end. */
async function serveAsWorker(cli: Cli): Promise<void> {
  const signalled = cli.untilStopped()
  const started = Promise.withResolvers<Extract<ToWorker, { kind: 'start' }>>()
  const asked = Promise.withResolvers<void>()
  let service: Service | undefined
  const supervisor = openSupervisor((received) => {
    const message = received as ToWorker
    if (message.kind === 'start') started.resolve(message)
    else if (message.kind === 'stop') asked.resolve()
    else if (service !== undefined) receive(service, message, send)
  })
  if (supervisor === undefined)
    throw new CommandError('usage', `${WORKER_COMMAND} is started by "izvor serve --workers" alone`)
  const send = (message: FromWorker) => supervisor.send(message)
  const { worker, config, given, startedAt } = await started.promise
  createFolder(config)
  const log = openServiceLog(config.log_level, cli, worker)
  const stopped = Promise.race([signalled, asked.promise, supervisor.gone])
  const opening = openService(cli, config, log, { startedAt: new Date(startedAt), stopped, given })
  await using opened = closingLater(await opening)
  opened.app.draftWork.elsewhere = (draft) => send({ kind: 'interrupt_draft', draft })
  service = opened
  cli.onReload(() => opened.reload(() => log.log.level))
  const { datasets } = opened.app.catalog.totals()
  send({ kind: 'ready', url: opened.listening.url, datasets })
  opened.startUpkeep()
  await stopped
  await opened.stop()
}

function receive(service: Service, message: ToWorker, send: (message: FromWorker) => void): void {
  const { metrics, app } = service
  if (message.kind === 'reload') service.reload(() => message.logLevel)
  else if (message.kind === 'interrupt_draft') void app.draftWork.interruptHere(message.draft)
  else if (message.kind === 'metrics' && metrics !== null) {
    const { id, part } = message
    metrics[part].getMetricsAsJSON().then(
      (found) => send({ kind: 'metrics', id, metrics: found }),
      (error) => app.log.error({ err: error }, 'metrics could not be read'),
    )
  }
}
