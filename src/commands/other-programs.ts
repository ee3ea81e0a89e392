/** izvor mcp, izvor openapi, izvor healthcheck: what other programs start or read. */

import type { Command } from 'commander'
import { openApp } from '../app.ts'
import type { Config } from '../base/config/config.ts'
import { CommandError } from '../base/errors.ts'
import { createToolServer, loadSdk } from '../interop/mcp/server.ts'
import { definitionSchema } from '../read/definition/definition.ts'
import { describeService } from '../server/description/service-description.ts'
import { findRefusal } from '../server/refusals.ts'
import { ROUTES } from '../server/routes.ts'
import type { Cli } from './cli/cli.ts'
import { findFolder } from './cli/folder.ts'
import { printJson } from './cli/print.ts'
import { ANSWER_TIMEOUT_MS, explainNoAnswer, serviceAddress } from './cli/service-address.ts'
import { addSettingOptions, readSettings } from './cli/settings.ts'

export function addMcp(program: Command, cli: Cli): void {
  const command = program
    .command('mcp')
    .description(
      'Answer a desktop assistant from the data directory, by the Model Context Protocol on standard input and output.',
    )
  addSettingOptions(command, { data: 'folder' }).action((options) => {
    const { values } = readSettings(cli, options)
    return serveTools(cli, values)
  })
}

/** Without a key: who runs it owns the data. Ends when standard input does, or at a signal. */
async function serveTools(cli: Cli, config: Config): Promise<void> {
  findFolder(config)
  const app = await openApp(config, { now: cli.now })
  try {
    const { catalog, openDatasets } = app
    const sdk = await loadSdk()
    const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio')
    const reader = {
      ...{ catalog, openDatasets, within: 'all' as const, base: config.base_url ?? serviceAddress(config) },
      isPublic: ({ open }: { readonly open: boolean }) => open && config.public_browsing,
      readsRows: () => true,
      admit: () => {},
      share: () => undefined,
      note: () => {},
      refuse: (error: unknown, query: string) => findRefusal(app, { query }, error, { command: 'mcp' }),
    }
    const transport = new StdioServerTransport()
    const ended = new Promise<void>((resolve) => process.stdin.once('close', resolve).once('end', resolve))
    const served = serveStdio(() => createToolServer(sdk, reader), { transport })
    await Promise.race([ended, cli.untilStopped()])
    await served.close()
  } finally {
    await app.close()
  }
}

export function addOpenapi(program: Command, cli: Cli): void {
  const command = program
    .command('openapi')
    .description('Print the OpenAPI description of the service, as JSON.')
    .option('--definition-schema', 'print the JSON Schema of definition files instead')
  addSettingOptions(command, { host: 'address', port: 'number' }).action(
    async (options: { definitionSchema?: true }) => {
      const { values } = readSettings(cli, options)
      const description = options.definitionSchema
        ? definitionSchema
        : await describeService(ROUTES, values.base_url ?? serviceAddress(values))
      printJson(cli, description)
    },
  )
}

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
