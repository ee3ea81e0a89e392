/** Rules for ids, domains, column names and titles. */

import { CommandError } from '../../base/errors.ts'
import { LONGEST_NAME, snakeCase } from '../../base/text/snake-case.ts'

export const NAME_PATTERN = '^[a-z0-9_]{1,64}$'
export const NAME_IN_WORDS = `small letters a to z, digits and _, at most ${LONGEST_NAME} of them`
export const LONGEST_TITLE = 500
/** Limit, in characters, on publishers' texts about a dataset and its columns: catalogs and descriptors repeat them. */
export const LONGEST_TEXT = 10_000
export const LONGEST_KEYWORD = 100
export const MOST_KEYWORDS = 100
const NAME = new RegExp(NAME_PATTERN)
/** First segments of paths that are not domains. */
const RESERVED_DOMAINS = ['datasets', 'search']

/** Whether a text may be an id, a domain or a column name. */
export function isName(text: string): boolean {
  return NAME.test(text)
}

export function isReservedDomain(domain: string): boolean {
  return RESERVED_DOMAINS.includes(domain)
}

/** @throws CommandError `usage` unless the text may be a domain */
export function requireDomain(domain: string): string {
  if (isReservedDomain(domain)) throw new CommandError('usage', `the domain '${domain}' is reserved`)
  return requireName('domain', domain)
}

/** @param what for the message @throws CommandError `usage` unless the text may be a domain's or a dataset's id */
export function requireName(what: 'id' | 'domain', text: string): string {
  if (isName(text)) return text
  const near = snakeCase(text)
  const hint = near === '' ? '' : `, for example '${near}'`
  throw new CommandError('usage', `the ${what} '${text}' must consist of ${NAME_IN_WORDS}${hint}`)
}

/** @throws CommandError `usage` unless the text may be a dataset's title; outer white space is not part of it */
export function requireTitle(title: string): string {
  const trimmed = title.trim()
  if (trimmed !== '' && trimmed.length <= LONGEST_TITLE) return trimmed
  const wrong = trimmed === '' ? 'is empty' : `has ${trimmed.length} characters`
  throw new CommandError('usage', `the title ${wrong}; it needs one to ${LONGEST_TITLE}`)
}
