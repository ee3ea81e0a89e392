/**
 * What scopes can name: the domains and datasets of the catalog. A key with a misspelt scope would read nothing, which
 * shows only when a program gets 404.
 */

import { ApiError, type Problem } from '../../base/errors.ts'
import { suggest } from '../../base/text/suggest.ts'

/** What the check needs of the catalog. */
interface KnownPlaces {
  find(id: string): { readonly domain: string } | undefined
  /** Ids and domains of the first datasets, `most` at the most. */
  names(most: number): { readonly id: string; readonly domain: string }[]
  domains(): { readonly domain: string }[]
}

/** Datasets that a misspelt name is compared with. */
const MOST_COMPARED = 1000

/**
 * Refuses scopes of unknown domains and datasets, with two exceptions: any scope while the catalog is empty, and
 * `publish` of a domain whose name resembles no other, since its first dataset makes it.
 * @param own domains of the account's role, which may have no dataset yet
 * @throws ApiError `invalid_body` with the nearest scopes as suggestions
 */
export function requireKnownScopes(
  catalog: KnownPlaces,
  scopes: readonly string[],
  own: readonly string[] = [],
): void {
  const domains = [...new Set([...catalog.domains().map(({ domain }) => domain), ...own])]
  if (domains.length === own.length) return
  const problems = scopes.flatMap((scope): Problem[] => {
    const [, verb = '', domain = '', id] = /^(\w+):(\w+)(?:\/(\w+))?$/.exec(scope) ?? []
    if (verb === '') return []
    if (id === undefined ? domains.includes(domain) : catalog.find(id)?.domain === domain) return []
    const near = id === undefined ? suggest(domain, domains).map((name) => `${verb}:${name}`) : []
    const suggestions = near.length > 0 || verb !== 'read' ? near : nearDatasets(catalog, id ?? domain)
    if (verb === 'publish' && suggestions.length === 0) return []
    const what = id === undefined ? `domain ${domain}` : `dataset ${domain}/${id}`
    const message = `There is no ${what} for the scope ${scope}.`
    if (suggestions.length === 0) return [{ location: 'body.scopes', message }]
    const meant = `${message} Did you mean ${suggestions.join(' or ')}?`
    return [{ location: 'body.scopes', message: meant, suggestions }]
  })
  if (problems.length === 0) return
  throw new ApiError('invalid_body', problems.map(({ message }) => message).join(' '), problems)
}

/** Datasets with a similar name, also in another domain, or when the name is where a domain should be. */
function nearDatasets(catalog: KnownPlaces, name: string): string[] {
  const places = new Map(catalog.names(MOST_COMPARED).map((place) => [place.id, place.domain]))
  return suggest(name, places.keys()).map((id) => `read:${places.get(id)}/${id}`)
}
