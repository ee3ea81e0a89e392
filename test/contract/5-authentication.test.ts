import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { hideKeys } from '../../src/accounts/keys/key-format.ts'
import { deleteKey, revokeKey, rotateKey } from '../../src/accounts/keys/keys.ts'
import { placeOf } from '../support/accounts-place.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { runScript } from '../support/run-script.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

let app: TestApp
const logLines: Record<string, unknown>[] = []
beforeAll(async () => {
  app = await startTestApp({ logLines })
  await app.publish(TOWNS)
})
afterAll(() => app.stop())

const never = () => null
const made = `rok_${'a'.repeat(38)}`

describe('5 API keys', () => {
  test.each([
    ['no header', undefined, 'api_key_missing'],
    ['an empty header', '', 'api_key_malformed'],
    ['another scheme', 'Basic dXNlcjpwYXNz', 'api_key_malformed'],
    ['the bare key', made, 'api_key_malformed'],
    ['Bearer without a key', 'Bearer', 'api_key_malformed'],
    ['two keys', 'Bearer a b', 'api_key_malformed'],
    ['a wrong checksum', `Bearer ${made}`, 'api_key_malformed'],
    ['something else', 'Bearer abc', 'api_key_malformed'],
  ])('%s is refused', async (_, authorization, code) => {
    const headers = authorization === undefined ? {} : { authorization }
    for (const path of [TOWNS_PATH, '/v1/datasets', '/v1/search?q=a', '/v1/nothing/at/all', '/v1']) {
      const answer = await app.get(path, { key: null, headers })
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 401, code])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  test('a missing key is reported before any other mistake', async () => {
    for (const [method, path] of [
      ['GET', `${TOWNS_PATH}?limit=0&nope=1`],
      ['GET', '/v1/geospatial/nowhere'],
      ['GET', `${TOWNS_PATH}/`],
      ['GET', `${TOWNS_PATH}?county=%ZZ`],
      ['DELETE', TOWNS_PATH],
      ['POST', '/v1/datasets'],
    ] as const) {
      expect((await app.get(path, { method, key: null })).status).toBe(401)
    }
    expect((await app.get(TOWNS_PATH, { method: 'HEAD', key: null })).status).toBe(401)
  })

  test('the scheme is accepted in any case', async () => {
    const { status } = await app.get(TOWNS_PATH, {
      key: null,
      headers: { authorization: `bearer ${app.key}` },
    })
    expect(status).toBe(200)
  })

  test('a key in the address is refused, explained, and kept out of answer and log', async () => {
    const encoded = app.key.replace('_', '%5F')
    const allEncoded = [...app.key].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')
    const paths = [
      `${TOWNS_PATH}?api_key=${app.key}`,
      `${TOWNS_PATH}?county=a&key=x${app.key}`,
      `${TOWNS_PATH}?api_key=${encoded}`,
      `${TOWNS_PATH}?api_key=${allEncoded}`,
      `/v1/${app.key}/towns`,
      `/v1/geospatial/${app.key}/export`,
      `/v1/geospatial/${encoded}`,
      `/v1/${allEncoded.toUpperCase()}`,
    ]
    for (const path of paths) {
      const { status, body, text } = await app.get(path, { key: null })
      expect([status, body.error.code]).toEqual([401, 'api_key_missing'])
      expect(body.error.message).toContain('address')
      expect(text).not.toContain(app.key)
    }
    expect(JSON.stringify(logLines)).not.toContain(app.key)
  })

  test('logs hide a key in an address, however it is encoded', () => {
    const secret = app.key.slice('rok_'.length)
    for (const prefix of ['rok_', 'rok%5F', 'rok%5f', 'rok%255F', '%72ok_', '%72%6f%6b%5f']) {
      expect(hideKeys(`/v1/${prefix}${secret}/x`)).toBe('/v1/rok_…/x')
    }
    expect(hideKeys('/v1/economy/rok_short?x=brok_en')).toBe('/v1/economy/rok_short?x=brok_en')
  })

  test('a revoked or rotated key is refused from the next request on, and a deleted one is unknown', async () => {
    const { accounts } = app.app
    const { key_id, secret } = await app.mintKey()
    const codeFor = async (key: string) => (await app.get(TOWNS_PATH, { key })).body.error?.code ?? 'served'
    expect(await codeFor(secret)).toBe('served')

    const rotated = (await rotateKey(accounts, OPERATOR, key_id, never, new Date())).secret
    expect(await codeFor(secret)).toBe('api_key_invalid')
    expect(await codeFor(rotated)).toBe('served')

    await revokeKey(accounts, OPERATOR, key_id, never, new Date())
    expect(await codeFor(rotated)).toBe('api_key_revoked')
    await deleteKey(accounts, OPERATOR, key_id, new Date())
    expect(await codeFor(rotated)).toBe('api_key_invalid')
  })

  test('a revocation or rotation by another process takes effect from the next request on, under load', async () => {
    const place = placeOf(app.app)
    const { key_id, secret } = await app.mintKey()
    const busy = { on: true }
    const load = Array.from({ length: 16 }, async () => {
      while (busy.on) await app.get(`${TOWNS_PATH}?limit=1`, { key: secret })
    })
    const rotated = await runScript('change-key.ts', place, 'rotate', String(key_id))
    expect((await app.get(TOWNS_PATH, { key: secret })).body.error.code).toBe('api_key_invalid')
    expect((await app.get(TOWNS_PATH, { key: rotated })).status).toBe(200)

    await runScript('change-key.ts', place, 'revoke', String(key_id))
    expect((await app.get(TOWNS_PATH, { key: rotated })).body.error.code).toBe('api_key_revoked')
    busy.on = false
    await Promise.all(load)
  })

  test.each(['/health/live', '/health/ready', '/stats', '/docs', '/docs/json', '/openapi.json'])(
    '%s needs no key',
    async (path) => {
      expect((await app.get(path, { key: null })).status).toBe(200)
    },
  )

  test('a preflight needs no key and is not counted', async () => {
    const before = (await app.app.usage.totals(new Date())).total
    for (const path of [TOWNS_PATH, '/v1/no/such/path/there', '/v1/datasets']) {
      const { status, headers } = await app.get(path, { method: 'OPTIONS', key: null })
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-headers')).toBe(
        'Authorization, If-None-Match, If-Range, Range, Content-Type, X-Request-Id, X-CKAN-API-Key, Mcp-Protocol-Version',
      )
    }
    expect((await app.app.usage.totals(new Date())).total).toBe(before)
  })

  test('every authenticated answer is counted, except 304s and failures of the service', async () => {
    const { key_id, secret: key } = await app.mintKey()
    const count = async (path: string, headers = {}) => {
      const before = (await app.app.usage.totals(new Date())).total
      const { status } = await app.get(path, { key, headers })
      return [status, (await app.app.usage.totals(new Date())).total - before]
    }
    const { headers } = await app.get(TOWNS_PATH, { key })
    expect(await count(TOWNS_PATH)).toEqual([200, 1])
    expect(await count(`${TOWNS_PATH}?limit=0`)).toEqual([422, 1])
    expect(await count('/v1/geospatial/nowhere')).toEqual([404, 1])
    expect(await count(TOWNS_PATH, { 'if-none-match': headers.get('etag') })).toEqual([304, 0])
    expect(await count('/stats')).toEqual([200, 0])
    expect(await app.app.usage.lastUsed(key_id)).toBeString()
  })
})
