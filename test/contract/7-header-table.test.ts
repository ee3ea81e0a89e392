import { afterAll, beforeAll, expect, test } from 'bun:test'
import { lastResort } from '../../src/http/errors.ts'
import * as table from '../../src/http/headers.ts'
import { assetPath } from '../../src/pages/layout/assets.ts'
import { ACCESS, type Access } from '../../src/server/declaration/access.ts'
import { ROUTES } from '../../src/server/routes.ts'
import { type AccountApp, startAccountApp } from '../support/browser.ts'
import { TOWNS } from '../support/towns.ts'

let accounts: AccountApp
beforeAll(async () => {
  accounts = await startAccountApp({ public_per_minute: 10_000 })
  await accounts.app.publish(TOWNS)
  await accounts.app.ingestCsv('place,lat,lon\nCluj,46.77,23.6\n', { id: 'places', domain: 'geospatial' })
})
afterAll(() => accounts.stop())

/** The headers that the table sets; `Vary` and the type depend on the route. */
const DECIDED = [
  'X-Content-Type-Options',
  'Referrer-Policy',
  'Content-Security-Policy',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Credentials',
  'Cache-Control',
]
const decided = (given: Headers | Readonly<Record<string, string>>) => {
  const headers = new Headers(given)
  return DECIDED.map((name) => `${name}: ${headers.get(name)}`)
}

type Row = Readonly<Record<string, string>>

const withoutKeeping = (row: Row): Row => ({ ...row, ...table.NOT_KEPT })

/** The row for an answer: by the declared access of its route, its path, its status, and whether it is a page. */
function rowOf(access: Access, path: string, { status, headers }: Response, hasKey: boolean): Row {
  const { isCrossOrigin, takesKey } = ACCESS[access]
  const isPage = headers.get('content-type')?.startsWith('text/html') === true
  if (!isCrossOrigin) return isPage ? table.ACCOUNT_PAGE_HEADERS : table.ACCOUNT_HEADERS
  if (path.startsWith('/embed/') && isPage) {
    const framed = table.framedHeaders('*')
    return status === 200 ? framed : withoutKeeping(framed)
  }
  if (path.endsWith('/summary.svg') && status === 200) return table.pictureHeaders('*')
  if (status >= 300 && status !== 304)
    return isPage ? withoutKeeping(table.PAGE_HEADERS) : table.ERROR_HEADERS
  if (access === 'key' || (takesKey && hasKey)) return table.API_HEADERS
  if (path.startsWith('/health') || path === '/metrics') return table.PROBE_HEADERS
  if (path === '/stats') return table.STATS_HEADERS
  if (path.startsWith('/assets/')) return table.ASSET_HEADERS
  return isPage ? table.PAGE_HEADERS : table.PUBLIC_HEADERS
}

/** Values for the parameters of an address with which a GET succeeds. */
const PARAMETERS: Readonly<Record<string, string>> = {
  ...{
    ':action': 'package_list',
    ':resource': 'towns',
    ':dataset': 'towns',
    ':slug': 'towns',
    ':id': 'towns',
    ':domain': 'geospatial',
  },
  ...{
    ':name': 'limits',
    '/datasets/:id/map': '/datasets/places/map',
    '/openapi/:domain/:file': '/openapi/geospatial/towns.json',
    '/assets/:file': assetPath('style.css'),
  },
}
const QUERIES: Readonly<Record<string, string>> = {
  '/v1/:domain/:dataset/export': '?format=csv',
  '/v1/:domain/:dataset/aggregate': '?group_by=county',
  '/datasets/:id/aggregate': '?group_by=county',
  '/datasets/:id/download': '?format=csv',
  '/v1/search': '?q=towns',
}

const addressOf = (path: string) =>
  (PARAMETERS[path] ?? path.replaceAll(/:\w+/g, (name) => PARAMETERS[name] ?? 'x').replaceAll('*', 'x')) +
  (path === '/oembed'
    ? `?url=${encodeURIComponent(`${accounts.app.url}/datasets/towns`)}`
    : (QUERIES[path] ?? ''))

test('every route answers with the headers of its row, to programs and browsers, with a key and without', async () => {
  const { url, key } = accounts.app
  const wrong: unknown[] = []
  const read = new Set<string>()
  for (const { method, path, access } of ROUTES) {
    for (const accept of ['*/*', 'text/html']) {
      for (const sent of [{}, { authorization: `Bearer ${key}` }]) {
        const headers = { accept, ...sent }
        const answer = await fetch(url + addressOf(path), { method, headers, redirect: 'manual' })
        await answer.arrayBuffer()
        const found = decided(answer.headers)
        if (answer.status < 400) read.add(path)
        if (!Bun.deepEquals(decided(rowOf(access, path, answer, 'authorization' in sent)), found))
          wrong.push({ method, path, access, accept, status: answer.status, found })
      }
    }
  }
  expect(wrong).toEqual([])
  const open = ROUTES.filter(({ method, access }) => method === 'GET' && ACCESS[access].isCrossOrigin)
  expect(open.map(({ path }) => path).filter((path) => !read.has(path))).toEqual([])
}, 60_000)

test('OPTIONS lets pages of other sites read open routes, and no others', async () => {
  for (const { path, access } of ROUTES) {
    const answer = await fetch(accounts.app.url + addressOf(path), { method: 'OPTIONS' })
    const row = ACCESS[access].isCrossOrigin ? table.PREFLIGHT_HEADERS : table.ACCOUNT_HEADERS
    expect([path, ...decided(answer.headers)]).toEqual([path, ...decided(row)])
  }
}, 60_000)

test('refusals of unknown addresses, other methods and failures outside a call have headers from the same table', async () => {
  const { url, key } = accounts.app
  for (const [method, path, status, row] of [
    ['GET', '/nothing', 404, table.ERROR_HEADERS],
    ['GET', '/v1/nothing', 404, table.ERROR_HEADERS],
    ['DELETE', '/v1/datasets', 405, table.ERROR_HEADERS],
    ['DELETE', '/account/api/login', 405, table.ACCOUNT_HEADERS],
    ['GET', '/account/api/nothing', 404, table.ACCOUNT_HEADERS],
    ['GET', '/publish/nothing', 404, table.ACCOUNT_HEADERS],
  ] as const) {
    const answer = await fetch(url + path, { method, headers: { authorization: `Bearer ${key}` } })
    expect([path, answer.status, ...decided(answer.headers)]).toEqual([path, status, ...decided(row)])
  }
  const tooLong = {
    method: 'POST',
    body: 'x'.repeat(20_000),
    headers: { 'content-type': 'application/json' },
  }
  const refused = await fetch(`${url}/account/api/login`, tooLong)
  expect([refused.status, ...decided(refused.headers)]).toEqual([413, ...decided(table.ACCOUNT_HEADERS)])
  expect(decided(lastResort().headers)).toEqual(decided(table.ERROR_HEADERS))
})

const DOCUMENTED: readonly (readonly [answer: string, row: Row])[] = [
  ['API with a key', table.API_HEADERS],
  ['open API, documents, feeds', table.PUBLIC_HEADERS],
  ['health, metrics', table.PROBE_HEADERS],
  ['public page', table.PAGE_HEADERS],
  ['public page, signed in', table.SIGNED_IN_HEADERS],
  ["account page, operators' page", table.ACCOUNT_PAGE_HEADERS],
  ["account, publishing and operators' API", table.ACCOUNT_HEADERS],
  ['`/stats`', table.STATS_HEADERS],
  ['assets', table.ASSET_HEADERS],
]

test('the manual has the same table, and describes the cookie', async () => {
  const text = await Bun.file(new URL('../../docs/security.md', import.meta.url)).text()
  expect(text).toContain('`HttpOnly; SameSite=Lax`')
  for (const [answer, row] of DOCUMENTED) {
    const scripts = row['Content-Security-Policy']?.includes("script-src 'self'") ? 'own' : 'none'
    const shared = row['Access-Control-Allow-Origin'] === '*' ? 'yes' : 'no'
    expect(text).toContain(`| ${answer} | ${scripts} | ${shared} | \`${row['Cache-Control']}\` |`)
  }
})

test('the home page is public, and account pages are private', async () => {
  const ana = await accounts.signUp('headers@example.org')
  const ask = (headers: Record<string, string>) =>
    fetch(accounts.app.url, { headers: { accept: 'text/html', ...headers } })
  expect(decided((await ask({})).headers)).toEqual(decided(table.PAGE_HEADERS))
  const account = await fetch(`${accounts.app.url}/account`, {
    headers: { accept: 'text/html', cookie: ana.cookie! },
  })
  expect([account.status, ...decided(account.headers)]).toEqual([200, ...decided(table.ACCOUNT_PAGE_HEADERS)])
})
