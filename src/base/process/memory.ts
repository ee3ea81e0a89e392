/** The memory available to this process. */

import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/** Bytes that this machine, or the container around this process (Linux: cgroups, version 2), has. */
export function machineMemory(): number {
  try {
    const limit = Number(readFileSync('/sys/fs/cgroup/memory.max', 'utf8'))
    if (limit > 0) return Math.min(limit, totalmem())
  } catch {
    // No container, or one of cgroups version 1.
  }
  return totalmem()
}
