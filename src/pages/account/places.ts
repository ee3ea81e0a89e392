/** The pages below `/account`, and what they hand to their islands. */

import type { Language } from '../../mail/language.ts'

/** Pages of somebody signed in, in the order of their navigation. */
export const CONSOLE_PATHS = {
  keys: '/account',
  usage: '/account/usage',
  logs: '/account/logs',
  security: '/account/security',
  profile: '/account/profile',
} as const

export type ConsoleSection = keyof typeof CONSOLE_PATHS

/** Pages for whoever is not signed in, or comes with the link of a mail. */
export const ENTRY_PATHS = {
  login: '/account/login',
  signup: '/account/signup',
  forgot: '/account/forgot',
  reset: '/account/reset',
  verify: '/account/verify',
} as const

export type Entry = keyof typeof ENTRY_PATHS

/** What the page of signing in says to those who were sent there. */
export const NOTES = ['deleted', 'reset', 'ended', 'gone'] as const

/** What every account page tells its island. */
export interface AccountFacts {
  readonly language: Language
  /** The language when it was chosen by hand: it travels along. */
  readonly chosenLanguage: Language | null
  /** Absolute address of the service, for requests to copy. */
  readonly base: string
}

export interface ConsoleFacts extends AccountFacts {
  readonly section: ConsoleSection
  readonly email: string
}

export interface EntryFacts extends AccountFacts {
  readonly entry: Entry
  /** The page that somebody wanted to see before signing in. */
  readonly next: string
}

/** Element that an island takes over, and element that holds its facts. */
export const ROOT_ID = 'island'
export const FACTS_ID = 'facts'

/** An address that keeps a language chosen by hand. */
export function accountLink(
  { chosenLanguage }: Pick<AccountFacts, 'chosenLanguage'>,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const all = { ...parameters, ...(chosenLanguage !== null && { lang: chosenLanguage }) }
  const query = new URLSearchParams(all).toString()
  return query === '' ? path : `${path}?${query}`
}

/** The console page of an address; whatever else somebody puts into `next` leads to the first. */
export function consolePath(address: string | null | undefined): string {
  return Object.values(CONSOLE_PATHS).find((path) => path === address) ?? CONSOLE_PATHS.keys
}
