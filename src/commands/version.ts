/** izvor version [--json]: what this program is. */

import type { Command } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import type { Cli } from './cli.ts'
import { printJson } from './print.ts'

export function addVersion(program: Command, cli: Cli): void {
  program
    .command('version')
    .description('Print the version.')
    .option('--json', 'print JSON, with runtime and platform')
    .action((options: { json?: true }) => {
      const { version } = packageJson
      if (!options.json) return cli.print(`izvor ${version}\n`)
      printJson(cli, { version, bun: Bun.version, platform: `${process.platform}-${process.arch}` })
    })
}
