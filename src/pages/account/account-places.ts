import type { Language } from '../../base/text/language.ts'

export const CONSOLE_PATHS = {
  keys: '/account',
  usage: '/account/usage',
  logs: '/account/logs',
  security: '/account/security',
  profile: '/account/profile',
} as const

export type ConsoleSection = keyof typeof CONSOLE_PATHS

/** Pages for users who are not signed in or who follow a link from a mail. */
export const ENTRY_PATHS = {
  login: '/account/login',
  signup: '/account/signup',
  forgot: '/account/forgot',
  reset: '/account/reset',
  verify: '/account/verify',
} as const

export type Entry = keyof typeof ENTRY_PATHS

/** Why a user was redirected to the sign-in page. */
export const NOTES = ['deleted', 'reset', 'ended', 'gone'] as const

export interface AccountFacts {
  readonly language: Language
  readonly chosenLanguage: Language | null
  /** Absolute address of the service, for requests to copy. */
  readonly base: string
  /** Whether the service sends e-mails; without a mail server it writes them to its log. */
  readonly sendsMail: boolean
}

export interface ConsoleFacts extends AccountFacts {
  readonly section: ConsoleSection
  readonly email: string
  /** The second factor of signing in; `required` means that it is off and the service asks for it. */
  readonly secondFactor: 'on' | 'off' | 'required'
  /** What scopes of keys can name; only on the page of keys. */
  readonly places: readonly {
    readonly domain: string
    readonly label: string
    readonly ids: readonly string[]
  }[]
  readonly publishes: 'all' | readonly string[]
  /** Parameters of the page's address. */
  readonly query: Readonly<Record<string, string>>
}

export interface EntryFacts extends AccountFacts {
  readonly entry: Entry
  readonly next: string
}

export const PERSON_FIELDS = [
  { name: 'full_name', says: 'fullName', autoComplete: 'name', maxLength: 200, optional: true },
  { name: 'organization', autoComplete: 'organization', maxLength: 200, optional: true },
] as const

export const ROOT_ID = 'island'
export const FACTS_ID = 'facts'

/** An address that keeps a language chosen on the page. */
export function accountLink(
  { chosenLanguage }: Pick<AccountFacts, 'chosenLanguage'>,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const all = { ...parameters, ...(chosenLanguage !== null && { lang: chosenLanguage }) }
  const query = new URLSearchParams(all).toString()
  return query === '' ? path : `${path}?${query}`
}

const DESK_PATH = /^\/(publish(\/drafts\/[a-z0-9]{24}|\/datasets\/[a-z0-9_]{1,64})?|operate(\/[a-z0-9-]+)*)$/

/** The address if it is a page behind the sign-in; any other value of `next` becomes the console's first page. */
export function pageBehind(address: string | null | undefined): string {
  if (address && DESK_PATH.test(address)) return address
  return Object.values(CONSOLE_PATHS).find((path) => path === address) ?? CONSOLE_PATHS.keys
}
