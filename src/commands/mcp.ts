/** izvor mcp [--data DIR]: the data for a desktop assistant, by the Model Context Protocol on standard input and output. */

import type { Command } from 'commander'
import { openApp } from '../app.ts'
import type { Config } from '../base/config/config.ts'
import { createToolServer, loadSdk } from '../interop/mcp/server.ts'
import { findRefusal } from '../server/refusals.ts'
import type { Cli } from './cli/cli.ts'
import { findFolder } from './cli/folder.ts'
import { serviceAddress } from './cli/service-address.ts'
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
