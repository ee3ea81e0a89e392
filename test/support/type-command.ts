/** A command as a person types it, run in the process of the test. */

import { UNUSED_CLI } from '../../build/documents.ts'
import { CommandError } from '../../src/base/errors.ts'
import { DONE, EXIT_CODES } from '../../src/commands/cli/exit-codes.ts'
import { createProgram } from '../../src/commands/program.ts'

export interface Typed {
  readonly code: number
  /** Both streams, interleaved as on a terminal. */
  readonly text: string
}

/** @param words without the program's name */
export async function typeCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Typed> {
  let text = ''
  const decoder = new TextDecoder()
  const cli = {
    ...UNUSED_CLI,
    env,
    print: (data: string | Uint8Array) => {
      text += typeof data === 'string' ? data : decoder.decode(data)
    },
    note: (line: string) => {
      text += `${line}\n`
    },
    now: () => new Date(),
  }
  try {
    await createProgram(cli).parseAsync([...words], { from: 'user' })
    return { code: DONE, text }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { code: EXIT_CODES[error.kind], text: `${text}\n${error.message}` }
  }
}
