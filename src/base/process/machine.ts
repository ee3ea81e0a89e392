/** Processor time and memory available to this process. */

import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'

/** Cores that this process, or the container around it (Linux: cgroups, version 2), may use; at least 1. */
export function machineCores(): number {
  const cores = availableParallelism()
  const [quota, period] = ofContainer('cpu.max')
  return quota! > 0 && period! > 0 ? Math.max(1, Math.min(cores, Math.floor(quota! / period!))) : cores
}

/** Whether several processes can share a port so that the system spreads connections over them. */
export const sharesPorts = process.platform === 'linux'

/** Bytes of memory of this machine, or of this process's group (Linux: cgroups, a unit's `MemoryMax`). */
export function machineMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/** Empty outside a container, and in one with cgroups version 1. */
function ofContainer(name: string): number[] {
  try {
    return readFileSync(`/sys/fs/cgroup/${name}`, 'utf8').split(' ').map(Number)
  } catch {
    return []
  }
}
