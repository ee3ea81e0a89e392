/** Ports for programs that cannot choose a free one themselves. */

import { randomInt } from 'node:crypto'

/** Below the ports that systems give to outgoing connections: one of those would take it before the program listens. */
const LOWEST = 10_000
const HIGHEST = 32_000

/** A loopback port on which nothing listens. Another program may still take it first: then try again with another one. */
export function freePort(): number {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true)
      return port
    } catch {
      // Taken.
    }
  }
}

/** The most starts, since a port may turn out to be taken. */
const STARTS = 5
/** Time within which a program must answer or end, in ms; a busy machine starts programs slowly. */
const PATIENCE_MS = 180_000

/** A program that listens. */
export interface Listening {
  readonly process: Bun.Subprocess
  /** Whether it answers now. */
  readonly answers: () => Promise<boolean>
  /** What it wrote, for the error. */
  readonly log: () => string
}

/**
 * Starts a program, again after a pause (and on another port if the caller chooses one), until it answers.
 * @throws Error with its log when it keeps ending, or does not answer
 */
export async function startListening<T extends Listening>(name: string, start: () => T): Promise<T> {
  const until = Date.now() + PATIENCE_MS
  for (let starts = 1; ; starts++) {
    const started = start()
    while (started.process.exitCode === null && started.process.signalCode === null) {
      // Asked again after the answer: another program may be the one that answers on its port.
      if ((await started.answers()) && started.process.exitCode === null) return started
      if (Date.now() > until) {
        started.process.kill('SIGKILL')
        throw new Error(`${name} does not answer:\n${started.log()}`)
      }
      await Bun.sleep(10)
    }
    if (starts === STARTS) throw new Error(`${name} did not start:\n${started.log()}`)
    await Bun.sleep(200 * starts)
  }
}
