import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { ROUTES } from '../../src/server/routes.ts'
import { RouteMap } from '../../src/server/routing.ts'
import { createServer } from '../../src/server/server.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { appCode } from '../support/authenticator.ts'
import { type AccountApp, Browser, startAccountApp } from '../support/browser.ts'
import { schemaErrors } from '../support/described.ts'
import { TOWNS } from '../support/towns.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read any member of the description.
type Any = any

const DATASET_DOCUMENT = '/openapi/geospatial/towns.json'
const DOCUMENTS = ['/openapi.json', '/docs/json', DATASET_DOCUMENT]

let accounts: AccountApp
let app: TestApp
beforeAll(async () => {
  accounts = await startAccountApp()
  app = accounts.app
  await app.publish(TOWNS)
})
afterAll(() => accounts.stop())

/** The part of a document that a reference points to. */
function at(document: Any, ref: string): Any {
  return ref
    .slice('#/'.length)
    .split('/')
    .reduce((node, name) => node?.[name], document)
}

interface Operation {
  readonly document: Any
  readonly method: string
  readonly path: string
  readonly operation: Any
}

const ACCOUNT = '/account/api'
/** Pages, their forms and what they load: not an interface for programs. */
const PAGES =
  /^GET \/(open|assets\/\{file\}|account(\/(?!api)\w+)?|publish(\/(?!api)\w+\/\{id\})?|operate(\/(?!api)[\w/{}-]+)?|datasets\/\{id\}(\/(chart|map|summary|values))?|embed\/\{id\}|docs\/guides(\/\{name\})?|status|feed\.\w+)?$|^POST \/(open(\/(samples|end))?|operate(\/(?!api)[\w/{}-]+)?)$/

/** Documents as first read. */
const documents = new Map<string, Any>()

async function everyOperation(path: string): Promise<Operation[]> {
  const document = documents.get(path) ?? (await app.get(path, { key: null })).body
  documents.set(path, document)
  return Object.entries<Any>(document.paths).flatMap(([at, methods]) =>
    Object.entries<Any>(methods).map(([method, operation]) => ({
      ...{ document, method: method.toUpperCase(), path: at, operation },
    })),
  )
}

/** The GET operations that need a key or nothing; those of a browser session are left out. */
async function operationsOf(path: string): Promise<Operation[]> {
  return (await everyOperation(path)).filter(
    (one) => !/^\/((account|publish|operate)\/api\/|mcp$)/.test(one.path),
  )
}
async function accountOperations(): Promise<Operation[]> {
  return (await everyOperation('/openapi.json')).filter((one) => one.path.startsWith(ACCOUNT))
}

/** Path and query of a call, with the examples of its path parameters and the chosen query parameters. */
function addressOf({ path, operation }: Operation, chosen: readonly Any[]): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const parameter = operation.parameters.find((one: Any) => one.in === 'path' && one.name === name)
    return encodeURIComponent(parameter.example)
  })
  const query = new URLSearchParams()
  for (const { name, example } of chosen) {
    if (name === 'filters') {
      for (const [key, value] of Object.entries<Any>(example)) query.append(key, value)
    } else query.append(name, String(example))
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
  test.each(DOCUMENTS)('%s is valid OpenAPI 3.1 of version 0.1.0', async (path) => {
    const { status, body, headers } = await app.get(path, { key: null })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body.info.version).toBe('0.1.0')
    expect(body.openapi).toBe('3.1.0')
    expect(await new Validator().validate(body)).toEqual({ valid: true })
    const refs = JSON.stringify(body).matchAll(/"\$ref":"([^"]+)"/g)
    for (const [, ref] of refs) expect([ref, typeof at(body, ref!)]).toEqual([ref, 'object'])
  })

  test('describes every route, and no other', async () => {
    const routes = createServer(app.app).routes.map(({ method, path }) => {
      const described = path.replace('/openapi/:domain/:file', '/openapi/:domain/:dataset.json')
      return `${method} ${described.replace(/:(\w+)/g, '{$1}')}`
    })
    const programs = routes.filter((route) => !PAGES.test(route))
    const described = (await everyOperation('/openapi.json')).map(({ method, path }) => `${method} ${path}`)
    expect(described.sort()).toEqual(programs.sort())
  })

  test('a description without any dataset is valid too', async () => {
    const empty = await startTestApp()
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
      // On a plan with limits, so that their headers are checked as well.
      const { secret: key } = await app.mintKey('institution')
      for (const operation of await operationsOf(path)) {
        const parameters: Any[] = operation.operation.parameters ?? []
        const required = parameters.filter((one) => one.in === 'query' && one.required)
        const optional = parameters.filter((one) => one.in === 'query' && !one.required && 'example' in one)
        // One by one, and all together, as the reference page sends them.
        const calls = [required, ...optional.map((one) => [...required, one]), [...required, ...optional]]
        for (const chosen of calls) {
          const address = addressOf(operation, chosen)
          const answer = await app.get(address, { key })
          expect([address, answer.status < 400]).toEqual([address, true])
          expectDescribed(operation, answer)
        }
        const without = parameters.filter((one) => !('example' in one)).map(({ name }) => name)
        // These exclude other parameters.
        const excluding = operation.path.endsWith('/aggregate')
          ? ['format', 'bom', 'delimiter', 'safe']
          : ['cursor']
        expect(without.filter((name) => !excluding.includes(name))).toEqual([])
      }
    },
  )

  test.each([
    ['/v1/geospatial/nowhere', 404, 'dataset_not_found'],
    ['/v1/geospatial/siruta', 404, 'dataset_not_ingested'],
    ['/v1/geospatial/towns?no_such_column=1', 422, 'unknown_column'],
    ['/v1/geospatial/towns?county%5Bnear%5D=1', 422, 'unknown_operator'],
    ['/v1/geospatial/towns?seat=maybe', 422, 'invalid_value'],
    ['/v1/geospatial/towns?fields=county&fields=county', 422, 'duplicate_parameter'],
    ['/v1/geospatial/towns?fields=county,county', 422, 'invalid_fields'],
    ['/v1/geospatial/towns?format=csv', 422, 'unknown_parameter'],
    ['/v1/geospatial/towns?sort=county,-county', 422, 'invalid_sort'],
    ['/v1/geospatial/towns?limit=0', 422, 'invalid_limit'],
    ['/v1/geospatial/towns?offset=-1', 422, 'invalid_offset'],
    ['/v1/geospatial/towns?cursor=', 422, 'invalid_cursor'],
    ['/v1/geospatial/towns?cursor=start&offset=0', 422, 'cursor_conflict'],
    ['/v1/geospatial/towns/export?format=xml', 422, 'invalid_format'],
    ['/v1/geospatial/towns/export?limit=5', 422, 'unknown_parameter'],
    ['/v1/geospatial/towns/aggregate?group_by=contry', 422, 'invalid_aggregate'],
    ['/v1/geospatial/towns/aggregate?sort=-sum_people', 422, 'unknown_column'],
    ['/v1/geospatial/towns/aggregate?cursor=start', 422, 'unknown_parameter'],
    ['/v1/geospatial/towns/facets?limit=101', 422, 'invalid_limit'],
    ['/v1/geospatial/towns/facets?format=csv', 422, 'unknown_parameter'],
    ['/datasets/towns/aggregate?format=xml', 422, 'invalid_format'],
    ['/datasets/towns/facets?columns=', 422, 'invalid_value'],
    ['/datasets/nowhere/rows', 404, 'dataset_not_found'],
    ['/datasets/towns/rows?limit=0', 422, 'invalid_limit'],
    ['/datasets/towns/download?format=xml', 422, 'invalid_format'],
    ['/datasets/nowhere/datapackage.json', 404, 'dataset_not_found'],
    ['/v1/search', 422, 'invalid_value'],
    ['/v1/search?q=a&sort=id', 422, 'unknown_parameter'],
    ['/v1/datasets?domain=', 422, 'invalid_value'],
    ['/v1/datasets?limit=5&limit=5', 422, 'duplicate_parameter'],
    ['/v1/datasets?offset=-1', 422, 'invalid_offset'],
    ['/v1/datasets/nowhere', 404, 'dataset_not_found'],
    ['/v1/datasets/towns/quality?limit=5', 422, 'unknown_parameter'],
  ])('the description of %s names its %i %s', async (path, status, code) => {
    const answer = await app.get(path)
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
    const pattern = new RouteMap(ROUTES).patternOf(path.split('?')[0]!)
    const named = pattern.replace(/:(\w+)/g, '{$1}')
    const [operation] = (await operationsOf('/openapi.json')).filter((one) => one.path === named)
    expect(operation!.operation.responses[status].description).toContain(`\`${code}\``)
    expectDescribed(operation!, answer)
  })

  const takesKey = /^\/(api|datastore)\//

  test('without a key every /v1 route answers as described, and no other route asks for one', async () => {
    for (const operation of await operationsOf('/openapi.json')) {
      const required = (operation.operation.parameters ?? []).filter(
        (one: Any) => one.in === 'query' && one.required,
      )
      const { status, body } = await app.get(addressOf(operation, required), { key: null })
      const guarded = operation.path.startsWith('/v1')
      expect([operation.path, status === 401]).toEqual([operation.path, guarded])
      expect([operation.path, operation.operation.security]).toEqual([
        operation.path,
        guarded ? [{ ApiKey: [] }] : takesKey.test(operation.path) ? [{}, { ApiKey: [] }] : [],
      ])
      if (guarded) expect(operation.operation.responses[401].description).toContain(`\`${body.error.code}\``)
    }
  })

  test('the description of a dataset names its columns with the operators of their types', async () => {
    const [list] = await operationsOf(DATASET_DOCUMENT)
    expect(list!.path).toBe('/v1/geospatial/towns')
    const { Filters, Row } = list!.document.components.schemas
    const columns = TOWNS.table.columns.map(({ name }) => name)
    expect(Object.keys(Row.properties)).toEqual(columns)
    // Filters on a column named like a parameter need an operator.
    expect(Object.keys(Filters.properties)).toEqual(columns.filter((name) => name !== 'count'))
    expect(Filters['x-operators'].string).toContain('contains')
    expect(Filters['x-operators'].integer).not.toContain('contains')
    expect(Filters['x-operators'].boolean).not.toContain('gt')
    const fits = (value: object) => schemaErrors(list!.document, Filters, value).length === 0
    expect([fits({ county: 'Cluj', 'count[eq]': '5' }), fits({ 'nowhere[eq]': 'a' })]).toEqual([true, false])
    const names = list!.operation.parameters.map((parameter: Any) => parameter.name)
    expect(names).toEqual(['filters', 'q', 'sort', 'fields', 'limit', 'offset', 'count', 'cursor'])
  })

  test('only limit and days have a default, because generated clients send defaults', async () => {
    for (const { path, operation } of await everyOperation('/openapi.json')) {
      const defaults = (operation.parameters ?? []).filter((one: Any) => 'default' in one.schema)
      const names = defaults.map(({ name }: Any) => name)
      expect([path, names.filter((name: string) => !/^(limit|days)$/.test(name))]).toEqual([path, []])
    }
  })

  test.each(['/openapi/geospatial/nowhere.json', '/openapi/economy/towns.json'])(
    '%s is 404',
    async (path) => {
      const { status, body } = await app.get(path, { key: null })
      expect([status, body.error.code]).toEqual([404, 'dataset_not_found'])
    },
  )

  test('the description of a dataset has a tag that gets a 304, and is the same text in every coding', async () => {
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

  test('a new version is described at once, and the tag of the old one no longer gets a 304', async () => {
    const path = '/openapi/tests/changing.json'
    const publish = (columns: string[]) =>
      app.publish({
        ...{ id: 'changing', domain: 'tests', title: columns.join(' and ') },
        table: { columns: columns.map((name) => ({ name, type: 'string' })), rows: [columns] },
      })
    const read = async (etag?: string) => {
      const headers = etag === undefined ? {} : { 'if-none-match': etag }
      const answer = await app.get(path, { key: null, headers })
      const names = Object.keys(answer.body?.components.schemas.Row.properties ?? {})
      return { ...answer, names, title: answer.body?.info.title }
    }
    await publish(['a', 'b'])
    const first = await read()
    expect([first.names, first.title]).toEqual([['a', 'b'], 'a and b'])
    // Two requests at once, one of them with the old tag.
    await publish(['b', 'c', 'd'])
    const [second, other] = await Promise.all([read(), read(first.headers.get('etag')!)])
    for (const { status, names, title } of [second, other])
      expect([status, names, title]).toEqual([200, ['b', 'c', 'd'], 'b and c and d'])
    expect((await read(second.headers.get('etag')!)).status).toBe(304)
  })

  test('the description of 5,000 columns names each once, in order, within 1 MB', async () => {
    const columns = Array.from({ length: 5000 }, (_, index) => ({
      name: `c${index}`,
      type: 'string' as const,
    }))
    await app.publish({
      id: 'wide',
      domain: 'tests',
      table: { columns, rows: [columns.map(({ name }) => name)] },
    })
    const { body, text } = await app.get('/openapi/tests/wide.json', { key: null })
    expect(Object.keys(body.components.schemas.Row.properties)).toEqual(columns.map(({ name }) => name))
    expect(text.length).toBeLessThan(1_000_000)
    await app.app.catalog.remove('wide')
    await app.app.catalog.remove('changing')
  })

  test('the description of the service does not grow with its datasets', async () => {
    const before = (await app.get('/openapi.json', { key: null })).text.length
    await app.publish({ ...TOWNS, id: 'towns_again' })
    const after = (await app.get('/openapi.json', { key: null })).text.length
    await app.app.catalog.remove('towns_again')
    expect(after).toBe(before)
    expect(after).toBeLessThan(1_000_000)
  })

  test('a dataset description without .json is not found', async () => {
    expect((await app.get('/openapi/geospatial/towns', { key: null })).body.error.code).toBe('not_found')
  })
})

describe('9 interface description of the account routes', () => {
  const EXAMPLE_PASSWORD = 'patru furnici pe un balcon'

  /** Values for the placeholders of examples: ids and tokens that exist in this instance. */
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

  async function bodyOf(
    { method, path, operation }: Operation,
    email: string,
    browser: Browser,
  ): Promise<Any> {
    const example = operation.requestBody?.content['application/json'].example
    if (example === undefined) return undefined
    const body = { ...example, ...('email' in example && { email }) }
    if (path.endsWith('/signup')) return { ...body, email: `new-${email}` }
    if (method === 'DELETE' && 'code' in body) return { ...body, code: await recoveryCode(browser) }
    if (path.endsWith('/confirm')) return { ...body, code: await firstCode(browser) }
    if (!('token' in body)) return body
    await new Browser(app).post('/password/forgot', { email })
    const [verification, reset] = await accounts.mailsTo(email)
    return { ...body, token: (path.endsWith('/reset') ? reset : verification)!.token }
  }

  async function firstCode(browser: Browser): Promise<string> {
    const { body } = await browser.post('/second-factor', { password: EXAMPLE_PASSWORD })
    return appCode(body.secret, accounts.now())
  }

  async function recoveryCode(browser: Browser): Promise<string> {
    const { body } = await browser.post('/second-factor/confirm', { code: await firstCode(browser) })
    return body.recovery_codes[0]
  }

  test('the body of every example fits its schema, and no example holds a real secret', async () => {
    const operations = await accountOperations()
    expect(operations.length).toBe(30)
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
        const body = await bodyOf(operation, email, browser)
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

  test.each([
    ['/security/logins?limit=0', 422, 'invalid_limit'],
    ['/security/logins?limit=5&limit=5', 422, 'duplicate_parameter'],
    ['/security/logins?limit=%ZZ', 422, 'invalid_value'],
    ['/sessions?page=1', 422, 'unknown_parameter'],
    ['/usage/daily?days=93', 422, 'invalid_value'],
    ['/usage/daily?days=7&days=8', 422, 'duplicate_parameter'],
    ['/logs?limit=201', 422, 'invalid_limit'],
    ['/logs?offset=-1', 422, 'invalid_offset'],
    ['/logs?status_class=200', 422, 'invalid_value'],
    ['/logs?key_id=0', 404, 'key_not_found'],
  ])('the description of %s names its %i %s', async (path, status, code) => {
    const browser = await accounts.signUp(`refused${path.replace(/\W/g, '')}@example.org`)
    const answer = await browser.get(path)
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
    const named = ACCOUNT + path.split('?')[0]
    const [operation] = (await accountOperations()).filter(
      (one) => one.path === named && one.method === 'GET',
    )
    expect(operation!.operation.responses[status].description).toContain(`\`${code}\``)
    expectDescribed(operation!, answer)
  })

  test('every route requires the credentials that its description states', async () => {
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
  const read = async (language = 'en') =>
    (await app.get('/docs', { key: null, headers: { accept: 'text/html', 'accept-language': language } }))
      .text

  test('shows every operation, parameter and schema of the description, in both languages', async () => {
    for (const text of [await read('en'), await read('ro')]) {
      for (const { operation } of await everyOperation('/openapi.json')) {
        expect(text).toContain(`id="${operation.operationId}"`)
        for (const { name } of operation.parameters ?? []) expect(text).toContain(`<code>${name}</code>`)
      }
      const { components } = (await app.get('/openapi.json', { key: null })).body
      for (const name of Object.keys(components.schemas)) expect(text).toContain(`id="schema-${name}"`)
      for (const [, name] of text.matchAll(/href="#([^"]+)"/g)) expect(text).toContain(`id="${name}"`)
    }
  })

  test('is rendered again after a failure', async () => {
    const reading = spyOn(app.app.catalog, 'descriptor').mockImplementationOnce(() => {
      throw new Error('the disk fails')
    })
    const statuses = [
      await app.get('/docs?lang=en', { key: null }),
      await app.get('/docs?lang=en', { key: null }),
    ]
    reading.mockRestore()
    expect(statuses.map(({ status }) => status)).toEqual([500, 200])
  })

  test('loads its scripts and styles from this service', async () => {
    const text = await read()
    const scripts = [...text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)
    expect(scripts).toEqual([expect.stringMatching(/src="\/assets\/reference-\w+\.js"/)])
    expect(text).not.toMatch(/\/\/cdn|@import|url\(/)
  })

  test('uses another dataset in its examples when the first one changes', async () => {
    expect(await read()).toContain('/v1/geospatial/towns')
    await app.publish({ ...TOWNS, id: 'a_first', domain: 'a_first' })
    expect(await read()).toContain('/v1/a_first/a_first')
    await app.app.catalog.remove('a_first')
    expect(await read()).not.toContain('/v1/a_first/a_first')
  })
})
