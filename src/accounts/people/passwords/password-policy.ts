/** Which passwords are accepted (contract 5): long, hard to guess, not leaked; no rules on kinds of characters. */

import { readFileSync } from 'node:fs'
import { sha256 } from '../../../base/crypto/sha256.ts'
import { ApiError } from '../../../base/errors.ts'
import tableFile from './leaked-passwords.bin' with { type: 'file' }
import { LONGEST_PASSWORD, type PasswordHasher } from './password-hash.ts'

const LEAST_SCORE = 2

/**
 * @param passwords judges it, off the main thread
 * @param email the account's address
 * @param location of the password in the request, for the answer's detail
 * @throws ApiError `weak_password`, which names the rule; `service_unavailable` when too many are waiting
 */
export async function requireGoodPassword(
  passwords: Pick<PasswordHasher, 'score'>,
  password: string,
  email: string,
  location: 'body.password' | 'body.new_password',
): Promise<void> {
  const refusal = (message: string) => new ApiError('weak_password', message, [{ location, message }])
  const { length } = [...password]
  if (length < SHORTEST_PASSWORD) throw refusal(`A password has at least ${SHORTEST_PASSWORD} characters.`)
  if (length > LONGEST_PASSWORD) throw refusal(`A password has at most ${LONGEST_PASSWORD} characters.`)
  if (password.toLowerCase().includes(email.toLowerCase()))
    throw refusal('The password contains the e-mail address.')
  if (isLeaked(password))
    throw refusal(
      'This password is among those that leaked most often, which attackers try first. Use another.',
    )
  if ((await passwords.score(password, email.split(/[@.]/))) < LEAST_SCORE)
    throw refusal(
      'This password is easy to guess. Use several unrelated words, or let a password manager make one.',
    )
}

/**
 * Passwords that leaked often (OWASP ASVS 5.0, 6.2.4 and 6.2.12): those with ten characters or more, 112,130 of the
 * million most frequent ones (`build/leaked-passwords.ts`), compared without regard to case. They are a Bloom filter of
 * 256 KiB, in which each password sets 13 bits. One that leaked is always found; one in 8,000 others is taken for
 * leaked, and its owner chooses another. Shorter passwords are refused by their length.
 */
export const SHORTEST_PASSWORD = 10
export const TABLE_BYTES = 1 << 18
const PLACES = 13

let table: Uint8Array | undefined

/** Whether a password, in any capitalisation, is one that leaked. */
export function isLeaked(password: string): boolean {
  table ??= readFileSync(tableFile)
  const bits = table
  return placesOf(leakedForm(password)).every((place) => (bits[place >>> 3]! & (1 << (place & 7))) !== 0)
}

/** A password as it is compared. */
export function leakedForm(password: string): string {
  return password.normalize('NFC').toLowerCase()
}

/** The bits of a password: two numbers of its hash, combined (Kirsch and Mitzenmacher 2006). */
export function placesOf(compared: string): number[] {
  const hash = new DataView(sha256(compared).buffer)
  const [first, step] = [hash.getUint32(0), hash.getUint32(4) | 1]
  return Array.from({ length: PLACES }, (_, n) => ((first + n * step) >>> 0) % (8 * TABLE_BYTES))
}
