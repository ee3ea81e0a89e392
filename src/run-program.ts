/**
 * The program: arguments in, exit code out. Nothing else in the sources reads `process.argv`, handles a signal or
 * ends the process, but for `process/fast-memories.ts`, which may start it over.
 */

import { createInterface } from 'node:readline/promises'
import Database from 'better-sqlite3'
import { CommanderError } from 'commander'
import type { Cli } from './commands/cli.ts'
import { Outlet } from './commands/outlet.ts'
import { createProgram } from './commands/program.ts'
import { isDamage } from './db/open.ts'
import { ApiError, CommandError, DamagedFileError, type FailureKind } from './errors.ts'
import { CONVERTER } from './ingest/source/conversion.ts'
import { fromSources, ownCommand } from './process/own-command.ts'
import { explainFailure, isSystemFailure } from './text/system-failure.ts'

const EXIT_CODES: Readonly<Record<FailureKind, number>> = {
  failed: 1,
  usage: 2,
  unhealthy: 3,
  refused: 4,
  damaged: 6,
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(EXIT_CODES.failed)
        asked = true
        resolve()
      })
    }
  })
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

const output = new Outlet(process.stdout)
const messages = new Outlet(process.stderr)

const cli: Cli = {
  program: fromSources ? 'bun run izvor' : 'izvor',
  command: ownCommand,
  env: process.env,
  print: (data) => output.write(data),
  readerGone: () => output.readerGone,
  drained: () => output.drained(),
  note: (text) => messages.write(`${text}\n`),
  messageStream: process.stderr,
  terminal: {
    input: process.stdin.isTTY === true,
    output: process.stdout.isTTY === true,
    messages: process.stderr.isTTY === true,
  },
  // https://no-color.org: present and not empty, whatever its value.
  colored: (process.env.NO_COLOR ?? '') === '' && process.env.TERM !== 'dumb',
  ask,
  now: () => new Date(),
  untilStopped,
  onReload: (work) => {
    // There the signal stands for a window that was closed.
    if (process.platform !== 'win32') process.on('SIGHUP', work)
  },
}

/** Says what went wrong on standard error and returns the exit code that belongs to it. */
function report(error: unknown): number {
  // Commander has printed its own message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage
  if (error instanceof CommandError) {
    cli.note(`izvor: ${error.message}`)
    return EXIT_CODES[error.kind]
  }
  if (error instanceof DamagedFileError) {
    cli.note(`izvor: ${error.message}`)
    return EXIT_CODES.damaged
  }
  if (error instanceof ApiError) {
    const remedy = error.code === 'key_not_found' ? `; "${cli.program} keys list" shows all` : ''
    cli.note(`izvor: ${error.message}${remedy}`)
    return EXIT_CODES.failed
  }
  if (error instanceof Database.SqliteError) {
    const advice = `"${cli.program} datasets verify" says which`
    cli.note(`izvor: a database of the data folder cannot be used: ${explainFailure(error)} (${advice})`)
    return isDamage(error) ? EXIT_CODES.damaged : EXIT_CODES.failed
  }
  if (isSystemFailure(error)) {
    const { path } = error as NodeJS.ErrnoException
    cli.note(`izvor: ${path ?? 'a file'} cannot be used: ${explainFailure(error)}`)
    return EXIT_CODES.failed
  }
  cli.note(
    `izvor: unexpected failure: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  )
  return EXIT_CODES.failed
}

let code = 0
try {
  const [first, ...rest] = process.argv.slice(2)
  if (first === CONVERTER) await (await import('./ingest/source/converter.ts')).runConverter(rest[0] ?? '')
  else await createProgram(cli).parseAsync(process.argv.slice(2), { from: 'user' })
} catch (error) {
  code = report(error)
}
// Ending the process drops what a pipe has not taken yet.
await output.drained()
if (output.failure !== null) {
  cli.note(`izvor: the output cannot be written: ${explainFailure(output.failure)}`)
  code ||= EXIT_CODES.failed
}
await messages.drained()
process.exit(code)
