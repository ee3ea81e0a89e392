import { readFileSync } from 'node:fs'

/**
 * The most memory that a running process ever had resident, in bytes (proc(5)); NaN where there is no /proc.
 * @throws Error when it has ended
 */
export function peakBytesOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

const WATCH_MS = 20

/**
 * Watches the most memory that a process had, until it ends: the kernel's figure disappears with the process, and the one
 * that remains also counts what its parent had. 0 where there is no /proc.
 */
export function watchPeak(pid: number): { end: () => number } {
  let bytes = 0
  const timer = setInterval(() => {
    try {
      bytes = Math.max(bytes, peakBytesOf(pid) || 0)
    } catch {
      // Ended.
    }
  }, WATCH_MS)
  return {
    end() {
      clearInterval(timer)
      return bytes
    },
  }
}
