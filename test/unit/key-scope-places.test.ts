/** Which scopes name something that exists, and what a misspelt one may have meant. */

import { expect, test } from 'bun:test'
import { requireKnownScopes } from '../../src/accounts/keys/scope-places.ts'
import type { ApiError } from '../../src/base/errors.ts'

const PLACES = [
  { domain: 'economy', id: 'trade' },
  { domain: 'economy', id: 'fleet' },
  { domain: 'transport', id: 'vehicle_registry' },
]
const CATALOG = catalogOf(PLACES)

function catalogOf(places: typeof PLACES) {
  return {
    find: (id: string) => places.find((place) => place.id === id),
    names: () => places,
    domains: () => places.map(({ domain }) => ({ domain })),
  }
}

/** The suggestions for each scope that is refused. */
function refusedIn(scopes: readonly string[], catalog = CATALOG, own: readonly string[] = []) {
  try {
    requireKnownScopes(catalog, scopes, own)
    return []
  } catch (error) {
    expect((error as ApiError).code).toBe('invalid_body')
    return (error as ApiError).detail!.map(({ location, suggestions = [] }) => {
      expect(location).toBe('body.scopes')
      return suggestions
    })
  }
}

test.each([
  [['read', 'publish']],
  [['read:economy', 'read:transport/vehicle_registry', 'publish:economy']],
  // The first dataset creates a domain.
  [['publish:health']],
])('%j exist', (scopes) => {
  expect(refusedIn(scopes)).toEqual([])
})

test.each([
  ['read:transprot', ['read:transport']],
  ['publish:transprot', ['publish:transport']],
  ['read:economy/trad', ['read:economy/trade']],
  ['read:transport/trade', ['read:economy/trade']],
  ['read:vehicle_registry', ['read:transport/vehicle_registry']],
  ['read:health', []],
])('%s is refused, with %j', (scope, suggestions) => {
  expect(refusedIn(['read:economy', scope])).toEqual([suggestions])
})

test('domains of the role exist before their datasets, and an empty catalog refuses nothing', () => {
  expect(refusedIn(['publish:econ', 'read:econ'], CATALOG, ['econ'])).toEqual([])
  expect(refusedIn(['read:anything', 'publish:econ'], catalogOf([]), ['health'])).toEqual([])
})
