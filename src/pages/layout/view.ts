import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import type { App } from '../../app.ts'
import { LANGUAGES } from '../../base/text/language.ts'
import { type Parameter, readQueryString, writeQueryString } from '../../base/text/query-string.ts'
import type { Exchange } from '../../http/exchange.ts'
import { preferredLanguage } from '../../http/negotiation.ts'
import { safeBase } from '../../interop/addresses.ts'

export type View = ReturnType<typeof viewOf>

/**
 * Reads what a page needs from its request. The language is `lang`, else the one of the signed-in account, else the one
 * that the browser prefers.
 */
export function viewOf(app: App, exchange: Exchange, session?: FoundSession) {
  const given = readQueryString(exchange.query).parameters
  const chosen = LANGUAGES.find((known) =>
    given.some(({ name, value }) => name === 'lang' && value === known),
  )
  const user = session?.body.user
  const language =
    chosen ?? user?.language ?? preferredLanguage(exchange.request.headers.get('accept-language'))
  const parameters = given.filter(({ name }) => name !== 'lang')
  // A path on this host: browsers read two leading slashes, of either kind, as the start of a host name.
  const path = exchange.path.replace(/^[/\\]+/, '/')
  const base = safeBase(exchange.base)
  const other = LANGUAGES[(LANGUAGES.indexOf(language) + 1) % LANGUAGES.length]!
  return {
    app,
    exchange,
    language,
    domainLabels: app.config.domain_labels,
    base,
    path,
    /** The parameters without `lang`. */
    parameters,
    /** The language if it was chosen on the page (`lang`), for forms to keep; `link` keeps it by itself. */
    chosenLanguage: chosen,
    isSignedIn: user !== undefined,
    /** Whether the reader is the owner of a service on a desktop. */
    isOnDesktop: app.desktop !== null && user?.role === 'operator',
    isPublisher: user !== undefined && user.role !== 'reader',
    /** Whether the account can see the operators' desk. */
    isOperator: user?.role === 'operator' && showsDesk(app.config, exchange.isLocal),
    /** Makes an address of this site that keeps a language chosen on the page. */
    link: (target: string, extra: readonly Parameter[] = []) =>
      addressOf(target, chosen === undefined ? extra : [...extra, { name: 'lang', value: chosen }]),
    otherLanguage: {
      language: other,
      address: addressOf(path, [...parameters, { name: 'lang', value: other }]),
    },
  }
}

/** Whether the setting `operate` allows the operators' desk. @param isLocal whether the call comes from this machine */
export function showsDesk({ operate }: Pick<App['config'], 'operate'>, isLocal: boolean): boolean {
  return operate === 'on' || (operate === 'loopback' && isLocal)
}

function addressOf(path: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return path
  const [place, fragment] = path.split('#', 2) as [string, string | undefined]
  return `${place}?${writeQueryString(parameters)}${fragment === undefined ? '' : `#${fragment}`}`
}
