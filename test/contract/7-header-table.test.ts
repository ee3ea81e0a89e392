import { afterAll, beforeAll, expect, test } from 'bun:test'
import { lastResort } from '../../src/http/errors.ts'
import * as table from '../../src/http/headers.ts'
import type { Access } from '../../src/server/declaration/access.ts'
import { ROUTES } from '../../src/server/routes.ts'
import { type AccountApp, startAccountApp } from '../support/browser.ts'
import { TOWNS } from '../support/towns.ts'

let accounts: AccountApp
beforeAll(async () => {
  accounts = await startAccountApp()
  // What the addresses below name, so that routes of data answer with data.
  await accounts.app.publish({ ...TOWNS, id: 'x', domain: 'x' })
})
afterAll(() => accounts.stop())

/** What the table decides; `Vary` and the type depend on the route. */
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

const withoutKeeping = (row: Readonly<Record<string, string>>) => ({ ...row, 'Cache-Control': 'no-store' })
const PRIVATE = [table.ACCOUNT_HEADERS, table.ACCOUNT_PAGE_HEADERS]

/** The row of a successful answer, or of a refusal, by a route's access and path. */
function rowsOf(access: Access, path: string, status: number): readonly Readonly<Record<string, string>>[] {
  if (access !== 'none' && access !== 'key') return PRIVATE
  if (status >= 300 && status !== 304) return [table.ERROR_HEADERS, withoutKeeping(table.PAGE_HEADERS)]
  if (access === 'key') return [table.API_HEADERS]
  if (path.startsWith('/health') || path === '/metrics') return [table.PROBE_HEADERS]
  if (path === '/stats') return [table.STATS_HEADERS]
  if (path === '/docs') return [table.REFERENCE_HEADERS]
  if (path === '/docs/scalar.js') return [table.SCRIPT_HEADERS]
  if (path.startsWith('/assets/')) return [table.ASSET_HEADERS]
  return [table.PUBLIC_HEADERS, table.PAGE_HEADERS]
}

const addressOf = (path: string) => path.replaceAll(/:\w+/g, 'x').replaceAll('*', 'x')

test('every route answers with the headers of its row, to programs and browsers, with a key and without', async () => {
  const { url, key } = accounts.app
  const wrong: unknown[] = []
  for (const { method, path, access } of ROUTES) {
    for (const accept of ['*/*', 'text/html']) {
      for (const sent of [{}, { authorization: `Bearer ${key}` }]) {
        const headers = { accept, ...sent }
        const answer = await fetch(url + addressOf(path), { method, headers, redirect: 'manual' })
        await answer.arrayBuffer()
        const found = decided(answer.headers)
        const rows = rowsOf(access, path, answer.status).map(decided)
        if (!rows.some((row) => Bun.deepEquals(row, found))) {
          wrong.push({ method, path, access, accept, status: answer.status, found })
        }
      }
    }
  }
  expect(wrong).toEqual([])
}, 60_000)

test('OPTIONS lets pages of other sites read open routes, and no others', async () => {
  for (const { path, access } of ROUTES) {
    const answer = await fetch(accounts.app.url + addressOf(path), { method: 'OPTIONS' })
    const row = access === 'none' || access === 'key' ? table.PREFLIGHT_HEADERS : table.ACCOUNT_HEADERS
    expect([path, ...decided(answer.headers)]).toEqual([path, ...decided(row)])
  }
}, 60_000)

test('unknown addresses, other methods and failures outside of a call are refused by the same table', async () => {
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

const DOCUMENTED: readonly (readonly [answer: string, row: Readonly<Record<string, string>>])[] = [
  ['API with a key', table.API_HEADERS],
  ['open API, documents, feeds', table.PUBLIC_HEADERS],
  ['health, metrics', table.PROBE_HEADERS],
  ['public page', table.PAGE_HEADERS],
  ['public page, signed in', table.SIGNED_IN_HEADERS],
  ['account page', table.ACCOUNT_PAGE_HEADERS],
  ['account and publishing API', table.ACCOUNT_HEADERS],
  ['assets', table.ASSET_HEADERS],
]

test('the operator reads the same table, and of the cookie', async () => {
  const text = await Bun.file(new URL('../../docs/security.md', import.meta.url)).text()
  expect(text).toContain(`\`${table.COOKIE_ATTRIBUTES}\``)
  for (const [answer, row] of DOCUMENTED) {
    const scripts = row['Content-Security-Policy']?.includes("script-src 'self'") ? 'own' : 'none'
    const shared = row['Access-Control-Allow-Origin'] === '*' ? 'yes' : 'no'
    expect(text).toContain(`| ${answer} | ${scripts} | ${shared} | \`${row['Cache-Control']}\` |`)
  }
})

test('the first page is public, and that of an account is private', async () => {
  const ana = await accounts.signUp('headers@example.org')
  const ask = (headers: Record<string, string>) =>
    fetch(accounts.app.url, { headers: { accept: 'text/html', ...headers } })
  expect(decided((await ask({})).headers)).toEqual(decided(table.PAGE_HEADERS))
  const account = await fetch(`${accounts.app.url}/account`, {
    headers: { accept: 'text/html', cookie: ana.cookie! },
  })
  expect([account.status, ...decided(account.headers)]).toEqual([200, ...decided(table.ACCOUNT_PAGE_HEADERS)])
})
