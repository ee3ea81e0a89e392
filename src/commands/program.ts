/** The table of contents of the command line: every command there is, in the order in which `--help` shows them. */

import { Command } from 'commander'
import { addAudit } from './accounts/audit.ts'
import { addKeys } from './accounts/keys.ts'
import { addPlans } from './accounts/plans.ts'
import { addUsers } from './accounts/users.ts'
import { addRestore } from './backup/restore.ts'
import { addBackup } from './backup.ts'
import type { Cli } from './cli/cli.ts'
import { EXIT_CODE_MEANINGS } from './cli/exit-codes.ts'
import { addConfig } from './config.ts'
import { addDatasets } from './datasets.ts'
import { addDemo } from './demo.ts'
import { addDoctor } from './doctor.ts'
import { addIngest } from './ingest.ts'
import { addHealthcheck, addMcp, addOpenapi } from './other-programs.ts'
import { addServe } from './serve.ts'
import { addUpgrade } from './upgrade.ts'
import { addLicenses, addVersion, addVersionOption } from './version.ts'

const CODES = EXIT_CODE_MEANINGS.map(([code, meaning]) => `${code} ${meaning}`).join(', ')
const AFTER_HELP = `
Settings come from options, IZVOR_* variables and izvor.toml in the current folder, in this order;
"izvor config" shows all of them.
Exit codes: ${CODES}.`

/** Builds the program. Parsing throws what a command throws; wrong usage is a `CommanderError`. */
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
  addVersionOption(program)
  addServe(program, cli)
  addDemo(program, cli)
  addIngest(program, cli)
  addDatasets(program, cli)
  addKeys(program, cli)
  addUsers(program, cli)
  addPlans(program, cli)
  addAudit(program, cli)
  addBackup(program, cli)
  addRestore(program, cli)
  addUpgrade(program, cli)
  addMcp(program, cli)
  addOpenapi(program, cli)
  addConfig(program, cli)
  addDoctor(program, cli)
  addHealthcheck(program, cli)
  addVersion(program, cli)
  addLicenses(program, cli)
  return program
}
