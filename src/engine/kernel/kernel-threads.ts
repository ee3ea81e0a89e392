/**
 * Threads that call the kernel, each with its own instance on the memory of a dataset. Long work is divided among them while
 * the main thread answers other requests. They start with the first work that is long enough.
 */

import { availableParallelism } from 'node:os'
import { TaskThread } from '../../base/process/task-thread.ts'
import type { KernelCall, Part } from './kernel-calls.ts'
import type { KernelWork } from './kernel-worker.ts'

/** The memory of a dataset, and the number that identifies it. */
export interface KernelMemory {
  readonly number: number
  readonly memory: WebAssembly.Memory
}

/** Work of about a turn or less stays on the main thread. Costs are estimates, in nanoseconds. */
const LEAST_COST = 10_000_000

/** A message to a thread has parts up to this cost, since a message itself costs a few microseconds. */
const AT_ONCE = 1_000_000

interface Job extends PromiseWithResolvers<void> {
  readonly memory: KernelMemory
  readonly parts: readonly Part[]
  /** The next part, and how many threads are at work. */
  next: number
  running: number
  failure: unknown
}

export class KernelThreads {
  readonly count: number
  readonly leastCost: number
  readonly #idle: TaskThread<KernelWork>[]
  readonly #all: readonly TaskThread<KernelWork>[]
  readonly #jobs: Job[] = []

  /** @param count of threads @param leastCost of work that is given to them, in nanoseconds */
  constructor(count: number = availableParallelism(), leastCost: number = LEAST_COST) {
    this.count = count
    this.leastCost = leastCost
    this.#all = Array.from({ length: this.count }, () => new TaskThread('engine/kernel/kernel-worker.ts'))
    this.#idle = [...this.#all]
  }

  /** Starts the threads that are not started. @returns whether all of them run: there may be no file descriptors left */
  start(): boolean {
    try {
      for (const thread of this.#all) thread.start()
      return true
    } catch {
      return false
    }
  }

  /**
   * Has the threads call all parts, in any order. Several jobs take turns.
   * @throws Error as a rejection when a thread fails; by then no thread is at work on the memory
   */
  run(memory: KernelMemory, parts: readonly Part[]): Promise<void> {
    const job = { memory, parts, next: 0, running: 0, failure: null, ...Promise.withResolvers<void>() }
    this.#jobs.push(job)
    this.#begin()
    return job.promise
  }

  /** Has the threads release the memory of a dataset that has no work under way. */
  forget({ number }: KernelMemory): void {
    for (const thread of this.#all) if (thread.isStarted) void thread.ask('forget', number).catch(() => {})
  }

  end(): void {
    for (const thread of this.#all) thread.end(new Error('the service ends'))
  }

  #begin(): void {
    while (this.#idle.length > 0 && this.#jobs.length > 0) {
      const job = this.#jobs.shift()!
      void this.#goOn(job, this.#idle.pop()!)
      if (job.next < job.parts.length) this.#jobs.push(job)
    }
  }

  async #goOn(job: Job, thread: TaskThread<KernelWork>): Promise<void> {
    const { parts, memory } = job
    const calls: KernelCall[] = []
    for (let cost = 0; job.next < parts.length && cost < AT_ONCE; job.next++) {
      const part = parts[job.next]!
      calls.push(...part.calls)
      cost += part.cost * part.calls.length
    }
    job.running++
    try {
      await thread.ask('call', memory.number, memory.memory, calls)
    } catch (error) {
      job.failure = error
      job.next = parts.length
      const waiting = this.#jobs.indexOf(job)
      if (waiting >= 0) this.#jobs.splice(waiting, 1)
    }
    job.running--
    this.#idle.push(thread)
    if (job.running === 0 && job.next === parts.length) {
      if (job.failure === null) job.resolve()
      else job.reject(job.failure)
    }
    this.#begin()
  }
}
