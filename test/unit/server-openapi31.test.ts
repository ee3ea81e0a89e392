/** The document of the Swagger plugin becomes one of OpenAPI 3.1. */

import { expect, test } from 'bun:test'
import { type Document, toOpenApi31 } from '../../src/server/description/openapi31.ts'

const copies = (schema: object) => ({
  'application/json': { schema },
  'multipart/form-data': { schema },
  'text/plain': { schema },
})
const TOWN = { $id: 'Town', type: 'object', properties: { name: { type: ['string', 'null'] } } }

function convert(operation: object, schemas: Record<string, object> = {}): Document {
  return toOpenApi31({
    openapi: '3.0.3',
    info: { title: 'Towns' },
    paths: { '/towns': { post: operation as Record<string, unknown> } },
    components: { schemas: schemas as Record<string, Record<string, unknown>> },
  })
}

test('says the version whose schemas the document has', () => {
  const { openapi, info } = convert({ responses: {} })
  expect([openapi, info]).toEqual(['3.1.0', { title: 'Towns' }])
})

test('keeps of a body and of an answer the JSON, and no keyword of the schema around it', () => {
  const { paths } = convert({
    requestBody: { required: true, content: copies({ type: 'object' }) },
    responses: { 200: { description: 'The town.', items: {}, content: copies({ type: 'string' }) }, 204: {} },
  })
  expect(paths['/towns']!.post).toEqual({
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    responses: {
      200: { description: 'The town.', content: { 'application/json': { schema: { type: 'string' } } } },
      204: {},
    },
  })
})

test('a named schema is written once and referenced at each use', () => {
  const list = { type: 'array', items: TOWN }
  const { paths, components } = convert(
    {
      parameters: [{ in: 'query', name: 'near', schema: TOWN }],
      responses: { 200: { content: copies(list) }, 201: { content: copies(TOWN) } },
    },
    { Pair: { $id: '#/components/schemas/Pair', type: 'object', properties: { one: TOWN, other: TOWN } } },
  )
  const ref = { $ref: '#/components/schemas/Town' }
  const { $id: _, ...town } = TOWN
  expect(components.schemas).toEqual({
    Pair: { type: 'object', properties: { one: ref, other: ref } },
    Town: town,
  } as never)
  const { parameters, responses } = paths['/towns']!.post as Record<string, never>
  expect(parameters).toEqual([{ in: 'query', name: 'near', schema: ref }] as never)
  expect(responses).toEqual({
    200: { content: { 'application/json': { schema: { type: 'array', items: ref } } } },
    201: { content: { 'application/json': { schema: ref } } },
  } as never)
})

test('the first example of a parameter is its example, since a parameter takes no list of them', () => {
  const { paths } = convert({
    parameters: [{ in: 'query', name: 'q', description: 'Words.', examples: ['cluj', 'iasi'], schema: {} }],
    responses: {},
  })
  expect(paths['/towns']!.post!.parameters).toEqual([
    { in: 'query', name: 'q', description: 'Words.', schema: {}, example: 'cluj' },
  ])
})
