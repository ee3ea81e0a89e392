/** izvor healthcheck [--host H] [--port N] [--json]: 0 when the service is ready, 3 when it is not. */

import type { Command } from 'commander'
import { CommandError } from '../errors.ts'
import type { Cli } from './cli.ts'
import { printJson } from './print.ts'
import { serviceAddress } from './service-address.ts'
import { addSettingOptions, readSettings } from './settings.ts'

const TIMEOUT_MS = 5000

export function addHealthcheck(program: Command, cli: Cli): void {
  const command = program
    .command('healthcheck')
    .description('Ask the service on this machine whether it is ready; 3 is the exit code when it is not.')
    .option('--json', 'print JSON: the answer of /health/ready')
  addSettingOptions(command, { host: 'address', port: 'number' }).action(async (options: { json?: true }) => {
    const address = `${serviceAddress(readSettings(cli, options).values)}/health/ready`
    const answer = await askService(address)
    const body = await answer.text()
    if (options.json) printJson(cli, parseBody(body, address))
    if (!answer.ok) throw new CommandError('unhealthy', `${address} answered ${answer.status}: ${body}`)
    if (!options.json) cli.print('ready\n')
  })
}

async function askService(address: string): Promise<Response> {
  try {
    return await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch (error) {
    throw new CommandError('unhealthy', `${address} does not answer: ${reasonOf(error)}`)
  }
}

function parseBody(body: string, address: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new CommandError(
      'unhealthy',
      `what answers at ${address} is not this service: check --host and --port`,
    )
  }
}

function reasonOf(error: unknown): string {
  const { code, name, message } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError') return `it took longer than ${TIMEOUT_MS / 1000} seconds`
  if (code === 'ConnectionRefused' || code === 'ECONNREFUSED')
    return 'no service listens there; start it, or check --host and --port'
  return message
}
