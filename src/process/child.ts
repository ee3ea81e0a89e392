/** The program started again: work that those who are being served must not feel, nor its crash. */

export interface RunningProgram {
  /** Fulfils, never fails. */
  readonly ended: Promise<EndedProgram>
  /** Ends it, politely first. */
  stop(): void
}

export interface EndedProgram {
  /** null: a signal ended it. */
  readonly code: number | null
  /** Somebody asked it to end: Ctrl-C and service managers signal all processes of a service. */
  readonly interrupted: boolean
  /** The end of what it said. */
  readonly message: string
}

const PATIENCE_MS = 3000
const LONGEST_MESSAGE = 4000

/** @param longestMs a run that takes longer hangs, and is ended */
export function startProgram(command: readonly string[], longestMs: number): RunningProgram {
  const child = Bun.spawn([...command], {
    stdin: 'ignore',
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
