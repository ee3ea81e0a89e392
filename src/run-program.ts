/**
 * The program: arguments in, exit code out. Only this file handles signals and ends the process;
 * `base/process/fast-memories.ts` may restart it.
 */

import { createInterface } from 'node:readline/promises'
import Database from 'better-sqlite3'
import { CommanderError } from 'commander'
import { ApiError, CommandError, DamagedFileError, EndedError } from './base/errors.ts'
import { isUnread, ownArguments } from './base/process/own-arguments.ts'
import { fromSources, ownCommand } from './base/process/own-command.ts'
import { explainFailure, isSystemFailure } from './base/text/system-failure.ts'
import type { Cli } from './commands/cli/cli.ts'
import { DONE, EXIT_CODES } from './commands/cli/exit-codes.ts'
import { showFailure } from './commands/open/failure-file.ts'
import { createProgram } from './commands/program.ts'
import { isDamage } from './db/open.ts'

/** A standard stream whose output is complete before the program ends, however slow the reader. */
function outlet(stream: NodeJS.WritableStream) {
  let unsent = 0
  const waiting: (() => void)[] = []
  const state = {
    readerGone: false,
    /** An error other than a closed reader, usually a full disk. */
    failure: null as Error | null,
    /** Without a reader the data is dropped. */
    write(data: string | Uint8Array): void {
      if (data.length === 0 || state.readerGone) return
      unsent++
      // Counts the callback of every write: Bun calls that of an empty last write while others still wait.
      stream.write(data, (error) => {
        unsent--
        if (error) note(error)
        if (unsent > 0) return
        for (const resume of waiting.splice(0)) resume()
      })
    },
    /** Resolves when everything written so far has reached the reader. */
    async drained(): Promise<void> {
      if (unsent > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
  /** A reader may close early (`izvor … | head`), which is not a failure. */
  const note = (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') state.readerGone = true
    else state.failure ??= error
  }
  stream.on('error', note)
  return state
}

/** Work to run before a second signal ends the process. */
const lastWork: (() => void)[] = []

const onWindows = process.platform === 'win32'

/** On Windows SIGHUP means that the console window was closed: the system ends the process five seconds later. */
const STOPPING = ['SIGINT', 'SIGTERM', ...(onWindows ? (['SIGHUP', 'SIGBREAK'] as const) : [])] as const

function untilStopped(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let asked = false
  for (const signal of STOPPING) {
    process.on(signal, () => {
      if (asked) {
        for (const work of lastWork) work()
        process.exit(EXIT_CODES.failed)
      }
      asked = true
      resolve()
    })
  }
  return promise
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } catch (error) {
    // Ctrl-C, or the end of the input.
    if ((error as Error).name !== 'AbortError') throw error
    cli.note('')
    throw new EndedError(EXIT_CODES.failed)
  } finally {
    terminal.close()
  }
}

const output = outlet(process.stdout)
const messages = outlet(process.stderr)

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
  enterFolder(path) {
    const before = process.cwd()
    process.chdir(path)
    return before
  },
  ask,
  now: () => new Date(),
  untilStopped,
  beforeEnd: (work) => void lastWork.push(work),
  onReload: (work) => {
    if (!onWindows) process.on('SIGHUP', work)
  },
}

/** The message of the failure that ended the command. */
let failure: string | undefined

function report(error: unknown): number {
  // Commander has printed its message, or the help.
  if (error instanceof CommanderError) return error.exitCode === DONE ? DONE : EXIT_CODES.usage
  if (error instanceof EndedError) return error.exitCode
  const said = (text: string, code: number): number => {
    cli.note(`izvor: ${text}`)
    failure = text
    return code
  }
  if (error instanceof CommandError) return said(error.message, EXIT_CODES[error.kind])
  if (error instanceof DamagedFileError) return said(error.message, EXIT_CODES.damaged)
  if (error instanceof ApiError) {
    const remedy = error.code === 'key_not_found' ? `; "${cli.program} keys list" shows all` : ''
    return said(error.message + remedy, error.code === 'invalid_body' ? EXIT_CODES.usage : EXIT_CODES.failed)
  }
  if (error instanceof Database.SqliteError) {
    const advice = `"${cli.program} datasets verify" says which`
    const text = `a database of the data directory cannot be used: ${explainFailure(error)} (${advice})`
    return said(text, isDamage(error) ? EXIT_CODES.damaged : EXIT_CODES.failed)
  }
  if (isSystemFailure(error)) {
    const { path } = error as NodeJS.ErrnoException
    return said(`${path ?? 'a file'} cannot be used: ${explainFailure(error)}`, EXIT_CODES.failed)
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return said(`unexpected failure: ${text}`, EXIT_CODES.failed)
}

let code: number = DONE
try {
  await createProgram(cli).parseAsync(ownArguments, { from: 'user' })
} catch (error) {
  code = report(error)
  if (isUnread && failure !== undefined) await showFailure(cli, failure)
}
// Ending the process drops output that a pipe has not taken yet.
await output.drained()
if (output.failure !== null) {
  cli.note(`izvor: the output cannot be written: ${explainFailure(output.failure)}`)
  code ||= EXIT_CODES.failed
}
await messages.drained()
process.exit(code)
