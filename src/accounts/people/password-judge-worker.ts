/** The thread that judges passwords. `PasswordJudge` is its only client. */

import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

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

const judge = new ZxcvbnFactory({
  dictionary,
  graphs: adjacencyGraphs,
  l33tMaxSubstitutions: LEET_SUBSTITUTIONS,
  maxLength: JUDGED_CHARACTERS,
})

declare const self: Worker

self.onmessage = ({ data: { id, password, words } }: MessageEvent<JudgeTask>) => {
  const judged = [...password].slice(0, JUDGED_CHARACTERS).join('')
  self.postMessage({ id, score: judge.check(judged, [...words]).score } satisfies Judgement)
}
