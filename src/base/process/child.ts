/** Starts the program again as a child, for work whose load and crashes must not affect requests. */

export type RunningProgram = ReturnType<typeof startProgram>
export type EndedProgram = Awaited<RunningProgram['ended']>

const PATIENCE_MS = 3000

/** This process's environment without the variable that makes a compiled executable act as Bun itself. */
export function childEnvironment(): Record<string, string | undefined> {
  const { BUN_BE_BUN: _, ...env } = process.env
  return env
}

/**
 * @param longestMs a longer run is killed
 * @param holds keeps its standard input open, so that the program notices the end of this process by it
 * @param variables added to the environment: values that other users of the machine must not see in a command line
 */
export function startProgram(
  command: readonly string[],
  longestMs: number,
  holds = false,
  variables: Readonly<Record<string, string>> = {},
) {
  const child = start(command, longestMs, variables, holds ? 'pipe' : 'ignore', 'ignore')
  let impatient: ReturnType<typeof setTimeout> | undefined
  const wait = async () => {
    const end = await endOf(child)
    clearTimeout(impatient)
    const { signalCode: signal } = child
    // Ctrl-C and service managers signal all processes of a service.
    return { ...end, interrupted: signal === 'SIGINT' || signal === 'SIGTERM' }
  }
  return {
    /** Never rejects. */
    ended: wait(),
    /** Stops it: SIGTERM, then SIGKILL. */
    stop(): void {
      child.kill('SIGTERM')
      impatient = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    },
  }
}

function start<In extends 'ignore' | 'pipe', Out extends 'ignore' | 'pipe'>(
  command: readonly string[],
  timeout: number,
  variables: Readonly<Record<string, string>>,
  stdin: In,
  stdout: Out,
) {
  const env = { ...childEnvironment(), ...variables }
  return Bun.spawn([...command], { env, stdin, stdout, stderr: 'pipe', timeout, killSignal: 'SIGKILL' })
}

/** The exit code (null: a signal ended it), and the last part of its messages. */
async function endOf(child: Bun.Subprocess<'ignore' | 'pipe', 'ignore' | 'pipe', 'pipe'>) {
  const said = await child.stderr.text()
  await child.exited
  const { exitCode: code, signalCode: signal } = child
  return { code, message: said.trim().slice(-4000) || `it ended with ${code ?? signal}` }
}

/**
 * Runs the program to its end and returns its output, which should be short.
 * @param longestMs a longer run is killed @param variables added to the environment
 */
export async function printedBy(
  command: readonly string[],
  longestMs: number,
  variables: Readonly<Record<string, string>> = {},
) {
  const child = start(command, longestMs, variables, 'ignore', 'pipe')
  const [output, end] = await Promise.all([child.stdout.text(), endOf(child)])
  return { ...end, output }
}
