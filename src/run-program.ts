/**
 * The program: arguments in, exit code out. Only this file reads `process.argv`, handles signals and ends the process;
 * `base/process/fast-memories.ts` may start it over.
 */

import { createInterface } from 'node:readline/promises'
import Database from 'better-sqlite3'
import { CommanderError } from 'commander'
import { ApiError, CommandError, DamagedFileError, EndedError } from './base/errors.ts'
import { fromSources, ownCommand } from './base/process/own-command.ts'
import { explainFailure, isSystemFailure } from './base/text/system-failure.ts'
import type { Cli } from './commands/cli/cli.ts'
import { DONE, EXIT_CODES } from './commands/cli/exit-codes.ts'
import { createProgram } from './commands/program.ts'
import { isDamage } from './db/open.ts'

/** A standard stream whose output is complete before the program ends, however slow the reader. */
class Outlet {
  readonly #stream: NodeJS.WritableStream
  #unsent = 0
  #readerGone = false
  #failure: Error | null = null
  #waiting: (() => void)[] = []

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream
    stream.on('error', (error) => this.#note(error))
  }

  /** An error other than a closed reader, usually a full disk. */
  get failure(): Error | null {
    return this.#failure
  }

  get readerGone(): boolean {
    return this.#readerGone
  }

  /** Queues a text or bytes for the reader. Without a reader they are dropped. */
  write(data: string | Uint8Array): void {
    if (data.length === 0 || this.#readerGone) return
    this.#unsent++
    // Each write counts by its own callback: Bun calls that of an empty last write while others still wait.
    this.#stream.write(data, (error) => {
      this.#unsent--
      if (error) this.#note(error)
      if (this.#unsent > 0) return
      for (const resume of this.#waiting.splice(0)) resume()
    })
  }

  /** Fulfils when everything written so far is with the reader. */
  async drained(): Promise<void> {
    if (this.#unsent > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** A reader may close early (`izvor … | head`), which is not a failure. */
  #note(error: NodeJS.ErrnoException): void {
    if (error.code === 'EPIPE') this.#readerGone = true
    else this.#failure ??= error
  }
}

/** For the moment before a second signal ends the process. */
const lastWork: (() => void)[] = []

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (asked) {
          for (const work of lastWork) work()
          process.exit(EXIT_CODES.failed)
        }
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
  // https://no-color.org: present and not empty.
  colored: (process.env.NO_COLOR ?? '') === '' && process.env.TERM !== 'dumb',
  ask,
  now: () => new Date(),
  untilStopped,
  beforeEnd: (work) => void lastWork.push(work),
  onReload: (work) => {
    // On Windows the signal means that the console window was closed.
    if (process.platform !== 'win32') process.on('SIGHUP', work)
  },
}

function report(error: unknown): number {
  // Commander has printed its message, or the help.
  if (error instanceof CommanderError) return error.exitCode === DONE ? DONE : EXIT_CODES.usage
  if (error instanceof EndedError) return error.exitCode
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
    return error.code === 'invalid_body' ? EXIT_CODES.usage : EXIT_CODES.failed
  }
  if (error instanceof Database.SqliteError) {
    const advice = `"${cli.program} datasets verify" says which`
    cli.note(`izvor: a database of the data directory cannot be used: ${explainFailure(error)} (${advice})`)
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

let code: number = DONE
try {
  await createProgram(cli).parseAsync(process.argv.slice(2), { from: 'user' })
} catch (error) {
  code = report(error)
}
// Ending the process drops output that a pipe has not taken yet.
await output.drained()
if (output.failure !== null) {
  cli.note(`izvor: the output cannot be written: ${explainFailure(output.failure)}`)
  code ||= EXIT_CODES.failed
}
await messages.drained()
process.exit(code)
