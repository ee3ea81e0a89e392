/** Bodies with more values than a query may hold (contract 2): refused for that before they are parsed as a whole. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { parseJson, TooManyValues } from '../../src/http/json-body.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ flags: { public_per_minute: 1_000_000 } })
})
afterAll(() => app.stop())

const VALUES = Array.from({ length: 100_000 }, (_, n) => `k${n}`)
const TOO_LARGE = 'takes up to 4000 values'

function post(path: string, body: unknown, type = 'application/json') {
  return app.get(path, {
    ...{ method: 'POST', key: null, headers: { 'content-type': type } },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

test.each([
  ['JSON', { filters: { code: VALUES } }, 'application/json'],
  ['a form that is JSON', { filters: { code: VALUES } }, 'application/x-www-form-urlencoded'],
  ['filters in a form', `filters=${JSON.stringify({ code: VALUES })}`, 'application/x-www-form-urlencoded'],
  ['filters in a text', { filters: JSON.stringify({ n: VALUES.map(() => 1) }) }, 'application/json'],
])('CKAN refuses %s and names the argument that holds too much', async (_, body, type) => {
  const { status, text } = await post('/api/3/action/datastore_search', body, type)
  const { error } = JSON.parse(text)
  expect([status, error.__type, error.filters[0]]).toEqual([
    409,
    'Validation Error',
    expect.stringContaining(TOO_LARGE),
  ])
})

test.each([7, 'a "quoted" {id}, [1]'])(
  'a tool call with id %p is answered with a tool error under that id',
  async (id) => {
    const call = (args: unknown) => ({
      ...{ jsonrpc: '2.0', method: 'tools/call', params: { name: 'query_rows', arguments: args } },
      id,
    })
    const { status, text } = await post('/mcp', call({ dataset: 'x', filters: { code: VALUES } }))
    const { id: answered, result } = JSON.parse(text)
    expect([status, answered, result.isError]).toEqual([200, id, true])
    expect(result.content[0].text).toContain(TOO_LARGE)
  },
)

test('other messages with as many values are refused outright', async () => {
  const names = Object.fromEntries(VALUES.slice(0, 50_000).map((name) => [name, 1]))
  for (const message of [VALUES.map(() => ({})), names, { method: 'ping', id: 1, params: { VALUES } }]) {
    const { status, text } = await post('/mcp', message)
    expect([status, JSON.parse(text).error.message]).toEqual([422, expect.stringContaining(TOO_LARGE)])
  }
})

test('punctuation inside strings does not count as values, and broken JSON is refused as such', () => {
  const body = (text: string) => Buffer.from(text)
  expect(parseJson(body('{"a":",,,[{\\",,","b":[1,2]}'), 3)).toEqual({ a: ',,,[{",,', b: [1, 2] })
  const outlineOf = (text: string) => {
    try {
      return parseJson(body(text), 2)
    } catch (error) {
      if (error instanceof TooManyValues) return error.outline
      throw error
    }
  }
  expect(outlineOf('{"a":[1,2,{"b":[]}],"id":5,"c":{}}')).toEqual({ a: null, id: 5, c: null })
  expect(() => outlineOf('{"a":[1,2,3]')).toThrow('not JSON')
})
