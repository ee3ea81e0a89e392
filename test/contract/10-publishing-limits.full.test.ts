/** How much a publisher may do in a minute, and how slowly a body may arrive (contract 10). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROUTES } from '../../src/server/routes.ts'
import { type AccountApp, type Browser, startAccountApp } from '../support/browser.ts'
import { type DeskClient, DRAFTS, deskOf, makePublisher, openDesk } from '../support/desk.ts'
import { rawRequest } from '../support/raw-request.ts'

const MOST_FILES = 60
const MOST_CHANGES = 300
const NOBODYS = 'a'.repeat(24)

let accounts: AccountApp
let browser: Browser
let ana: DeskClient
beforeAll(async () => {
  accounts = await startAccountApp()
  browser = await accounts.signUp('ana@example.org')
  await makePublisher(accounts, 'ana@example.org')
  ana = deskOf(accounts, browser)
})
afterAll(() => accounts.stop())

describe('in a minute', () => {
  /** An invalid address is counted and then refused, without starting a process. */
  const bring = (desk: DeskClient) => desk.call('POST', '/from-address', { source: 'nowhere' })
  const change = (desk: DeskClient) => desk.call('DELETE', `/${NOBODYS}`)

  async function countUntilRefused(ask: () => ReturnType<DeskClient['call']>): Promise<number> {
    for (let count = 0; ; count++) {
      const { status, headers, body } = await ask()
      if (status !== 429) continue
      expect([body.error.code, headers.get('retry-after')]).toEqual(['rate_limited', '60'])
      return count
    }
  }

  test('an account and its keys may add a limited number of files, without affecting others', async () => {
    const key = await openDesk(accounts.app, ['publish'], 1)
    const own = await openDesk(accounts.app)
    for (let i = 0; i < MOST_FILES / 2; i++) expect((await bring(key)).status).toBe(422)
    expect(await countUntilRefused(() => bring(ana))).toBe(MOST_FILES / 2)
    const upload = await key.upload('a.csv', 'a,b\n1,2\n')
    expect([upload.status, upload.body.error.code]).toEqual([429, 'rate_limited'])
    const put = await accounts.app.get(DRAFTS, { method: 'PUT', key: null, headers: ana.headers, body: 'a' })
    expect(put.status).toBe(429)
    expect((await bring(own)).status).toBe(422)
    expect([(await change(ana)).status, (await ana.call('GET', '')).status]).toEqual([404, 200])
    accounts.pass(61)
    expect((await bring(ana)).status).toBe(422)
  })

  test('an account and its keys may make a limited number of changes, and can still read', async () => {
    accounts.pass(61)
    const key = await openDesk(accounts.app, ['publish'], 1)
    expect(await countUntilRefused(() => change(ana))).toBe(MOST_CHANGES)
    expect((await change(key)).status).toBe(429)
    for (const { method, path } of ROUTES.filter(({ access }) => access === 'publisher')) {
      const address = path.replaceAll(/:\w+/g, NOBODYS)
      const { status } = await accounts.app.get(address, { method, key: null, headers: ana.headers })
      const isChange = method !== 'GET' && !path.endsWith('/from-address') && path !== DRAFTS
      expect([method, path, status === 429]).toEqual([method, path, isChange])
    }
    accounts.pass(61)
    expect((await change(key)).status).toBe(404)
  })
})

test('a trickling body is 408 at every address that accepts one, and leaves nothing behind', async () => {
  accounts.pass(61)
  const changing = ROUTES.filter(({ method, access }) => method !== 'GET' && access === 'publisher')
  const head = Object.entries(ana.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const answers = changing.map(async ({ method, path }) => {
    const address = path.replaceAll(/:\w+/g, NOBODYS)
    const lines = `Host: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n${head.join('')}`
    const parts = [`${method} ${address} HTTP/1.1\r\n${lines}\r\n{"title": "`]
    const answer = await rawRequest(accounts.app.url, { parts, until: '"request_id"' })
    return [method, path, answer.split('\r\n')[0], /"code":"(\w+)"/.exec(answer)?.[1]]
  })
  expect(await Promise.all(answers)).toEqual(
    changing.map(({ method, path }) => [method, path, 'HTTP/1.1 408 Request Timeout', 'request_timeout']),
  )
  const { dataDir, catalog } = accounts.app.app
  expect(await catalog.drafts.list({ accountId: 1, keyId: null })).toEqual([])
  expect(readdirSync(join(dataDir.root, 'tmp')).filter((name) => !name.endsWith('.db'))).toEqual([])
}, 90_000)
