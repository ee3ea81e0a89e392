/** izvor version [--json]: what this program is. */

import type { Command } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import type { Cli } from './cli/cli.ts'
import { printJson } from './cli/print.ts'

const LINE = `izvor ${packageJson.version}`

/** `--version` and `-V` of the program itself, which print what the command does. */
export function addVersionOption(program: Command): void {
  // Before a command only: `datasets quarantine` has an option of this name.
  program.enablePositionalOptions().version(LINE, '-V, --version', 'print the version')
}

export function addVersion(program: Command, cli: Cli): void {
  program
    .command('version')
    .description('Print the version.')
    .option('--json', 'print JSON, with runtime and platform')
    .action((options: { json?: true }) => {
      const { version } = packageJson
      if (!options.json) return cli.print(`${LINE}\n`)
      printJson(cli, { version, bun: Bun.version, platform: `${process.platform}-${process.arch}` })
    })
}
