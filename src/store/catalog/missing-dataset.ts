/** Refusals of an unknown dataset, with similar names or the place where all datasets are listed. */

import { ApiError, CommandError } from '../../base/errors.ts'
import { suggest } from '../../base/text/suggest.ts'
import type { CatalogLookups } from './lookups.ts'
import type { ServedDataset } from './record.ts'
import { holdsDataset, type Places } from './search/places.ts'

/**
 * The refusal of a request. A dataset that its key may not read is refused like one that does not exist.
 * @param name as the caller named it: `economy/trade`, `"trade"`
 * @param within the places that its key may read
 */
export function refuseDataset(
  catalog: CatalogLookups,
  id: string,
  name: string,
  location: string,
  within: Places = 'all',
): ApiError {
  const near = findNear(catalog, id).filter((entry) => holdsDataset(within, entry.domain, entry.id))
  const suggestions = near.map((entry) => `${entry.domain}/${entry.id}`)
  const hint =
    near.length === 0 ? 'GET /v1/datasets lists all datasets.' : `Did you mean ${suggestions.join(' or ')}?`
  const where = within === 'all' ? '' : ' within the scopes of this key'
  const message = `There is no dataset ${name}${where}. ${hint}`
  return new ApiError('dataset_not_found', message, [
    { location, message, ...(near.length > 0 && { suggestions }) },
  ])
}

/** The failure of a command. */
export function failDataset(catalog: CatalogLookups, id: string): CommandError {
  const near = findNear(catalog, id).map((entry) => entry.id)
  const hint = near.length === 0 ? '"izvor datasets list" shows all' : `did you mean ${near.join(' or ')}?`
  return new CommandError('failed', `there is no dataset ${id}; ${hint}`)
}

/** The failure of a command that names a version that is not kept; if none is kept, as `failDataset`. */
export function failVersion(catalog: CatalogLookups, id: string, version: number | undefined): CommandError {
  const kept = catalog.versions(id).map((one) => one.version)
  if (kept.length === 0) return failDataset(catalog, id)
  const message = `version ${version} of ${id} is not kept; those that are: ${kept.join(', ')}`
  return new CommandError('failed', message)
}

/** The served dataset that a command names. @throws CommandError `failed` when there is none */
export function requireServed(catalog: CatalogLookups, id: string): ServedDataset {
  const served = catalog.find(id)
  if (served === undefined) throw failDataset(catalog, id)
  return served
}

function findNear(catalog: CatalogLookups, id: string): { id: string; domain: string }[] {
  // At most 1000 datasets are compared; a larger catalog has the search.
  const byId = new Map(catalog.names(1000).map((entry) => [entry.id, entry]))
  return suggest(id, byId.keys()).flatMap((near) => byId.get(near) ?? [])
}
