/** Declared routes become an OpenAPI 3.1 document. */

import { expect, test } from 'bun:test'
import { t } from 'elysia'
import type { Description, Route } from '../../src/server/declaration/route.ts'
import { describeRoutes } from '../../src/server/description/describe.ts'

const TOWN = t.Object({ name: t.Union([t.String(), t.Null()]) }, { $id: 'Town' })

async function describe(facts: Partial<Description>, examples = {}) {
  const described: Description = { id: 'x', tag: 'Catalog', summary: 'X', answers: {}, ...facts }
  const route: Route = {
    ...{ method: 'POST', path: '/towns/:town', access: 'none', described },
    handle: () => new Response(),
  }
  const document = await describeRoutes([route], 'http://x', 'Towns', 'All.', examples)
  // As clients read it.
  const { paths, ...rest } = JSON.parse(JSON.stringify(document))
  return { ...rest, paths, operation: paths['/towns/{town}'].post }
}

test('says the version whose schemas the document has', async () => {
  const { openapi, info } = await describe({})
  expect([openapi, info.title, info.description]).toEqual(['3.1.0', 'Towns', 'All.'])
})

test('a body and an answer are JSON by their schemas; an answer without a schema has no content', async () => {
  const { operation } = await describe({
    body: t.Object({}),
    bodyExample: { name: 'Cluj' },
    answers: { 200: { says: 'The town.', body: t.String() }, 204: { says: 'Done.' } },
  })
  expect(operation.requestBody).toEqual({
    required: true,
    content: {
      'application/json': { schema: { type: 'object', properties: {} }, example: { name: 'Cluj' } },
    },
  })
  const { description, content } = operation.responses[200]
  expect([description, content]).toEqual([
    'The town.',
    { 'application/json': { schema: { type: 'string' } } },
  ])
  expect(operation.responses[204].content).toBeUndefined()
})

test('a named schema is written once and referenced at each use', async () => {
  const { operation, components } = await describe({
    query: t.Object({ near: t.Optional(TOWN) }),
    answers: {
      200: { says: 'All.', body: t.Array(TOWN) },
      201: { says: 'Two.', body: t.Object({ one: TOWN, other: TOWN }, { $id: 'Pair' }) },
    },
  })
  const ref = { $ref: '#/components/schemas/Town' }
  const { $id: _, ...town } = JSON.parse(JSON.stringify(TOWN))
  expect(components.schemas.Town).toEqual(town)
  expect(components.schemas.Pair.properties).toEqual({ one: ref, other: ref })
  expect(operation.parameters).toEqual([{ in: 'query', name: 'near', required: false, schema: ref }])
  expect(operation.responses[200].content['application/json'].schema).toEqual({ type: 'array', items: ref })
})

test('the first example of a parameter is its example, since a parameter takes no list of them; else a known value', async () => {
  const { operation } = await describe(
    {
      params: { town: t.String() },
      query: t.Object({ q: t.String({ description: 'Words.', examples: ['cluj', 'iasi'] }) }),
    },
    { town: 'cluj', q: 'other' },
  )
  expect(operation.parameters).toEqual([
    { in: 'path', name: 'town', required: true, schema: { type: 'string' }, example: 'cluj' },
    {
      ...{ in: 'query', name: 'q', required: true, description: 'Words.' },
      ...{ schema: { type: 'string' }, example: 'cluj' },
    },
  ])
})
