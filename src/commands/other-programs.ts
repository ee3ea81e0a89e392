/** izvor mcp, izvor openapi, izvor healthcheck: commands for other programs. */

import { openApp } from '../app.ts'
import { closingLater } from '../base/closing.ts'
import type { Config } from '../base/config/config.ts'
import { CommandError } from '../base/errors.ts'
import { createToolServer, loadSdk } from '../interop/mcp/server.ts'
import { definitionSchema } from '../read/definition/definition.ts'
import { describeService } from '../server/description/service-description.ts'
import { findRefusal } from '../server/refusals.ts'
import { ROUTES } from '../server/routes.ts'
import type { Cli } from './cli/cli.ts'
import { type SettingsPlace, settingsCommand } from './cli/command-row.ts'
import { findFolder } from './cli/folder.ts'
import { printJson } from './cli/print.ts'
import { ANSWER_TIMEOUT_MS, explainNoAnswer, OWN_MACHINE, serviceAddress } from './cli/running-service.ts'

export const mcp = settingsCommand({
  name: 'mcp',
  description:
    'Answer a desktop assistant from the data directory, by the Model Context Protocol on standard input and output.',
  json: null,
  does: ({ cli, config }) => serveTools(cli, config),
})

/** Needs no key, since its user owns the data. Ends when standard input does, or at a signal. */
async function serveTools(cli: Cli, config: Config): Promise<void> {
  findFolder(config)
  await using app = closingLater(await openApp(config, { now: cli.now }))
  const { catalog, openDatasets } = app
  const sdk = await loadSdk()
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio')
  const reader = {
    catalog,
    openDatasets,
    within: 'all' as const,
    base: config.base_url ?? serviceAddress(config),
    isPublic: ({ open }: { readonly open: boolean }) => open && config.public_browsing,
    readsValues: () => 'all' as const,
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
}

export const openapi = settingsCommand({
  name: 'openapi',
  description: 'Print the OpenAPI description of the service, as JSON.',
  takes: (command) =>
    command.option('--definition-schema', 'print the JSON Schema of definition files instead'),
  settings: { host: 'address', port: 'number' },
  json: null,
  does: async ({ config }: SettingsPlace, options: { definitionSchema?: true }): Promise<object> =>
    options.definitionSchema
      ? definitionSchema
      : await describeService(ROUTES, config.base_url ?? serviceAddress(config)),
  prints: printJson,
})

export const healthcheck = settingsCommand({
  name: 'healthcheck',
  description: 'Ask the service on this machine whether it is ready; exit code 3 means that it is not.',
  jsonHelp: ': the answer of /health/ready',
  settings: { host: 'address', port: 'number' },
  async does({ config }: SettingsPlace) {
    const address = `${serviceAddress(config)}/health/ready`
    try {
      const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
      const answer = await fetch(address, { signal, ...OWN_MACHINE })
      return { address, ok: answer.ok, status: answer.status, body: await answer.text() }
    } catch (error) {
      const reason = `${explainNoAnswer(error)}; start the service, or check --host and --port`
      throw new CommandError('unhealthy', `${address} does not answer: ${reason}`)
    }
  },
  json({ address, body }) {
    try {
      return JSON.parse(body) as unknown
    } catch {
      const what = `what answers at ${address} is not this service: check --host and --port`
      throw new CommandError('unhealthy', what)
    }
  },
  prints: (cli, { ok }) => ok && cli.print('ready\n'),
  refuses({ address, ok, status, body }) {
    if (!ok) throw new CommandError('unhealthy', `${address} answered ${status}: ${body}`)
  },
})
