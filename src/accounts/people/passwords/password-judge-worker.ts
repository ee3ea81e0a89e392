/** The thread that judges passwords. `PasswordHasher` is its only client. */

import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { doTasks } from '../../../base/process/task-thread.ts'

/** The estimate's effort grows with the square of the length, and further characters cannot make a password weaker. */
const JUDGED_CHARACTERS = 100
/** Trying few substitutions of letters by digits keeps the longest estimate at a few dozen milliseconds. */
const LEET_SUBSTITUTIONS = 10

/** Made by the first judgement: its dictionaries take tens of megabytes. */
let judge: Promise<ZxcvbnFactory> | undefined

async function makeJudge(): Promise<ZxcvbnFactory> {
  const [core, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new core.ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: LEET_SUBSTITUTIONS,
    maxLength: JUDGED_CHARACTERS,
  })
}

const work = {
  /** @param words that an attacker would try with it @returns zxcvbn's score, 0 to 4 */
  async score(password: string, words: readonly string[]): Promise<number> {
    const judged = [...password].slice(0, JUDGED_CHARACTERS).join('')
    judge ??= makeJudge()
    return (await judge).check(judged, [...words]).score
  },
}
export type Judging = typeof work

doTasks(work)
