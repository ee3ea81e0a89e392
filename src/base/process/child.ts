/** Starts the program again as a child, for work whose load and crashes must not affect requests. */

export interface RunningProgram {
  /** Never rejects. */
  readonly ended: Promise<EndedProgram>
  /** Stops it: SIGTERM, then SIGKILL. */
  stop(): void
}

export interface EndedProgram {
  /** null: a signal ended it. */
  readonly code: number | null
  /** It was asked to end: Ctrl-C and service managers signal all processes of a service. */
  readonly interrupted: boolean
  /** The end of its standard error. */
  readonly message: string
}

const PATIENCE_MS = 3000
const LONGEST_MESSAGE = 4000

/** This process's environment, but for the variable with which an executable of Bun's is Bun itself. */
export function childEnvironment(): Record<string, string | undefined> {
  const { BUN_BE_BUN: _, ...env } = process.env
  return env
}

/**
 * @param longestMs a longer run is killed
 * @param holds its standard input is held open: the program learns of the end of this process by its end
 * @param variables beside this process's own: what other users of the machine must not see in its command line
 */
export function startProgram(
  command: readonly string[],
  longestMs: number,
  holds = false,
  variables: Readonly<Record<string, string>> = {},
): RunningProgram {
  const child = Bun.spawn([...command], {
    env: { ...childEnvironment(), ...variables },
    stdin: holds ? 'pipe' : 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: longestMs,
    killSignal: 'SIGKILL',
  })
  let impatient: ReturnType<typeof setTimeout> | undefined
  const ended = (async () => {
    const said = await child.stderr.text()
    await child.exited
    clearTimeout(impatient)
    const message = said.trim().slice(-LONGEST_MESSAGE)
    const { exitCode: code, signalCode: signal } = child
    const interrupted = signal === 'SIGINT' || signal === 'SIGTERM'
    return { code, interrupted, message: message || `it ended with ${code ?? signal}` }
  })()
  return {
    ended,
    stop() {
      child.kill('SIGTERM')
      impatient = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    },
  }
}

export interface PrintedProgram extends Pick<EndedProgram, 'code' | 'message'> {
  readonly output: string
}

/**
 * Runs the program to its end for what it prints, which should be little.
 * @param longestMs a longer run is killed @param variables of its environment, beside those of this process
 */
export async function printedBy(
  command: readonly string[],
  longestMs: number,
  variables: Readonly<Record<string, string>> = {},
): Promise<PrintedProgram> {
  const child = Bun.spawn([...command], {
    ...{ env: { ...childEnvironment(), ...variables }, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
    ...{ timeout: longestMs, killSignal: 'SIGKILL' },
  })
  const [output, said] = await Promise.all([child.stdout.text(), child.stderr.text()])
  await child.exited
  const { exitCode: code, signalCode: signal } = child
  return { code, output, message: said.trim().slice(-LONGEST_MESSAGE) || `it ended with ${code ?? signal}` }
}
