/**
 * Runs the program as a user would: the executable named by IZVOR_BINARY, or the sources. The program gets neither this
 * variable nor any other setting of the environment.
 */

import { onTestFinished } from 'bun:test'
import { join } from 'node:path'
import { withoutSettings } from '../support/child-environment.ts'
import { watchPeak } from '../support/peak-memory.ts'

/** For `setDefaultTimeout`, in ms: each step is a separate process, and a busy machine starts them slowly. */
export const JOURNEY_TIMEOUT = 120_000

const BINARY = process.env.IZVOR_BINARY
const TESTED = BINARY ? [BINARY] : [process.execPath, join(import.meta.dir, '..', '..', 'src', 'main.ts')]

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Standard input; empty by default, so that no command can wait for an answer. */
  readonly input?: string | Uint8Array<ArrayBuffer> | ReadableStream
  /** An executable other than the tested one. */
  readonly program?: string
  /** A command that starts the program, such as one that changes the user. */
  readonly through?: readonly string[]
}

export interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /**
   * The peak resident memory of the program and of processes that it started and waited for. It is at least what this
   * process had when it started the program, because the system counts that as well.
   */
  readonly peakBytes: number
  /** The peak of the program alone, sampled every 20 ms (Linux). */
  readonly ownPeakBytes: number
}

/** The program and its arguments. */
export function commandOf(args: readonly string[], { through = [], program }: RunOptions = {}): string[] {
  return [...through, ...(program === undefined ? TESTED : [program]), ...args]
}

function spawnOptions({ cwd, env }: RunOptions) {
  return { ...(cwd === undefined ? {} : { cwd }), env: { ...withoutSettings(), ...env } }
}

function toStandardInput(input: RunOptions['input']): 'ignore' | Blob | ReadableStream {
  if (input === undefined) return 'ignore'
  return input instanceof ReadableStream ? input : new Blob([input])
}

/** Runs a command to its end. */
export async function izvor(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const child = Bun.spawn(commandOf(args, options), {
    ...spawnOptions(options),
    stdin: toStandardInput(options.input),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const own = watchPeak(child.pid)
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  const code = await child.exited
  const peakBytes = child.resourceUsage()?.maxRSS ?? 0
  return { code, stdout, stderr, peakBytes, ownPeakBytes: own.end() }
}

/**
 * Runs a command that must succeed.
 * @throws Error with its messages if it fails
 */
export async function succeed(args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await izvor(args, options)
  if (code !== 0) throw new Error(`izvor ${args.join(' ')} ended with ${code}:\n${stderr}`)
  return stdout
}

/** Mints a key on the unlimited plan. */
export async function mint(
  data: string,
  options: RunOptions = {},
): Promise<{ key_id: number; secret: string }> {
  return JSON.parse(await succeed(['keys', 'mint', '--plan', 'unlimited', '--data', data, '--json'], options))
}

/** Starts a command that keeps running; the caller ends it. */
export function launch(args: readonly string[], options: RunOptions = {}) {
  return Bun.spawn(commandOf(args, options), {
    ...spawnOptions(options),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** Starts a command that keeps running; the end of the test kills it. */
export function start(args: readonly string[], options: RunOptions = {}) {
  const child = launch(args, options)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  return child
}

export interface RunningService {
  readonly address: string
  readonly pid: number
  /** All of standard output so far. */
  readonly output: () => string
  readonly signal: (signal: NodeJS.Signals) => void
  /** The exit code, once it has ended. */
  readonly exited: Promise<number>
  /** All of standard error, once it has ended. */
  readonly errors: Promise<string>
  /** An authenticated request. */
  readonly get: (path: string, secret: string, headers?: Record<string, string>) => Promise<Response>
}

/** Starts `serve` (or `demo`) on a free port and returns once it prints where it listens. */
export async function serve(
  data: string,
  command: readonly string[] = ['serve'],
  options: RunOptions = {},
): Promise<RunningService> {
  return await listening(start([...command, '--port', '0', '--data', data], options))
}

/** Waits until a started service prints where it listens. */
export async function listening(child: ReturnType<typeof launch>): Promise<RunningService> {
  let output = ''
  const decoder = new TextDecoder()
  // Reading starts at once, because a full pipe would block the program.
  const errors = child.stderr.text()
  const address = await new Promise<string>((resolve, reject) => {
    const read = async () => {
      for await (const chunk of child.stdout) {
        output += decoder.decode(chunk, { stream: true })
        const found = /"address":"([^"]+)"/.exec(output)?.[1]
        if (found !== undefined) resolve(found)
      }
      reject(new Error(`it ended before it listened:\n${output}\n${await errors}`))
    }
    void read()
  })
  return {
    address,
    pid: child.pid,
    output: () => output,
    signal: (signal) => child.kill(signal),
    exited: child.exited,
    errors,
    get: (path, secret, headers = {}) =>
      fetch(address + path, { headers: { authorization: `Bearer ${secret}`, ...headers } }),
  }
}

/** Starts a command on a terminal; `output` is what a person has seen of both streams so far. */
export function startOnTerminal(args: readonly string[], options: RunOptions = {}) {
  let output = ''
  const decoder = new TextDecoder()
  const child = Bun.spawn(commandOf(args, options), {
    ...spawnOptions(options),
    terminal: {
      cols: 200,
      rows: 50,
      data: (_, bytes) => {
        output += decoder.decode(bytes, { stream: true })
      },
    },
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  return {
    output: () => output,
    exited: child.exited,
    signal: (name: NodeJS.Signals) => child.kill(name),
    /** Types a line, followed by Enter. */
    type: (line: string) => child.terminal!.write(`${line}\r`),
  }
}

/** The body of an answer that must be a success. */
// biome-ignore lint/suspicious/noExplicitAny: bodies are read field by field, as a client would
export async function bodyOf(answer: Response): Promise<any> {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`)
  return await answer.json()
}

/** The `error.code` of an answer that must be a refusal. */
export async function errorCodeOf(answer: Response): Promise<string> {
  const { error } = (await answer.json()) as { error: { code: string } }
  return error.code
}
