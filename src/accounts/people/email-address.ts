/** E-mail addresses as sign-up accepts them: the everyday form of RFC 5321, Unicode included, without quoted parts. */

import { domainToASCII } from 'node:url'
import { OWNER_EMAIL } from '../mail/queue.ts'

export interface EmailAddress {
  /** As written, but trimmed. */
  readonly email: string
  /**
   * For comparing: NFC and lower case, the domain as in DNS (`exämple.ro` is `xn--exmple-cua.ro`). Servers may treat the
   * part before the @ as they like (RFC 5321 2.4), but two accounts that differ only in capitals are a trap for people.
   */
  readonly key: string
}

const MOST_CHARACTERS = 254
const MOST_LOCAL = 64
/** No blanks, control characters, brackets, quotes or separators, which could break a header or a list. */
const LOCAL = /^[^\s\p{C}@<>()[\]\\,;:"]+$/u
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u

/** A label in DNS. If the last consisted of digits, the domain would be an IPv4 address. */
const DNS_LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
const DIGITS = /^\d+$/

/** The owner's account. No address of the everyday form equals it. */
export const OWNER: EmailAddress = { email: OWNER_EMAIL, key: OWNER_EMAIL }

/** @returns undefined when the text is not an address */
export function parseEmail(text: string): EmailAddress | undefined {
  const email = text.trim().normalize('NFC')
  if (email.toLowerCase() === OWNER.key) return OWNER
  const at = email.lastIndexOf('@')
  if (at < 1 || email.length > MOST_CHARACTERS) return undefined
  const local = email.slice(0, at)
  const labels = email.slice(at + 1).split('.')
  if (local.length > MOST_LOCAL || !LOCAL.test(local)) return undefined
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return undefined
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return undefined
  const domain = domainToASCII(email.slice(at + 1))
  const names = domain.split('.')
  if (names.length < 2 || !names.every((name) => DNS_LABEL.test(name))) return undefined
  return DIGITS.test(names.at(-1)!) ? undefined : { email, key: `${local.toLowerCase()}@${domain}` }
}
