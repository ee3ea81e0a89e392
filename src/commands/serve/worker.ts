/** izvor serve-worker: one of the processes of `serve --workers`, which a supervisor starts and ends. */

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

/** Messages until the service is open; then `receive` gets them. @throws CommandError `usage` without a supervisor */
function openInbox() {
  const started = Promise.withResolvers<Extract<ToWorker, { kind: 'start' }>>()
  const stopped = Promise.withResolvers<void>()
  const inbox = {
    started: started.promise,
    stopped: stopped.promise,
    receive: undefined as ((message: ToWorker) => void) | undefined,
  }
  const supervisor = openSupervisor((received) => {
    const message = received as ToWorker
    if (message.kind === 'start') started.resolve(message)
    else if (message.kind === 'stop') stopped.resolve()
    else inbox.receive?.(message)
  })
  if (supervisor === undefined)
    throw new CommandError('usage', `${WORKER_COMMAND} is started by "izvor serve --workers" alone`)
  return { inbox, supervisor }
}

/** Serves until the supervisor asks for the end or is gone, or a signal comes; running requests may end then. */
async function serveAsWorker(cli: Cli): Promise<void> {
  const signalled = cli.untilStopped()
  const { inbox, supervisor } = openInbox()
  const send = (message: FromWorker) => supervisor.send(message)
  const { worker, config, startedAt } = await inbox.started
  createFolder(config)
  const log = openServiceLog(config.log_level, cli, worker)
  const stopped = Promise.race([signalled, inbox.stopped, supervisor.gone])
  const service = await openService(cli, config, log, { startedAt: new Date(startedAt), stopped })
  try {
    service.app.draftWork.elsewhere = (draft) => send({ kind: 'interrupt_draft', draft })
    inbox.receive = (message) => receive(service, message, send)
    cli.onReload(() => service.reload(() => log.log.level))
    const { datasets } = service.app.catalog.totals()
    send({ kind: 'ready', url: service.listening.url, datasets })
    service.startUpkeep()
    await stopped
    await service.stop()
  } finally {
    await service.close()
  }
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
