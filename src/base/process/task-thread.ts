/** A thread for tasks that would hold up the thread that answers requests. */

import { canStartThread } from './open-files.ts'
import { fromSources } from './own-command.ts'

/** What a thread does, by the names of its tasks. */
type Work = Readonly<Record<string, (...input: never[]) => unknown>>

interface Task {
  readonly id: number
  readonly kind: string
  readonly input: readonly unknown[]
}

interface Answer {
  readonly id: number
  readonly value?: unknown
  /** What went wrong, when something did. */
  readonly error?: string
}

/** The thread as its client sees it. `start` or a task starts it, also after a failure. */
export class TaskThread<W extends { [K in keyof W]: (...input: never[]) => unknown }> {
  readonly #module: URL
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #worker: Worker | undefined
  #tasks = 0
  #ended: Error | undefined

  /** @param module path below `src`; an executable has its modules in the root, where threads keep their paths */
  constructor(module: string) {
    this.#module = new URL(fromSources ? `../../${module}` : `./${module}`, import.meta.url)
  }

  get isStarted(): boolean {
    return this.#worker !== undefined
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0
  }

  /** @throws Error with the message of what the task throws */
  async ask<K extends keyof W & string>(
    kind: K,
    ...input: Parameters<W[K]>
  ): Promise<Awaited<ReturnType<W[K]>>> {
    if (this.#ended) throw this.#ended
    const worker = this.start()
    const id = ++this.#tasks
    const answer = Promise.withResolvers<unknown>()
    this.#waiting.set(id, answer)
    worker.postMessage({ id, kind, input } satisfies Task)
    return (await answer.promise) as Awaited<ReturnType<W[K]>>
  }

  /** @throws Error when no files are left for a thread */
  start(): Worker {
    if (this.#worker !== undefined) return this.#worker
    if (!canStartThread())
      throw Object.assign(new Error('no files are left for a thread'), { code: 'EMFILE' })
    const worker = new Worker(this.#module)
    worker.onmessage = ({ data: { id, value, error } }: MessageEvent<Answer>) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error === undefined) waiting?.resolve(value)
      else waiting?.reject(new Error(error))
    }
    worker.onerror = (event) => this.end(new Error(event.message))
    worker.unref()
    this.#worker = worker
    return worker
  }

  /** Ends the thread at once. Waiting tasks are rejected. */
  end(error: Error): void {
    this.#worker?.terminate()
    this.#leave(error)
  }

  /** Lets the thread end itself with a last task. Waiting tasks, and all later ones, are rejected. */
  endBy(kind: keyof W & string, error: Error): void {
    this.#ended = error
    this.#worker?.postMessage({ id: 0, kind, input: [] } satisfies Task)
    this.#leave(error)
  }

  #leave(error: Error): void {
    this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

declare const self: Worker

/** Runs in the thread: does the tasks that arrive. */
export function doTasks(work: Work): void {
  self.onmessage = async ({ data: { id, kind, input } }: MessageEvent<Task>) => {
    let answer: Answer
    try {
      answer = { id, value: await work[kind]!(...(input as never[])) }
    } catch (error) {
      answer = { id, error: (error as Error).message }
    }
    self.postMessage(answer)
  }
}
