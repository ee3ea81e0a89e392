/** Runs programs beside the bench and watches what they use. Memory figures come from /proc and exist on Linux only. */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { withoutSettings } from '../support/child-environment.ts'
import { watchPeak } from '../support/peak-memory.ts'

export interface Finished {
  readonly seconds: number
  /** The most memory that the process itself had resident, in MB. */
  readonly peakMb: number
  readonly output: string
}

/**
 * Runs a program to its end.
 * @throws Error with what it wrote to standard error when it fails
 */
export async function run(command: string[], input?: string): Promise<Finished> {
  const started = performance.now()
  const child = Bun.spawn(command, {
    stdin: input === undefined ? 'ignore' : new TextEncoder().encode(input),
    stdout: 'pipe',
    stderr: 'pipe',
    env: withoutSettings(),
  })
  const peak = watchPeak(child.pid)
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  const code = await child.exited
  const seconds = (performance.now() - started) / 1000
  const peakMb = peak.end() / 1e6
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${errors}`)
  return { seconds, peakMb, output }
}

/** How thorough a run is. */
export interface Pace {
  /** How long a load lasts. */
  readonly seconds: number
  /** How often candidates are measured, in turns, so that a machine that slows down affects all of them. An odd number. */
  readonly rounds: number
  /** The most checks whether a service is idle before the next is measured. */
  readonly mostLooks: number
}

export interface Service {
  readonly address: string
  readonly pid: number
  /** From the start of the process until it said where it listens, in ms. */
  readonly startMs: number
  readonly stop: () => Promise<void>
}

/**
 * Starts a program that prints a line with its `http://` address once it listens.
 * @param settings added to its environment
 */
export async function startService(
  command: string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const started = performance.now()
  const env = { ...withoutSettings(), ...settings }
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit', env })
  const stop = () => stopChild(child)
  return await new Promise((resolve, reject) => {
    // Keep reading after the address: a full pipe would stop the program at its next log line.
    const read = async () => {
      let text = ''
      const decoder = new TextDecoder()
      for await (const chunk of child.stdout) {
        const startMs = performance.now() - started
        text += decoder.decode(chunk, { stream: true })
        const address = /http:\/\/[^\s"]+/.exec(text)?.[0]
        if (address !== undefined) resolve({ address, pid: child.pid, startMs, stop })
      }
      reject(new Error(`${command.join(' ')} ended before it listened`))
    }
    void read()
  })
}

/** Starts a server of this folder, which answers with the bytes of a file. */
export async function startScript(script: string, ...args: string[]): Promise<Service> {
  return await startService([process.execPath, fileURLToPath(import.meta.resolve(script)), ...args])
}

async function stopChild(child: Bun.Subprocess): Promise<void> {
  child.kill('SIGTERM')
  await child.exited
}

/** Resident memory of a process now, in MB; NaN where there is no /proc. */
export function residentMb(pid: number): number {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return Number.NaN
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1]) / 1000
}

/** Processor time that a process has used so far, in seconds; NaN where there is no /proc. */
export function processorSeconds(pid: number): number {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return Number.NaN
  // Fields after the program's name, which may hold blanks: utime and stime are the 12th and 13th, in 1/100 s.
  const fields = readFileSync(path, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const IDLE_MS = 1500

/**
 * Resolves when a service has used next to no processor time for a while; the log's worker rests a second at a time.
 * @param mostLooks of 1.5 s each: a service that is never quite idle must not hold up the bench
 */
export async function untilIdle(service: Service, mostLooks: number): Promise<void> {
  for (let look = 0; look < mostLooks; look++) {
    const before = processorSeconds(service.pid)
    await Bun.sleep(IDLE_MS)
    // False as well where processor time cannot be read.
    if (!(processorSeconds(service.pid) - before > 0.02)) return
  }
}
