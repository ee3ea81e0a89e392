import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { createServer } from '../../src/http/server.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { resolveRef, schemaErrors } from '../support/schema-check.ts'
import { TOWNS } from '../support/towns.ts'

// biome-ignore lint/suspicious/noExplicitAny: the description is looked into freely.
type Any = any

const DATASET_DOCUMENT = '/openapi/geospatial/towns.json'
const DOCUMENTS = ['/openapi.json', '/docs/json', DATASET_DOCUMENT]

let app: TestApp
beforeAll(() => {
  app = startTestApp()
  app.publish(TOWNS)
})
afterAll(() => app.stop())

interface Operation {
  readonly document: Any
  readonly path: string
  readonly operation: Any
}

async function operationsOf(path: string): Promise<Operation[]> {
  const document = (await app.get(path, { key: null })).body
  return Object.entries<Any>(document.paths).map(([at, { get }]) => ({ document, path: at, operation: get }))
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
  expect(response).toBeDefined()
  const type = answer.headers.get('content-type')?.split(';')[0]
  if (type === undefined) return
  const media = response.content[type]
  expect([type, media]).not.toEqual([type, undefined])
  if (type === 'application/json') expect(schemaErrors(document, media.schema, answer.body)).toEqual([])
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
    const routes = createServer(app.app).routes.map(({ method, path }) => {
      const described = path.replace('/openapi/:domain/:file', '/openapi/:domain/:dataset.json')
      return `${method} ${described.replace(/:(\w+)/g, '{$1}')}`
    })
    const described = (await operationsOf('/openapi.json')).map(({ path }) => `GET ${path}`)
    expect(described.sort()).toEqual(routes.sort())
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
      for (const operation of await operationsOf(path)) {
        const parameters: Any[] = operation.operation.parameters ?? []
        const required = parameters.filter((one) => one.in === 'query' && one.required)
        const optional = parameters.filter((one) => one.in === 'query' && !one.required && 'example' in one)
        // One by one, and all together as the reference sends them.
        const calls = [required, ...optional.map((one) => [...required, one]), [...required, ...optional]]
        for (const chosen of calls) {
          const address = addressOf(operation, chosen)
          const answer = await app.get(address)
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

  test('a dataset description without .json is not there', async () => {
    expect((await app.get('/openapi/geospatial/towns', { key: null })).body.error.code).toBe('not_found')
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

  test('the address itself leads to the reference', async () => {
    const { status, headers } = await app.get('/', { key: null })
    expect([status, headers.get('location')]).toEqual([302, '/docs'])
  })
})
