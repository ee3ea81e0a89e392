/**
 * Judges how hard passwords are to guess, in a thread of its own: some take the estimate tens of milliseconds. The thread
 * starts with the service: the runtime ends a process that starts one when no file is left to open. It is replaced when no
 * judgement was asked for in a while, for its dictionaries take tens of megabytes.
 */

import { canStartThread, requireThreadFiles } from '../../../base/process/open-files.ts'
import { fromSources } from '../../../base/process/own-command.ts'
import type { Judgement, JudgeTask } from './password-judge-worker.ts'

/** In an executable all modules of the program lie in its root; its threads keep their paths. */
const WORKER = new URL(
  fromSources ? './password-judge-worker.ts' : './accounts/people/passwords/password-judge-worker.ts',
  import.meta.url,
)
const IDLE_MS = 30_000

interface Waiting {
  readonly resolve: (score: number) => void
  readonly reject: (error: Error) => void
}

export class PasswordJudge {
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #tasks = 0
  #idle: ReturnType<typeof setTimeout> | undefined

  /**
   * @param words that an attacker would try with it
   * @returns zxcvbn's score, 0 to 4
   */
  async score(password: string, words: readonly string[]): Promise<number> {
    clearTimeout(this.#idle)
    const worker = this.#started()
    return await new Promise((resolve, reject) => {
      const id = ++this.#tasks
      this.#waiting.set(id, { resolve, reject })
      worker.postMessage({ id, password, words } satisfies JudgeTask)
    })
  }

  /** Starts the thread ahead of the first judgement. */
  start(): void {
    this.#started()
  }

  close(): void {
    this.#end(new Error('the service is stopping'))
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker
    requireThreadFiles()
    const worker = new Worker(WORKER)
    worker.onmessage = ({ data }: MessageEvent<Judgement>) => this.#answer(data)
    worker.onerror = (event) => this.#end(new Error(event.message))
    worker.unref()
    this.#worker = worker
    return worker
  }

  #answer({ id, score }: Judgement): void {
    this.#waiting.get(id)?.resolve(score)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#replaceLater()
  }

  #replaceLater(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      if (!canStartThread()) return this.#replaceLater()
      this.close()
      this.start()
    }, IDLE_MS)
    this.#idle.unref()
  }

  #end(error: Error): void {
    clearTimeout(this.#idle)
    this.#worker?.terminate()
    this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
