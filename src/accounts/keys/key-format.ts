/**
 * The text of an API key: `rok_`, 32 base62 characters (190 bits from the system's generator), and the CRC-32 of
 * everything before it as 6 base62 characters.
 *
 * Threat: the checksum protects nothing; it lets a mistyped or made-up key be refused without a lookup, and lets
 * secret scanners tell a real key from noise. The plaintext exists at the client and in the one answer that shows
 * it. Only its SHA-256 is stored: 190 random bits cannot be searched, so a slow hash would add nothing.
 */

import { generateRandomString } from 'oslo/crypto'
import { BASE62, encodeBase62 } from '../../base/crypto/base62.ts'

const PREFIX = 'rok_'
const RANDOM_LENGTH = 32
const CHECK_LENGTH = 6
const KEY_LENGTH = PREFIX.length + RANDOM_LENGTH + CHECK_LENGTH
const KEY_SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`)

/**
 * Anything that looks like an API key, for refusing it in addresses and keeping it out of logs. Each character may also
 * be percent-encoded, once or several times over (`%5F`, `%255F`).
 */
const ENCODED = '%(?:25)*'
const KEY_LOOKALIKE = new RegExp(
  `(?:r|${ENCODED}72)(?:o|${ENCODED}6[Ff])(?:k|${ENCODED}6[Bb])(?:_|${ENCODED}5[Ff])` +
    `(?:[0-9A-Za-z]|${ENCODED}(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])){20,}`,
)
const EVERY_KEY_LOOKALIKE = new RegExp(KEY_LOOKALIKE, 'g')

/** Makes a secret. Every character is equally likely: oslo draws again instead of taking a remainder. */
export function generateKey(): string {
  const body = PREFIX + generateRandomString(RANDOM_LENGTH, BASE62)
  return body + checkOf(body)
}

/** Whether a text is a well-formed key with a correct checksum. Needs no lookup. */
export function isWellFormedKey(text: string): boolean {
  if (text.length !== KEY_LENGTH || !KEY_SHAPE.test(text)) return false
  return text.endsWith(checkOf(text.slice(0, -CHECK_LENGTH)))
}

/** The part of a key that may always be shown: enough to recognise it, not enough to use it. */
export function keyHint(secret: string): string {
  return `${PREFIX}…${secret.slice(-4)}`
}

/** Whether a text contains anything that looks like a key. */
export function holdsKey(text: string): boolean {
  return KEY_LOOKALIKE.test(text)
}

/** Hides the keys in a text, for logs. */
export function hideKeys(text: string): string {
  // A quick test rules most texts out.
  if (!text.includes('rok_') && !text.includes('%')) return text
  return text.replace(EVERY_KEY_LOOKALIKE, 'rok_…')
}

function checkOf(body: string): string {
  return encodeBase62(Bun.hash.crc32(body), CHECK_LENGTH)
}
