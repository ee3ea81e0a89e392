/** Processor time and memory available to this process. */

import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'

/** Cores that this process, or the container around it (Linux: cgroups, version 2), may use; at least 1. */
export function machineCores(): number {
  const cores = availableParallelism()
  try {
    const [quota, period] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').split(' ').map(Number)
    if (quota! > 0 && period! > 0) return Math.max(1, Math.min(cores, Math.floor(quota! / period!)))
  } catch {
    // No container, or one of cgroups version 1.
  }
  return cores
}

/** Whether several processes can share a port so that the system spreads connections over them. */
export const sharesPorts = process.platform === 'linux'

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
