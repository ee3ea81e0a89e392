/** The thread that judges passwords. `PasswordJudge` is its only client. */

import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

export interface JudgeTask {
  readonly id: number
  readonly password: string
  /** That an attacker would try with it. */
  readonly words: readonly string[]
}

export interface Judgement {
  readonly id: number
  /** zxcvbn's, 0 to 4. */
  readonly score: number
}

/** The estimate's effort grows with the square of the length, and what follows cannot make a password easier to guess. */
const JUDGED_CHARACTERS = 100
/** Fewer of its guesses at letters written as digits keep the longest estimate at a few dozen milliseconds. */
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

declare const self: Worker

self.onmessage = async ({ data: { id, password, words } }: MessageEvent<JudgeTask>) => {
  const judged = [...password].slice(0, JUDGED_CHARACTERS).join('')
  judge ??= makeJudge()
  self.postMessage({ id, score: (await judge).check(judged, [...words]).score } satisfies Judgement)
}
