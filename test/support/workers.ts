/** The processes of `serve --workers` (Linux). */

import { readdirSync, readFileSync } from 'node:fs'
import type { RunningService } from '../journeys/program.ts'
import { until } from './until.ts'

/** Process ids of the workers of a supervisor. */
export function workersOf(supervisor: number): number[] {
  return childrenOf(supervisor, 'serve-worker')
}

/** Process ids of running child processes of a process with a word in their command line. */
export function childrenOf(process: number, word: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid)) return []
    const { parent, state } = statOf(pid)
    const isMeant = parent === process && state !== 'Z' && commandLineOf(pid).includes(word)
    return isMeant ? [pid] : []
  })
}

/** Whether a process runs: it exists and has not ended. */
export function runs(pid: number): boolean {
  const { state } = statOf(pid)
  return state !== undefined && state !== 'Z' && state !== 'X'
}

function statOf(pid: number): { state?: string | undefined; parent?: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return {}
  }
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

export type Series = ReadonlyMap<string, number>

/** The address of the metrics of a service that was started with `--admin-port 0`. */
export async function metricsAddress(service: RunningService): Promise<string> {
  return await until(() => /"metrics":"([^"]+)"/.exec(service.output())?.[1])
}

/** Every series of a scrape, by name and labels. */
export async function scrape(address: string): Promise<Series> {
  const text = await (await fetch(address)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

/** The sum of all series of a name that have these labels, by their label `worker`; '' means none. */
export function byWorker(series: Series, name: string, ...labels: string[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [key, value] of series) {
    if (key !== name && !key.startsWith(`${name}{`)) continue
    if (!labels.every((label) => key.includes(label))) continue
    const worker = /worker="([^"]*)"/.exec(key)?.[1] ?? ''
    sums.set(worker, (sums.get(worker) ?? 0) + value)
  }
  return sums
}
