/** A thread that calls the kernel's functions on the memories of datasets for `kernel-threads.ts`. */

import { doTasks } from '../../base/process/task-thread.ts'
import { instantiateKernel } from './instantiate.ts'
import { callKernel, type KernelCall } from './kernel-calls.ts'
import type { Kernel } from './kernel-functions.ts'

const kernels = new Map<number, Kernel>()

const work = {
  /** Calls functions one after the other on the memory of the dataset with this number. */
  call(dataset: number, memory: WebAssembly.Memory, calls: readonly KernelCall[]): void {
    const kernel = kernels.getOrInsertComputed(dataset, () => instantiateKernel(memory))
    for (const call of calls) callKernel(kernel, call)
  },
  /** Forgets a memory, which is freed when nothing refers to it any more. */
  forget(dataset: number): void {
    if (kernels.delete(dataset)) Bun.gc(true)
  },
}

export type KernelWork = typeof work

doTasks(work)
