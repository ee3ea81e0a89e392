/** izvor version, izvor licenses: what this program is, and the notices of all that is in it. */

import type { Command } from 'commander'
import notice from '../../NOTICE' with { type: 'text' }
import { nameBuild, readBuild } from '../base/build.ts'
import type { Cli } from './cli/cli.ts'
import { printJson } from './cli/print.ts'

/** `--version` and `-V` of the program itself, which print what the command does. */
export function addVersionOption(program: Command): void {
  // Before a command only: `datasets quarantine` has an option of this name.
  program.enablePositionalOptions().version(line(), '-V, --version', 'print the version')
}

export function addVersion(program: Command, cli: Cli): void {
  program
    .command('version')
    .description('Print the version.')
    .option('--json', 'print JSON, with commit, runtime and platform')
    .action((options: { json?: true }) => {
      if (!options.json) return cli.print(`${line()}\n`)
      printJson(cli, { ...readBuild(), bun: Bun.version, platform: `${process.platform}-${process.arch}` })
    })
}

export function addLicenses(program: Command, cli: Cli): void {
  program
    .command('licenses')
    .description('Print the licenses of all that is in the program.')
    .option('--json', 'print JSON: name, version and license of each part')
    .action((options: { json?: true }) => {
      if (!options.json) return cli.print(notice)
      const heads = notice.matchAll(/^== (\S+) (.+?) \((.+)\)$/gm)
      printJson(
        cli,
        [...heads].map(([, name, version, license]) => ({ name, version, license })),
      )
    })
}

function line(): string {
  return `izvor ${nameBuild()}`
}
