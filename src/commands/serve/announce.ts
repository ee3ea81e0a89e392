/** What a service says at its beginning and its end. */

import type { Logger } from 'pino'
import type { Config } from '../../base/config/config.ts'
import type { Cli } from '../cli/cli.ts'
import { serviceAddress } from '../cli/running-service.ts'

/** On a terminal, after the first signal. */
export const STOPPING = 'Stopping when running requests have ended; Ctrl-C again stops now.'

/** Where commands on this machine reach the service: `0.0.0.0` and port 0 mean others. */
export function ownAddress(config: Config, url: string): string {
  return serviceAddress({ ...config, port: config.port === 0 ? Number(new URL(url).port) : config.port })
}

/**
 * Prints a line on a terminal, else a log record with the address, or the line where the log level hides the record.
 * With the log in a file and messages on a terminal, the line is also a message.
 * @param data the data directory; `isEmpty`: nothing is published
 */
export function announce(
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
