/** Which passwords are taken (contract 5): long enough, hard to guess, not leaked, no rules about kinds of characters. */

import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { ApiError } from '../../base/errors.ts'
import { isLeaked } from './leaked-passwords.ts'
import { LONGEST_PASSWORD } from './password-hash.ts'

const SHORTEST_PASSWORD = 10
const LEAST_SCORE = 2
/** The estimate's effort grows with the square of the length, and what follows cannot make a password easier to guess. */
const JUDGED_CHARACTERS = 100
/** Fewer of its guesses at letters written as digits keep the longest estimate at a few dozen milliseconds. */
const LEET_SUBSTITUTIONS = 10

/**
 * @param email the account's address
 * @param location place of the password in the request, for the answer's detail
 * @throws ApiError `weak_password`, saying which rule
 */
export async function requireGoodPassword(
  password: string,
  email: string,
  location: 'body.password' | 'body.new_password',
): Promise<void> {
  const message = await findWeakness(password, email)
  if (message !== undefined) throw new ApiError('weak_password', message, [{ location, message }])
}

async function findWeakness(password: string, email: string): Promise<string | undefined> {
  const characters = [...password]
  if (characters.length < SHORTEST_PASSWORD) return `A password has at least ${SHORTEST_PASSWORD} characters.`
  if (characters.length > LONGEST_PASSWORD) return `A password has at most ${LONGEST_PASSWORD} characters.`
  if (password.toLowerCase().includes(email.toLowerCase())) return 'The password contains the e-mail address.'
  if (isLeaked(password))
    return 'This password is among those that leaked most often, which attackers try first. Use another.'

  const judge = await loadJudge()
  const { score } = judge.check(characters.slice(0, JUDGED_CHARACTERS).join(''), email.split(/[@.]/))
  return score < LEAST_SCORE
    ? 'This password is easy to guess. Use several unrelated words, or let a password manager make one.'
    : undefined
}

let loading: Promise<ZxcvbnFactory> | undefined

/** Its dictionaries take time and memory that commands and most days of a service never need. */
function loadJudge(): Promise<ZxcvbnFactory> {
  loading ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }]) =>
      new ZxcvbnFactory({
        dictionary,
        graphs: adjacencyGraphs,
        l33tMaxSubstitutions: LEET_SUBSTITUTIONS,
        maxLength: JUDGED_CHARACTERS,
      }),
  )
  return loading
}
