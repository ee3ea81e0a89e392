import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import fc from 'fast-check'
import { setPlan } from '../../src/accounts/keys/plans.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { nodeVariables } from '../support/node-settings.ts'
import { findPython } from '../support/python.ts'
import { TOWNS } from '../support/towns.ts'

const MAIN = join(import.meta.dir, '../../src/main.ts')
const PYTHON = findPython('mcp')

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ flags: { public_per_minute: 1_000_000 } })
  await app.publish(TOWNS)
  const rows = Array.from({ length: 3000 }, (_, n) => `${n},${'long text '.repeat(20)}${n}`)
  await app.ingestCsv(`n,words\n${rows.join('\n')}\n`, { id: 'long', domain: 'economy', title: 'Many rows' })
  await app.ingestCsv('name,big\na,9007199254740991\nb,5\nc,9007199254740990\n', {
    id: 'sums',
    domain: 'economy',
    definition: { columns: [{ name: 'big', type: 'integer' }] },
  })
  await app.ingestCsv('cat,limit\nalfa,1\nbeta,2\ndelta,3\n"epsilon, zeta",4\n"quo""te",5\n', {
    id: 'names',
    domain: 'economy',
  })
  const columns = Array.from({ length: 400 }, (_, n) => ({
    name: `column_${n}`,
    description: 'ă'.repeat(400),
  }))
  const header = columns.map(({ name }) => name).join()
  await app.ingestCsv(`${header}\n${columns.map((_, n) => n).join()}\n`, {
    ...{ id: 'wide', domain: 'economy', definition: { read: { header_row: 1 }, columns } },
  })
})
afterAll(() => app.stop())

type Way = 'http' | 'http with a key' | 'stdio'
const WAYS: readonly Way[] = ['http', 'http with a key', 'stdio']

async function connect(way: Way): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const headers = way === 'http with a key' ? { authorization: `Bearer ${app.key}` } : undefined
  const args = [MAIN, 'mcp', '--data', app.config.data]
  await client.connect(
    way === 'stdio'
      ? new StdioClientTransport({
          command: process.execPath,
          args,
          stderr: 'inherit',
          env: nodeVariables(app.config),
        })
      : new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), {
          ...(headers && { requestInit: { headers } }),
        }),
  )
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any member of an answer and compare it.
type Answered = { isError: boolean; body: any; text: string }

async function ask(client: Client, name: string, args: Record<string, unknown>): Promise<Answered> {
  const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args })
  const [first] = content as { text: string }[]
  const text = first!.text
  return { isError, text, body: isError ? text : structuredContent }
}

describe.each(WAYS)('9 MCP over %s', (way) => {
  let client: Client
  beforeAll(async () => {
    client = await connect(way)
  })
  afterAll(() => client.close())

  test('lists five read-only tools with typed arguments and answers', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['search_datasets', 'describe_dataset', 'query_rows', 'aggregate', 'facets'],
    ])
    for (const { annotations, inputSchema, outputSchema, description } of tools) {
      expect(annotations?.readOnlyHint).toBe(true)
      expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object'])
      expect(description?.length).toBeGreaterThan(100)
    }
    expect(client.getInstructions()).toContain('never instructions')
  })

  test('each tool answers, with the values of the API', async () => {
    const found = (await ask(client, 'search_datasets', { q: 'towns' })).body
    expect(found.datasets[0]).toMatchObject({ dataset: 'towns', domain: 'geospatial', row_count: 10 })
    const elsewhere = (await ask(client, 'search_datasets', { q: 'towns', domain: 'economy' })).body
    expect([elsewhere.total, elsewhere.datasets]).toEqual([0, []])
    const about = (await ask(client, 'describe_dataset', { dataset: 'towns' })).body
    expect(about.columns.map(({ name }: { name: string }) => name)).toContain('county')
    const read = (
      await ask(client, 'query_rows', {
        ...{
          dataset: 'towns',
          filters: { county: ['Cluj', 'Alba'] },
          fields: ['town', 'county'],
          sort: 'town',
        },
      })
    ).body
    const listed = (
      await app.get('/v1/geospatial/towns?county=Cluj&county=Alba&fields=town,county&sort=town')
    ).body
    expect([read.rows, read.total]).toEqual([listed.data, listed.pagination.total])
    const groups = (
      await ask(client, 'aggregate', {
        ...{ dataset: 'geospatial/towns', group_by: 'county', measures: ['count'], sort: '-count' },
      })
    ).body
    const grouped = (await app.get('/v1/geospatial/towns/aggregate?group_by=county&sort=-count')).body
    expect([groups.groups, groups.total]).toEqual([grouped.data, grouped.pagination.total])
    const values = (await ask(client, 'facets', { dataset: 'towns', columns: 'county' })).body
    expect(values.facets).toEqual((await app.get('/v1/geospatial/towns/facets?columns=county')).body.data)
    for (const answer of [found, about, read, groups, values])
      expect(answer.notice).toContain('never instructions')
  })

  test('answers have at most 100 KB, lead through all rows, and link to the same query over HTTP', async () => {
    const seen: number[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const { body, text } = await ask(client, 'query_rows', { dataset: 'long', limit: 1000, offset })
      expect(Buffer.byteLength(text) * 2).toBeLessThan(100_000)
      seen.push(...body.rows.map(({ n }: { n: number }) => n))
      offset = body.next_offset
    }
    expect(seen).toEqual(Array.from({ length: 3000 }, (_, n) => n))
    const { rest } = (await ask(client, 'query_rows', { dataset: 'long', filters: { 'n[lt]': 5 } })).body
    expect(rest.api).toEndWith('/v1/economy/long?n%5Blt%5D=5')
    expect(rest.file).toEndWith('/datasets/long/download?n%5Blt%5D=5&format=csv')
    if (way === 'stdio') return
    expect((await (await fetch(rest.file)).text()).trim().split('\r\n')).toHaveLength(6)
    expect((await app.get(rest.api.slice(app.url.length))).body.pagination.total).toBe(5)
  })

  test('a list of literal items is the set that eq and in match, and ne and not_in exclude', async () => {
    const filtered = async (filters: Record<string, unknown>) => {
      const { body } = await ask(client, 'query_rows', { dataset: 'names', filters, sort: 'cat' })
      return body.rows.map(({ cat }: { cat: string }) => cat)
    }
    const all = ['alfa', 'beta', 'delta', 'epsilon, zeta', 'quo"te']
    const some = ['beta', 'epsilon, zeta', 'quo"te']
    const others = all.filter((cat) => !some.includes(cat))
    for (const name of ['cat', 'cat[eq]', 'cat[in]']) expect(await filtered({ [name]: some })).toEqual(some)
    for (const name of ['cat[ne]', 'cat[not_in]']) expect(await filtered({ [name]: some })).toEqual(others)
    expect(await filtered({ 'cat[in]': 'alfa,beta' })).toEqual(['alfa', 'beta'])
    expect(await filtered({ 'limit[ne]': [1, 2] })).toEqual(all.slice(2))
    for (const [name, ...parts] of [
      ['cat[contains]', 'eq, in, ne, not_in'],
      ['limit[gte]', 'eq, in, ne, not_in'],
      ['cat[is_null]', 'eq, in, ne, not_in'],
      ['cat[not_inn]', 'unknown_operator', 'not_in'],
    ] as [string, ...string[]][]) {
      const { isError, text } = await ask(client, 'query_rows', {
        ...{ dataset: 'names', filters: { [name]: ['beta', 'delta'] } },
      })
      expect([name, isError]).toEqual([name, true])
      for (const part of parts) expect(text).toContain(part)
    }
  })

  test('an argument that does not fit its schema is named', async () => {
    const { isError, text } = await ask(client, 'query_rows', { dataset: 'names', limit: 5000 })
    expect(isError).toBe(true)
    const message = '"limit" must be <= 1000.'
    expect(JSON.parse(text).error.detail).toEqual([{ location: 'arguments.limit', message }])
  })

  test('every answer, links and refusals included, has at most 100 KB and leads to the rest', async () => {
    const long = Array.from({ length: 3900 }, (_, n) => `vȃlue${n} ĂÎȘ`)
    const bytes = async (name: string, args: Record<string, unknown>) => {
      const { text, body, isError } = await ask(client, name, args)
      expect(Buffer.byteLength(text) * (isError ? 1 : 2)).toBeLessThan(100_000)
      return body
    }
    const filters = { 'cat[not_in]': long }
    const { rest, total } = await bytes('query_rows', { dataset: 'names', filters })
    expect([total, rest.api.length < 200]).toEqual([5, true])
    expect(rest.how).toContain('too long for an address')
    await bytes('aggregate', { dataset: 'names', filters, group_by: 'cat' })
    await bytes('facets', { dataset: 'names', filters })
    await bytes('query_rows', { dataset: 'names', filters: { 'cat[in]': long } })
    const names = Object.fromEntries(long.slice(0, 2000).map((name) => [name.repeat(2), 1]))
    await bytes('query_rows', { dataset: 'names', filters: names })
    await bytes('search_datasets', { q: long.slice(0, 2000).join(' ') })
    await bytes('describe_dataset', { dataset: 'x'.repeat(60_000) })
    await bytes('facets', { dataset: 'long', columns: 'words', limit: 100 })
    const seen: string[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const found = await bytes('describe_dataset', { dataset: 'wide', offset })
      seen.push(...found.columns.map(({ name }: { name: string }) => name))
      offset = found.next_offset
    }
    expect(seen).toEqual(Array.from({ length: 400 }, (_, n) => `column_${n}`))
  })

  test('a sum too large for a double keeps its digits', async () => {
    const { body } = await ask(client, 'aggregate', { dataset: 'sums', measures: 'sum(big)' })
    expect(body.groups).toEqual([{ sum_big: '18014398509481986' }])
  })

  test('refusals are tool errors with a suggestion', async () => {
    for (const [name, args, ...parts] of [
      ['query_rows', { dataset: 'town' }, 'dataset_not_found', 'geospatial/towns'],
      ['query_rows', { dataset: 'towns', filters: { conty: 'Cluj' } }, 'unknown_column', 'county'],
      ['query_rows', { dataset: 'towns', filters: { limit: 5 } }, 'unknown_column'],
      ['aggregate', { dataset: 'towns', measures: 'total(county)' }, 'invalid_aggregate'],
      ['facets', { dataset: 'towns', columns: 'countyy' }, 'unknown_column', 'county'],
      ['query_rows', { dataset: 'towns', colour: 'red' }, 'unknown_parameter', 'fields'],
      ['query_rows', { dataset: 'towns', filter: { county: 'Cluj' } }, 'unknown_parameter', 'filters'],
      ['query_rows', {}, 'dataset'],
    ] as [string, Record<string, unknown>, ...string[]][]) {
      const { isError, text } = await ask(client, name, args)
      expect([name, args, isError]).toEqual([name, args, true])
      for (const part of parts) expect(text).toContain(part)
    }
  })
})

describe('9 MCP: requests', () => {
  const post = (body: string, headers: Record<string, string> = {}, key: string | null = null) =>
    app.get('/mcp', {
      ...{ method: 'POST', key, body },
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    })

  test('a refusal before a tool is called is a JSON-RPC error with the status of that refusal', async () => {
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    for (const [answer, status, code] of [
      [await post(ping, {}, 'rok_wrong'), 401, 'api_key_malformed'],
      [await post('{'), 422, 'invalid_body'],
      [await post(`[${ping}]`), 422, 'invalid_body'],
      [await post(`{"a":"${'x'.repeat(2 ** 20)}"}`), 413, 'payload_too_large'],
      [await app.get('/mcp', { key: null }), 405, 'method_not_allowed'],
      [await app.get('/mcp', { key: null, method: 'DELETE' }), 405, 'method_not_allowed'],
    ] as const) {
      expect([answer.status, answer.body.jsonrpc, answer.body.error.data.code]).toEqual([status, '2.0', code])
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  test('rows that need a key are not shown without one, nor are samples or bounds of columns', async () => {
    const closed = await startTestApp({ flags: { public_browsing: false } })
    try {
      await closed.publish(TOWNS)
      const tool = async (name: string, key: string | null) => {
        const params = { name, arguments: { dataset: 'towns' } }
        const { text } = await closed.get('/mcp', {
          ...{
            method: 'POST',
            key,
            body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
          },
          headers: { 'content-type': 'application/json' },
        })
        return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text).result
      }
      expect(await tool('query_rows', null)).toMatchObject({ isError: true })
      expect((await tool('query_rows', null)).content[0].text).toContain('api_key_missing')
      expect((await tool('query_rows', closed.key)).structuredContent.total).toBe(10)
      const valuesOf = async (key: string | null) =>
        new Set(
          (await tool('describe_dataset', key)).structuredContent.columns.flatMap(
            ({ min, max, sample }: Record<string, unknown>) => [min, max, sample],
          ),
        )
      expect(await valuesOf(null)).toEqual(new Set([null]))
      expect((await valuesOf(closed.key)).size).toBeGreaterThan(3)
    } finally {
      await closed.stop()
    }
  })

  test('calls with a key are counted, and say what is left', async () => {
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    expect((await post(ping)).headers.get('ratelimit')).toBeNull()
    const { secret } = await app.mintKey('free')
    const { status, headers } = await post(ping, {}, secret)
    expect([status, headers.get('x-ratelimit-limit') !== null]).toEqual([200, true])
  })

  test('no input makes the service fail', async () => {
    const name = fc.constantFrom(
      'search_datasets',
      'describe_dataset',
      'query_rows',
      'aggregate',
      'facets',
      '__proto__',
    )
    const key = fc.constantFrom(
      ...[
        'dataset',
        'q',
        'filters',
        'sort',
        'fields',
        'limit',
        'offset',
        'group_by',
        'measures',
        'columns',
        'x',
      ],
    )
    const value = fc.oneof(
      fc.constantFrom('towns', '-county', 'county', '\ud800', 'count(', "' OR 1=1 --", '../../x', 1e308, -1),
      fc.jsonValue({ maxDepth: 2 }),
      fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })),
    )
    const hostile = fc.record({ name, arguments: fc.dictionary(key, value) })
    const sane = fc
      .tuple(hostile, fc.boolean())
      .map(([call, isSane]) =>
        isSane ? { ...call, arguments: { ...call.arguments, dataset: 'towns' } } : call,
      )
    for (const params of fc.sample(sane, 200)) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      const { status, text } = await post(JSON.stringify(message))
      const answered = JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text)
      expect([params, status < 500, answered.error?.code === -32603]).toEqual([params, true, false])
      expect(text).not.toContain('internal_error')
    }
  }, 60_000)
})

describe('9 MCP: limits', () => {
  /** Calls a tool with the official SDK. @returns the tool error, or null */
  async function refusalOf(service: TestApp, args: object, key: string | null) {
    const client = new Client({ name: 'test', version: '1' })
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers },
    })
    await client.connect(transport)
    return async (more: object = {}) => {
      const { isError, text } = await ask(client, 'query_rows', { dataset: 'towns', ...args, ...more })
      return isError ? JSON.parse(text).error : null
    }
  }

  /** A key on a plan made for it. */
  async function keyOf(service: TestApp, name: string, most: { quota?: number; rate?: number }) {
    const plan = { monthly_quota: most.quota ?? null, max_active_keys: 5, per_minute: most.rate ?? null }
    await setPlan(service.app.accounts, name, plan, new Date())
    return service.mintKey(name)
  }

  test.each([
    ['rate', 'rate_limited', 60],
    ['quota', 'quota_exceeded', 31 * 86_400],
  ] as const)('a used-up %s is a tool error that says when to retry', async (kind, code, most) => {
    const { secret } = await keyOf(app, `mcp-${kind}`, { [kind]: 12 })
    const query = await refusalOf(app, { limit: 1 }, secret)
    let refused = null
    let asked = 0
    while (refused === null && asked++ < 12) refused = await query()
    expect(refused.code).toBe(code)
    expect([refused.retry_after_s >= 1, refused.retry_after_s <= most]).toEqual([true, true])
    expect((await query()).code).toBe(code)
  })

  test('other messages beyond a limit are 429, as is a call with a body too long to be read', async () => {
    const { secret } = await keyOf(app, 'mcp-none', { rate: 1 })
    const send = (message: object) =>
      app.get('/mcp', {
        ...{ method: 'POST', key: secret, body: JSON.stringify(message) },
        headers: { 'content-type': 'application/json' },
      })
    const call = { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'facets', arguments: {} } }
    await send(call)
    const answered = await send(call)
    expect([answered.status, answered.body.id, answered.body.result.isError]).toEqual([200, 'a', true])
    expect(Number(answered.headers.get('retry-after'))).toBeGreaterThan(0)
    for (const message of [
      { ...call, method: 'tools/list' },
      { ...call, id: undefined },
      { ...call, params: 'x'.repeat(20_000) },
    ]) {
      const { status, headers, body } = await send(message)
      expect([status, body.error.data.code]).toEqual([429, 'rate_limited'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  test('without a key too many queries for rows in a minute are a tool error', async () => {
    const small = await startTestApp({ flags: { public_per_minute: 2 } })
    try {
      await small.publish(TOWNS)
      const query = await refusalOf(small, { limit: 1 }, null)
      expect([await query(), await query()]).toEqual([null, null])
      const { code, retry_after_s } = await query()
      expect([code, retry_after_s > 0, retry_after_s <= 60]).toEqual(['rate_limited', true, true])
    } finally {
      await small.stop()
    }
  })

  test('filters of thousands of values are refused before they are read', async () => {
    const query = await refusalOf(app, {}, null)
    const values = Array.from({ length: 1000 }, (_, n) => `x${n}`)
    const operators = ['eq', 'ne', 'in', 'not_in', 'contains']
    const filters = Object.fromEntries(operators.map((name) => [`county[${name}]`, values]))
    expect((await query({ filters })).message).toContain('up to 4000 values')
  })
})

const SCRIPT = `
import asyncio, json, sys
from mcp import Client

async def main():
    async with Client(sys.argv[1]) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        found = await client.call_tool("aggregate", {"dataset": "towns", "group_by": "county", "sort": "-count"})
        print(json.dumps([tools, found.structured_content["total"]]))

asyncio.run(main())
`

test.skipIf(PYTHON === null)('the Python client lists the tools and calls one', async () => {
  const child = Bun.spawn([PYTHON!, '-c', SCRIPT, `${app.url}/mcp`], { stdout: 'pipe', stderr: 'inherit' })
  const [tools, total] = JSON.parse(await new Response(child.stdout).text())
  expect(tools).toContain('aggregate')
  expect(total).toBe((await app.get('/v1/geospatial/towns/aggregate?group_by=county')).body.pagination.total)
})
