/** Arguments that commands read alike. */

import { InvalidArgumentError } from 'commander'

/**
 * A whole number from 1, as the ids of keys and the numbers of versions, lines and records are.
 * @throws InvalidArgumentError, which ends the command with the exit code of wrong usage
 */
export function parseCountingNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is a whole number, 1 or more.')
}
