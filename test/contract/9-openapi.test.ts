import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { ClientAddresses } from '../../src/http/client-ip.ts'
import { createServer } from '../../src/http/server.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type AccountApp, Browser, startAccountApp } from '../support/browser.ts'
import { resolveRef, schemaErrors } from '../support/schema-check.ts'
import { TOWNS } from '../support/towns.ts'

// biome-ignore lint/suspicious/noExplicitAny: the description is looked into freely.
type Any = any

const DATASET_DOCUMENT = '/openapi/geospatial/towns.json'
const DOCUMENTS = ['/openapi.json', '/docs/json', DATASET_DOCUMENT]

let accounts: AccountApp
let app: TestApp
beforeAll(async () => {
  accounts = await startAccountApp()
  app = accounts.app
  app.publish(TOWNS)
})
afterAll(() => accounts.stop())

interface Operation {
  readonly document: Any
  readonly method: string
  readonly path: string
  readonly operation: Any
}

const ACCOUNT = '/account/api'
/** What people look at, with what those pages load: no interface for programs. */
const PAGES =
  /^GET \/(assets\/\{file\}|account(\/(?!api)\w+)?|datasets\/\{id\}(\/chart)?|docs\/guides(\/\{name\})?|feed\.\w+)?$/

async function everyOperation(path: string): Promise<Operation[]> {
  const document = (await app.get(path, { key: null })).body
  return Object.entries<Any>(document.paths).flatMap(([at, methods]) =>
    Object.entries<Any>(methods).map(([method, operation]) => ({
      ...{ document, method: method.toUpperCase(), path: at, operation },
    })),
  )
}

/** Those that need a key or nothing, and those of a browser session. */
async function operationsOf(path: string): Promise<Operation[]> {
  return (await everyOperation(path)).filter((one) => !one.path.startsWith(ACCOUNT))
}
async function accountOperations(): Promise<Operation[]> {
  return (await everyOperation('/openapi.json')).filter((one) => one.path.startsWith(ACCOUNT))
}

/** Path and query of a call with the examples of path parameters and of the chosen query parameters. */
function addressOf({ path, operation }: Operation, chosen: readonly Any[]): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const parameter = operation.parameters.find((one: Any) => one.in === 'path' && one.name === name)
    return encodeURIComponent(parameter.example)
  })
  const query = new URLSearchParams()
  for (const { name, example, style, schema } of chosen) {
    if (style === 'form' && schema.type === 'object') {
      for (const [key, value] of Object.entries<Any>(example)) query.append(key, value)
    } else if (Array.isArray(example)) for (const value of example) query.append(name, String(value))
    else query.append(name, String(example))
  }
  return `${filled}?${query}`
}

function expectDescribed(
  { document, operation }: Operation,
  answer: Awaited<ReturnType<TestApp['get']>>,
): void {
  const response = operation.responses[answer.status]
  expect([operation.operationId, answer.status, typeof response]).toEqual([
    operation.operationId,
    answer.status,
    'object',
  ])
  const stray = [...answer.headers.keys()].filter(
    (name) => /limit|cookie|retry|disposition|etag|^link/.test(name) && !describes(response, name),
  )
  expect([operation.operationId, answer.status, stray]).toEqual([operation.operationId, answer.status, []])
  const type = answer.headers.get('content-type')?.split(';')[0]
  if (type === undefined) return
  const media = response.content[type]
  expect([type, media]).not.toEqual([type, undefined])
  if (type === 'application/json') expect(schemaErrors(document, media.schema, answer.body)).toEqual([])
}

function describes(response: Any, header: string): boolean {
  return Object.keys(response.headers ?? {}).some((name) => name.toLowerCase() === header)
}

describe('9 interface description', () => {
  test.each(DOCUMENTS)('%s is valid OpenAPI 3.0 of version 0.1.0', async (path) => {
    const { status, body, headers } = await app.get(path, { key: null })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body.info.version).toBe('0.1.0')
    expect(body.openapi).toBe('3.0.3')
    expect(await new Validator().validate(body)).toEqual({ valid: true })
    const refs = JSON.stringify(body).matchAll(/"\$ref":"([^"]+)"/g)
    for (const [, ref] of refs) resolveRef(body, ref!)
  })

  test('describes every route, and no other', async () => {
    const routes = createServer(app.app, new ClientAddresses(app.config.trusted_proxies)).routes.map(
      ({ method, path }) => {
        const described = path.replace('/openapi/:domain/:file', '/openapi/:domain/:dataset.json')
        return `${method} ${described.replace(/:(\w+)/g, '{$1}')}`
      },
    )
    const programs = routes.filter((route) => !PAGES.test(route))
    const described = (await everyOperation('/openapi.json')).map(({ method, path }) => `${method} ${path}`)
    expect(described.sort()).toEqual(programs.sort())
  })

  test('a description without any dataset is valid too', async () => {
    const empty = startTestApp()
    try {
      const { body } = await empty.get('/openapi.json', { key: null })
      expect(await new Validator().validate(body)).toEqual({ valid: true })
    } finally {
      await empty.stop()
    }
  })

  test.each(['/openapi.json', DATASET_DOCUMENT])(
    'every example of %s can be called as it stands',
    async (path) => {
      // On a plan with limits, whose headers are then described as well.
      const { secret: key } = app.mintKey('institution')
      for (const operation of await operationsOf(path)) {
        const parameters: Any[] = operation.operation.parameters ?? []
        const required = parameters.filter((one) => one.in === 'query' && one.required)
        const optional = parameters.filter((one) => one.in === 'query' && !one.required && 'example' in one)
        // One by one, and all together as the reference sends them.
        const calls = [required, ...optional.map((one) => [...required, one]), [...required, ...optional]]
        for (const chosen of calls) {
          const address = addressOf(operation, chosen)
          const answer = await app.get(address, { key })
          expect([address, answer.status < 400]).toEqual([address, true])
          expectDescribed(operation, answer)
        }
        const without = parameters.filter((one) => !('example' in one)).map(({ name }) => name)
        expect(without.filter((name) => name !== 'cursor')).toEqual([])
      }
    },
  )

  test.each(['/openapi.json', DATASET_DOCUMENT])(
    'every refusal of %s that a request can bring about comes true',
    async (path) => {
      let called = 0
      for (const operation of await operationsOf(path)) {
        for (const [status, response] of Object.entries<Any>(operation.operation.responses)) {
          const examples = response.content?.['application/json']?.examples ?? {}
          for (const [code, { summary, value }] of Object.entries<Any>(examples)) {
            expect(schemaErrors(operation.document, { $ref: '#/components/schemas/Error' }, value)).toEqual(
              [],
            )
            if (summary === undefined) continue
            const answer = await app.get(summary)
            expect([summary, answer.status, answer.body.error.code]).toEqual([summary, Number(status), code])
            expectDescribed(operation, answer)
            called++
          }
        }
      }
      expect(called).toBeGreaterThan(15)
    },
  )

  test('without a key every /v1 route answers as described, and no other asks for one', async () => {
    for (const operation of await operationsOf('/openapi.json')) {
      const required = (operation.operation.parameters ?? []).filter(
        (one: Any) => one.in === 'query' && one.required,
      )
      const { status, body } = await app.get(addressOf(operation, required), { key: null })
      const guarded = operation.path.startsWith('/v1')
      expect([operation.path, status === 401]).toEqual([operation.path, guarded])
      expect([operation.path, operation.operation.security]).toEqual([
        operation.path,
        guarded ? [{ ApiKey: [] }] : [],
      ])
      if (guarded)
        expect(operation.operation.responses[401].content['application/json'].examples).toHaveProperty(
          body.error.code,
        )
    }
  })

  test('the description of a dataset names its columns with the operators of their types', async () => {
    const [list] = await operationsOf(DATASET_DOCUMENT)
    const names = list!.operation.parameters.map((parameter: Any) => parameter.name)
    expect(names).toContain('county[contains]')
    expect(names).toContain('people[gte]')
    expect(names).not.toContain('people[contains]')
    expect(names).not.toContain('seat[gt]')
    expect(names.filter((name: string) => name === 'count')).toEqual(['count'])
    expect(names).toContain('count[eq]')
    expect(new Set(names).size).toBe(names.length)
    expect(list!.path).toBe('/v1/geospatial/towns')
  })

  test.each(['/openapi/geospatial/nowhere.json', '/openapi/economy/towns.json'])(
    '%s is 404',
    async (path) => {
      const { status, body } = await app.get(path, { key: null })
      expect([status, body.error.code]).toEqual([404, 'dataset_not_found'])
    },
  )

  test('the description of a dataset has a tag that answers 304, and is the same text in every coding', async () => {
    const plain = await app.get(DATASET_DOCUMENT, { key: null, headers: { 'accept-encoding': 'identity' } })
    const etag = plain.headers.get('etag')!
    for (const coding of ['identity', 'gzip', 'zstd', 'gzip', 'zstd']) {
      const headers = { 'accept-encoding': coding }
      const { text, headers: sent } = await app.get(DATASET_DOCUMENT, { key: null, headers })
      expect([coding, text === plain.text, sent.get('etag')]).toEqual([coding, true, etag])
      expect(sent.get('content-encoding') ?? 'identity').toBe(coding)
    }
    const again = await app.get(DATASET_DOCUMENT, { key: null, headers: { 'if-none-match': etag } })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    const head = await app.get(DATASET_DOCUMENT, { key: null, method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag])
  })

  test('a new version is described at once, and the tag of the older one no longer answers 304', async () => {
    const path = '/openapi/tests/changing.json'
    const publish = (columns: string[]) =>
      app.publish({
        ...{ id: 'changing', domain: 'tests', title: columns.join(' and ') },
        table: { columns: columns.map((name) => ({ name, type: 'string' })), rows: [columns] },
      })
    const read = async (etag?: string) => {
      const headers = etag === undefined ? {} : { 'if-none-match': etag }
      const answer = await app.get(path, { key: null, headers })
      const parameters: Any[] = answer.body?.paths['/v1/tests/changing'].get.parameters ?? []
      const names = parameters.filter(({ name }) => /^\w+\[eq\]$/.test(name)).map(({ name }) => name)
      return { ...answer, names, title: answer.body?.info.title }
    }
    publish(['a', 'b'])
    const first = await read()
    expect([first.names, first.title]).toEqual([['a[eq]', 'b[eq]'], 'a and b'])
    // Two at once, one of them with the old tag.
    publish(['b', 'c', 'd'])
    const [second, other] = await Promise.all([read(), read(first.headers.get('etag')!)])
    for (const { status, names, title } of [second, other])
      expect([status, names, title]).toEqual([200, ['b[eq]', 'c[eq]', 'd[eq]'], 'b and c and d'])
    expect((await read(second.headers.get('etag')!)).status).toBe(304)
  })

  test('the description of many columns, which is written in parts, names each once and in order', async () => {
    const columns = Array.from({ length: 250 }, (_, index) => ({
      name: `c${index}`,
      type: 'string' as const,
    }))
    app.publish({ id: 'wide', domain: 'tests', table: { columns, rows: [columns.map(({ name }) => name)] } })
    const { body } = await app.get('/openapi/tests/wide.json', { key: null })
    for (const path of ['/v1/tests/wide', '/v1/tests/wide/export']) {
      const names: string[] = body.paths[path].get.parameters.map(({ name }: Any) => name)
      expect(names.filter((name) => /^c\d+$/.test(name))).toEqual(columns.map(({ name }) => name))
      expect(new Set(names).size).toBe(names.length)
    }
    app.app.catalog.remove('wide')
    app.app.catalog.remove('changing')
  })

  test('a dataset description without .json is not there', async () => {
    expect((await app.get('/openapi/geospatial/towns', { key: null })).body.error.code).toBe('not_found')
  })
})

describe('9 interface description of the account routes', () => {
  const EXAMPLE_PASSWORD = 'patru furnici pe un balcon'

  /** What an example's place-holders stand for in this instance: ids and tokens that are there. */
  async function fill(
    operation: Operation,
    browser: Browser,
    email: string,
  ): Promise<Record<string, string>> {
    if (operation.path.includes('{session_id}')) {
      await accounts.signIn(email, EXAMPLE_PASSWORD)
      return { session_id: (await browser.get('/sessions')).body[0].session_id }
    }
    if (!JSON.stringify(operation.operation).includes('"key_id"')) return {}
    const { key_id } = (await browser.post('/keys', { label: 'example' })).body
    if (operation.method === 'DELETE') await browser.post(`/keys/${key_id}/revoke`)
    return { key_id: String(key_id) }
  }

  async function bodyOf({ path, operation }: Operation, email: string): Promise<Any> {
    const example = operation.requestBody?.content['application/json'].example
    if (example === undefined) return undefined
    const body = { ...example, ...('email' in example && { email }) }
    if (path.endsWith('/signup')) return { ...body, email: `new-${email}` }
    if (!('token' in body)) return body
    await new Browser(app).post('/password/forgot', { email })
    const [verification, reset] = await accounts.mailsTo(email)
    return { ...body, token: (path.endsWith('/reset') ? reset : verification)!.token }
  }

  test('the body of every example fits its schema, and no example holds a real secret', async () => {
    const operations = await accountOperations()
    expect(operations.length).toBe(27)
    for (const { document, operation } of operations) {
      const media = operation.requestBody?.content['application/json']
      if (media) expect(schemaErrors(document, media.schema, media.example)).toEqual([])
    }
  })

  test('every example is answered as described', async () => {
    let number = 0
    for (const operation of await accountOperations()) {
      const email = `example${++number}@example.org`
      const browser = await accounts.signUp(email, EXAMPLE_PASSWORD)
      const parameters: Any[] = operation.operation.parameters ?? []
      const optional = parameters.filter((one) => one.in === 'query')
      const anybody = operation.operation.security.length === 0
      for (const chosen of [undefined, ...optional]) {
        const ids = await fill(operation, browser, email)
        const path = operation.path
          .slice(ACCOUNT.length)
          .replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? name)
        const value = chosen && (ids[chosen.name] ?? chosen.example)
        const query = chosen ? `?${chosen.name}=${encodeURIComponent(value)}` : ''
        const caller = anybody ? new Browser(app) : browser
        const body = await bodyOf(operation, email)
        const answer = await caller.send(operation.method, path + query, { body })
        expect([operation.path, answer.status < 300, answer.text]).toEqual([
          operation.path,
          true,
          answer.text,
        ])
        expectDescribed(operation, answer)
      }
    }
  })

  test('every refusal that an address can bring about comes true', async () => {
    const browser = await accounts.signUp('refusals@example.org')
    let called = 0
    for (const operation of await accountOperations()) {
      for (const [status, response] of Object.entries<Any>(operation.operation.responses)) {
        const examples = response.content?.['application/json']?.examples ?? {}
        for (const [code, { summary, value }] of Object.entries<Any>(examples)) {
          expect(schemaErrors(operation.document, { $ref: '#/components/schemas/Error' }, value)).toEqual([])
          if (summary === undefined) continue
          const answer = await browser.get(summary.slice(ACCOUNT.length))
          expect([summary, answer.status, answer.body.error.code]).toEqual([summary, Number(status), code])
          expectDescribed(operation, answer)
          called++
        }
      }
    }
    expect(called).toBeGreaterThan(15)
  })

  test('what a route asks for is what its description says', async () => {
    const browser = await accounts.signUp('asked@example.org')
    for (const operation of await accountOperations()) {
      const path = operation.path.slice(ACCOUNT.length).replace(/\{\w+\}/g, '1')
      const needs = Object.keys(operation.operation.security[0] ?? {})
      const stranger = await new Browser(app).send(operation.method, path)
      const forgetful = await browser.send(operation.method, path, { headers: { 'x-csrf-token': undefined } })
      expectDescribed(operation, stranger)
      expectDescribed(operation, forgetful)
      expect([operation.path, stranger.status === 401]).toEqual([operation.path, needs.includes('Session')])
      expect([operation.path, forgetful.status === 403]).toEqual([
        operation.path,
        needs.includes('CsrfToken'),
      ])
    }
  })
})

describe('reference page', () => {
  test('loads its script and description from this service and from nowhere else', async () => {
    const { status, headers, text } = await app.get('/docs', { key: null })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).not.toMatch(/https?:|\/\/cdn|@import|url\(/)
    const scripts = [...text.matchAll(/<script[^>]*src="([^"]+)"/g)].map((match) => match[1])
    expect(scripts).toEqual(['/docs/scalar.js'])
    expect(text).toContain('"url":"/docs/json"')
    for (const script of [...scripts, '/docs/json'])
      expect((await app.get(script!, { key: null })).status).toBe(200)
  })

  test('its policy forbids everything that is not of this service', async () => {
    const policy = (await app.get('/docs', { key: null })).headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("connect-src 'self';")
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/)
  })

  test('the page has no script of its own that the policy would stop', async () => {
    const { text } = await app.get('/docs', { key: null })
    const inline = [...text.matchAll(/<script(?![^>]*src=)[^>]*>([\s\S]*?)<\/script>/g)].map(
      (match) => match[1],
    )
    expect(inline).toEqual([''])
  })
})
