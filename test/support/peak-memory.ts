import { readFileSync } from 'node:fs'

/**
 * The most memory that a running process ever had resident, in bytes (proc(5)); NaN where there is no /proc.
 * @throws Error when it has ended
 */
export function peakBytesOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}
