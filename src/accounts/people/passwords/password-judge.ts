/**
 * Judges how hard passwords are to guess, in a thread of its own: some take the estimate tens of milliseconds. The thread
 * starts with the service: the runtime ends a process that starts one when no file is left to open. It is replaced when no
 * judgement was asked for in a while, for its dictionaries take tens of megabytes.
 */

import { canStartThread } from '../../../base/process/open-files.ts'
import { TaskThread } from '../../../base/process/task-thread.ts'
import type { Judging } from './password-judge-worker.ts'

const IDLE_MS = 30_000

export class PasswordJudge {
  readonly #thread = new TaskThread<Judging>('accounts/people/passwords/password-judge-worker.ts')
  #idle: ReturnType<typeof setTimeout> | undefined

  /**
   * @param words that an attacker would try with it
   * @returns zxcvbn's score, 0 to 4
   */
  async score(password: string, words: readonly string[]): Promise<number> {
    clearTimeout(this.#idle)
    const score = await this.#thread.ask('score', password, words)
    if (this.#thread.isIdle) this.#replaceLater()
    return score
  }

  /** Starts the thread ahead of the first judgement. */
  start(): void {
    this.#thread.start()
  }

  close(): void {
    clearTimeout(this.#idle)
    this.#thread.end(new Error('the service is stopping'))
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
}
