/** What a key with scopes can read: every address of `/v1`, for each dataset inside and outside each scope. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { mintKey, renameKey } from '../../src/accounts/keys/keys.ts'
import { ROUTES } from '../../src/server/routes.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { runs } from '../support/property-runs.ts'
import { TOWNS } from '../support/towns.ts'

const DATASETS = ['economy/trade', 'economy/fleet', 'health/beds', 'health/fleet_of_health'] as const
type Place = (typeof DATASETS)[number]

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  for (const place of DATASETS) {
    const [domain, id] = place.split('/') as [string, string]
    await app.publish({ ...TOWNS, id, domain, title: `Numbers of ${id}`, description: null })
  }
})
afterAll(() => app.stop())

const now = () => new Date()
const mint = (scopes: readonly string[]) =>
  mintKey(app.app.accounts, OPERATOR, { label: 'scoped', plan: 'unlimited', scopes }, now())

/** The addresses of one dataset, from the declared routes. */
const ADDRESSES = ROUTES.filter(({ path, access }) => access === 'key' && path.includes('/:')).map(
  ({ path }) => path,
)

function addressOf(pattern: string, place: string): string {
  const [domain, id] = place.split('/') as [string, string]
  return pattern.replace(':domain', domain).replace(':dataset', id).replace(':slug', id)
}

/** The datasets that a page of the catalog lists, and the total that it states. */
async function listed(address: string, key: string): Promise<string[]> {
  const { body } = await app.get(address, { key })
  expect(body.pagination.total).toBe(body.data.length)
  return body.data.map((entry: { domain: string; id: string }) => `${entry.domain}/${entry.id}`).sort()
}

const SCENARIOS: readonly (readonly [scopes: readonly string[], readable: readonly Place[]])[] = [
  [['read'], DATASETS],
  [['read', 'publish'], DATASETS],
  [['read:economy', 'read'], DATASETS],
  [['read:economy'], ['economy/trade', 'economy/fleet']],
  [['read:economy/trade'], ['economy/trade']],
  [
    ['read:health', 'read:economy/trade'],
    ['health/beds', 'health/fleet_of_health', 'economy/trade'],
  ],
  [
    ['read:health', 'publish:economy'],
    ['health/beds', 'health/fleet_of_health'],
  ],
  [['read:health/trade'], []],
  [['read:nowhere'], []],
  [['publish'], []],
  [['publish:economy'], []],
]

describe('a key', () => {
  test.each(SCENARIOS)('with scopes %j reads exactly %j, at every address', async (scopes, readable) => {
    expect(ADDRESSES.length).toBeGreaterThanOrEqual(4)
    const { secret: key } = await mint(scopes)
    for (const place of DATASETS) {
      for (const pattern of ADDRESSES) {
        const address = addressOf(pattern, place)
        const { status, body, headers, text } = await app.get(address, { key })
        const outcome = readable.includes(place) ? 200 : '404 dataset_not_found'
        expect([address, status === 200 ? 200 : `${status} ${body.error.code}`]).toEqual([address, outcome])
        if (status === 200) continue
        expect(headers.get('etag')).toBeNull()
        for (const other of DATASETS.filter((one) => one !== place && !readable.includes(one)))
          expect(text).not.toContain(other)
      }
    }
    expect(await listed('/v1/datasets', key)).toEqual(readable.toSorted())
    expect(await listed('/v1/search?q=numbers', key)).toEqual(readable.toSorted())
    const ofEconomy = readable.filter((place) => place.startsWith('economy/'))
    expect(await listed('/v1/datasets?domain=economy', key)).toEqual(ofEconomy.toSorted())
    const fleets = readable.filter((place) => place.includes('fleet'))
    expect(await listed('/v1/search?q=fleet', key)).toEqual(fleets.toSorted())
  })

  test('gets the same answer for what it may not read as for what does not exist', async () => {
    const { secret: key } = await mint(['read:economy'])
    const messageOf = async (address: string) => (await app.get(address, { key })).body.error
    for (const [there, missing] of [
      ['/v1/health/beds', '/v1/health/bads'],
      ['/v1/datasets/beds', '/v1/datasets/bads'],
      ['/v1/datasets/beds/quality', '/v1/datasets/bads/quality'],
      ['/v1/economy/beds', '/v1/economy/bads'],
    ] as const) {
      const told = JSON.stringify(await messageOf(missing))
      expect(JSON.stringify(await messageOf(there)).replaceAll('beds', 'bads')).toBe(told)
    }
    // What the key may read is still suggested.
    expect((await messageOf('/v1/economy/trad')).message).toContain('economy/trade')
  })

  test('sees a definition without data only within its scopes', async () => {
    const shipped = '/v1/education/elevi_2015_2016'
    const codeWith = async (scopes: string[]) =>
      (await app.get(shipped, { key: (await mint(scopes)).secret })).body.error.code
    expect(await codeWith(['read'])).toBe('dataset_not_ingested')
    expect(await codeWith(['read:education'])).toBe('dataset_not_ingested')
    expect(await codeWith(['read:economy'])).toBe('dataset_not_found')
  })

  test('never gets a page rendered for a key with other scopes, and gets a different tag', async () => {
    const address = '/v1/economy/trade?limit=3&sort=-people'
    const all = await mint(['read'])
    const tags = new Set<string>()
    for (const scopes of [['read'], ['read:economy'], ['read:economy/trade'], ['read:health'], ['read']]) {
      const { secret: key } = await mint(scopes)
      // The first request renders the page, later ones get it from the cache.
      for (const _ of [1, 2, 3]) {
        const { status, headers } = await app.get(address, { key })
        expect([scopes, status]).toEqual([scopes, scopes.includes('read:health') ? 404 : 200])
        if (status === 200) tags.add(headers.get('etag')!)
      }
    }
    expect(tags.size).toBe(3)
    const etag = (await app.get('/v1/datasets', { key: all.secret })).headers.get('etag')!
    const narrow = await mint(['read:economy'])
    const unchanged = (key: string) => app.get('/v1/datasets', { key, headers: { 'if-none-match': etag } })
    expect((await unchanged(all.secret)).status).toBe(304)
    expect((await unchanged(narrow.secret)).status).toBe(200)
  })

  test('follows changed scopes from the next request on', async () => {
    const { secret: key, key_id } = await mint(['read'])
    const status = async () => (await app.get('/v1/economy/trade?limit=1', { key })).status
    const change = (scopes: string[]) =>
      renameKey(app.app.accounts, OPERATOR, key_id, { scopes }, () => null, now())
    expect(await status()).toBe(200)
    await change(['read:health'])
    expect(await status()).toBe(404)
    await change(['read:health', 'read:economy/trade'])
    expect(await status()).toBe(200)
  })

  test('reads what the oracle allows', async () => {
    const scope = fc.oneof(
      fc.constantFrom('read', 'publish', 'read:economy', 'read:health', 'publish:economy'),
      fc.constantFrom(...DATASETS, 'economy/beds').map((place) => `read:${place}`),
    )
    const lists = fc.uniqueArray(scope, { minLength: 1, maxLength: 4 })
    const property = fc.asyncProperty(lists, async (scopes) => {
      const { secret: key } = await mint(scopes)
      const expected = DATASETS.filter((place) => mayRead(scopes, place)).toSorted()
      expect(await listed('/v1/datasets', key)).toEqual(expected)
      for (const place of DATASETS) {
        const { status } = await app.get(`/v1/${place}?limit=1`, { key })
        expect([scopes, place, status]).toEqual([scopes, place, expected.includes(place) ? 200 : 404])
      }
    })
    await fc.assert(property, { numRuns: runs(100) })
  })
})

/** The oracle: contract 11, to the letter. */
function mayRead(scopes: readonly string[], place: string): boolean {
  const [domain] = place.split('/')
  return scopes.some((scope) => scope === 'read' || scope === `read:${domain}` || scope === `read:${place}`)
}
