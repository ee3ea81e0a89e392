/** Which passwords are taken (contract 5): long enough, hard to guess, not leaked, no rules about kinds of characters. */

import { ApiError } from '../../../base/errors.ts'
import { isLeaked } from './leaked-passwords.ts'
import { LONGEST_PASSWORD, type PasswordHasher } from './password-hash.ts'

const SHORTEST_PASSWORD = 10
const LEAST_SCORE = 2

/**
 * @param passwords where it is judged, off the main thread
 * @param email the account's address
 * @param location place of the password in the request, for the answer's detail
 * @throws ApiError `weak_password`, saying which rule, `service_unavailable` when too many are waiting
 */
export async function requireGoodPassword(
  passwords: Judging,
  password: string,
  email: string,
  location: 'body.password' | 'body.new_password',
): Promise<void> {
  const message = await findWeakness(passwords, password, email)
  if (message !== undefined) throw new ApiError('weak_password', message, [{ location, message }])
}

type Judging = Pick<PasswordHasher, 'score'>

async function findWeakness(
  passwords: Judging,
  password: string,
  email: string,
): Promise<string | undefined> {
  const characters = [...password]
  if (characters.length < SHORTEST_PASSWORD) return `A password has at least ${SHORTEST_PASSWORD} characters.`
  if (characters.length > LONGEST_PASSWORD) return `A password has at most ${LONGEST_PASSWORD} characters.`
  if (password.toLowerCase().includes(email.toLowerCase())) return 'The password contains the e-mail address.'
  if (isLeaked(password))
    return 'This password is among those that leaked most often, which attackers try first. Use another.'

  const score = await passwords.score(password, email.split(/[@.]/))
  return score < LEAST_SCORE
    ? 'This password is easy to guess. Use several unrelated words, or let a password manager make one.'
    : undefined
}
