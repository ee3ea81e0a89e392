/** izvor healthcheck [--host H] [--port N] [--json]: exits with 0 when the service is ready, with 3 when it is not. */

import type { Command } from 'commander'
import { CommandError } from '../base/errors.ts'
import type { Cli } from './cli/cli.ts'
import { printJson } from './cli/print.ts'
import { ANSWER_TIMEOUT_MS, explainNoAnswer, serviceAddress } from './cli/service-address.ts'
import { addSettingOptions, readSettings } from './cli/settings.ts'

export function addHealthcheck(program: Command, cli: Cli): void {
  const command = program
    .command('healthcheck')
    .description('Ask the service on this machine whether it is ready; exit code 3 means that it is not.')
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
    return await fetch(address, {
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      // The request goes to this machine, whose name need not be in the certificate.
      tls: { rejectUnauthorized: false },
    })
  } catch (error) {
    throw new CommandError(
      'unhealthy',
      `${address} does not answer: ${explainNoAnswer(error)}; start the service, or check --host and --port`,
    )
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
