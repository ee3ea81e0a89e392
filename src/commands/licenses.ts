/** izvor licenses [--json]: the notices of all that is in the program. */

import type { Command } from 'commander'
import notice from '../../NOTICE' with { type: 'text' }
import type { Cli } from './cli/cli.ts'
import { printJson } from './cli/print.ts'

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
