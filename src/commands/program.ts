/** The table of contents of the command line: every command, in the order of `--help`. */

import { Command } from 'commander'
import notice from '../../NOTICE' with { type: 'text' }
import { nameBuild, readBuild } from '../base/build.ts'
import { audit } from './accounts/audit.ts'
import { keys } from './accounts/keys.ts'
import { plans } from './accounts/plans.ts'
import { users } from './accounts/users.ts'
import { backup, restore } from './backup.ts'
import type { Cli } from './cli/cli.ts'
import { bareCommand } from './cli/command-row.ts'
import { EXIT_CODE_MEANINGS } from './cli/exit-codes.ts'
import { config } from './config.ts'
import { datasets } from './datasets.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { ingest } from './ingest.ts'
import { open } from './open.ts'
import { healthcheck, mcp, openapi } from './other-programs.ts'
import { serveWorker } from './serve/worker.ts'
import { serve } from './serve.ts'
import { setup } from './setup.ts'
import { upgrade } from './upgrade.ts'

const VERSION_LINE = `izvor ${nameBuild()}`

const version = bareCommand({
  name: 'version',
  description: 'Print the version.',
  jsonHelp: ', with commit, runtime and platform',
  does: () => ({ ...readBuild(), bun: Bun.version, platform: `${process.platform}-${process.arch}` }),
  prints: (cli) => cli.print(`${VERSION_LINE}\n`),
})

const licenses = bareCommand({
  name: 'licenses',
  description: 'Print the licenses of all that is in the program.',
  jsonHelp: ': name, version and license of each part',
  does: () =>
    [...notice.matchAll(/^== (\S+) (.+?) \((.+)\)$/gm)].map(([, name, version, license]) => {
      return { name, version, license }
    }),
  prints: (cli) => cli.print(notice),
})

const COMMANDS = [
  open,
  serve,
  serveWorker,
  demo,
  ingest,
  datasets,
  keys,
  users,
  plans,
  audit,
  backup,
  restore,
  upgrade,
  mcp,
  openapi,
  setup,
  config,
  doctor,
  healthcheck,
  version,
  licenses,
]

const CODES = EXIT_CODE_MEANINGS.map(([code, meaning]) => `${code} ${meaning}`).join(', ')
const AFTER_HELP = `
Settings come from options, IZVOR_* variables and izvor.toml in the current folder, in this order;
"izvor config" shows all of them.
Exit codes: ${CODES}.`

/** Builds the program. Parsing throws what a command throws, and a `CommanderError` for wrong usage. */
export function createProgram(cli: Cli): Command {
  const program = new Command('izvor')
    .description('An open-data server: ingest a published file, serve it as a documented, key-protected API.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => cli.print(text),
      writeErr: (text) => cli.note(text.trimEnd()),
      // Messages of the parser look like those of commands.
      outputError: (text, write) => write(text.replace(/^error: /, 'izvor: ')),
    })
    .showHelpAfterError('Add --help to the command to see what it takes.')
    .addHelpText('after', AFTER_HELP)
  // Only before a command: `datasets quarantine` has an option of this name.
  program.enablePositionalOptions().version(VERSION_LINE, '-V, --version', 'print the version')
  for (const add of COMMANDS) add(program, cli)
  return program
}
