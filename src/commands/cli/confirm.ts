/** The confirmation before a command deletes something. */

import { CommandError } from '../../base/errors.ts'
import type { Cli } from './cli.ts'

/**
 * Returns when the operator agreed: by `--yes`, or by typing `yes` at the terminal.
 * @param what the consequence, as a sentence: "This removes …"
 * @throws CommandError `usage` when there is no terminal to ask on, `failed` when the answer was anything else
 */
export async function confirm(cli: Cli, what: string, agreed: boolean): Promise<void> {
  if (agreed) return
  if (!cli.terminal.input || !cli.terminal.messages) {
    throw new CommandError(
      'usage',
      `${what} There is no terminal to confirm on: repeat the command with --yes to do it.`,
    )
  }
  const answer = await cli.ask(`${what}\nType "yes" to go on: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('failed', 'Nothing was changed.')
}
