/** One refresh in a process of its own: the program, started again. */

export interface RunningRefresh {
  /** Fulfils, never fails. */
  readonly ended: Promise<EndedRefresh>
  /** Ends it, politely first. */
  stop(): void
}

export interface EndedRefresh {
  /** null: a signal ended it. */
  readonly code: number | null
  /** Somebody asked it to end: Ctrl-C and service managers signal all processes of a service. */
  readonly interrupted: boolean
  /** The end of what it said. */
  readonly message: string
}

/** A fetch gives up after an hour; an ingest that takes longer than another one hangs. */
const LONGEST_RUN_MS = 7_200_000
const PATIENCE_MS = 3000
const LONGEST_MESSAGE = 4000

/**
 * @param program how this program is started @param data the data folder
 * @param dataset refreshed if it is due by then
 */
export function startRefresh(program: readonly string[], data: string, dataset: string): RunningRefresh {
  const child = Bun.spawn([...program, 'datasets', 'refresh', dataset, '--if-due', '--data', data], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: LONGEST_RUN_MS,
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
