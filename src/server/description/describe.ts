/** The OpenAPI description of the declared routes, from the document of `@elysiajs/swagger`. */

import { swagger } from '@elysiajs/swagger'
import { Elysia, type TSchema } from 'elysia'
import { ERROR_TABLE, type ErrorCode } from '../../base/error-codes.ts'
import { statusOf } from '../../http/errors.ts'
import { CSRF_HEADER, sessionCookieName } from '../admission/session.ts'
import { CKAN_ERROR, ERROR, MCP_ERROR } from '../bodies/dataset-bodies.ts'
import { ACCESS, type Access } from '../declaration/access.ts'
import type { AnswerFacts, Route, Tag } from '../declaration/route.ts'
import { EVERYWHERE, HEADERS, type HeaderName, headerRefs, LIMIT_HEADERS } from './headers.ts'
import { type Document, type Node, toOpenApi31 } from './openapi31.ts'

/** Version of the interface (specification 9), not of the program. */
const DESCRIPTION_VERSION = '0.1.0'

const TAGS: Readonly<Record<Tag, string>> = {
  Datasets: 'Rows of one dataset: lists and bulk export.',
  Catalog: 'Which datasets there are, and what is known of them.',
  Status: 'Health probes and statistics; no key needed.',
  Interoperability: 'The catalog in standard formats; no key needed.',
  Reference: 'This description; no key needed.',
  Account: 'Registering, signing in, sessions, passwords; by browser session.',
  'API keys': 'Keys of the account; by browser session.',
  Usage: 'What the keys of the account were used for; by browser session.',
  Publishing: 'What publishers do; by browser session, or with a key that has the scope `publish`.',
}

export interface DescriptionFacts {
  readonly routes: readonly Route[]
  /** Where the service is, without a slash at the end. */
  readonly base: string
  readonly title: string
  readonly text: string
  /** Values for parameters by name, from an existing dataset, so that examples can be called. */
  readonly examples: Readonly<Record<string, unknown>>
}

/** @returns a document of OpenAPI 3.1 */
export async function describeRoutes(facts: DescriptionFacts): Promise<Document> {
  const routes = facts.routes.filter(({ described }) => described !== undefined)
  const document = await schemasOf(facts.routes, routes)
  const paths: Record<string, Record<string, Node>> = {}
  for (const route of routes) {
    const path = describedPath(route.path)
    const method = route.method.toLowerCase()
    const at = route.described!.describedAs ?? path
    paths[at] = {
      ...paths[at],
      [method]: complete(route, at, document.paths[path]![method]!, facts.examples),
    }
  }
  const tags = new Set(routes.map(({ described }) => described!.tag))
  return {
    openapi: document.openapi,
    info: {
      title: facts.title,
      version: DESCRIPTION_VERSION,
      description: facts.text,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: facts.base }],
    tags: Object.entries(TAGS)
      .filter(([name]) => tags.has(name as Tag))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: document.components.schemas ?? {},
      headers: HEADERS,
      securitySchemes: securitySchemes(facts.base),
    },
  }
}

/** `/v1/{domain}` of `/v1/:domain`. */
function describedPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** The same for every request: the plugin takes 80 ms for all routes. */
const documents = new WeakMap<readonly Route[], Promise<Document>>()

function schemasOf(all: readonly Route[], described: readonly Route[]): Promise<Document> {
  const known = documents.get(all) ?? pluginDocument(described).then(toOpenApi31)
  documents.set(all, known)
  return known
}

/** The plugin's document of routes that are never served. */
async function pluginDocument(routes: readonly Route[]): Promise<Document> {
  const described = new Elysia({ normalize: false }).model({
    Error: ERROR,
    CkanError: CKAN_ERROR,
    McpError: MCP_ERROR,
  })
  for (const { method, path, described: facts } of routes) {
    const { id, params, query, body, answers } = facts!
    const schemas = Object.entries(answers).flatMap(([status, answer]) =>
      answer.body === undefined ? [] : [[status, asAnswer(answer.body)] as const],
    )
    described.route(method, path, () => '', {
      ...(params && { params }),
      ...(query && { query }),
      ...(body && { body }),
      ...(schemas.length > 0 && { response: Object.fromEntries(schemas) }),
      detail: { operationId: id },
    })
  }
  described.use(swagger({ path: '/plugin', excludeStaticFile: false }))
  const answer = await described.handle(new Request('http://localhost/plugin/json'))
  return (await answer.json()) as Document
}

/** The plugin takes objects and lists apart and leaves their bounds out; in this form it copies the schema. */
function asAnswer(schema: TSchema): TSchema {
  return { allOf: [schema] } as unknown as TSchema
}

function complete(route: Route, path: string, operation: Node, examples: DescriptionFacts['examples']): Node {
  const { tag, summary, description, isOfThePage, bodyExample } = route.described!
  const parameters = ((operation.parameters ?? []) as readonly Node[])
    .filter(({ in: place, name }) => place !== 'path' || path.includes(`{${name}}`))
    .map((parameter) => withExample(parameter, examples))
  return {
    operationId: operation.operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(isOfThePage && { 'x-scalar-ignore': true }),
    security: describeSecurity(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.described!.takesFile && { requestBody: FILE_BODY }),
    ...(operation.requestBody !== undefined && {
      requestBody: withBodyExample(operation.requestBody as Node, bodyExample),
    }),
    responses: describeResponses(route, withoutWrapping(operation.responses)),
  }
}

/** A file as it is, whatever its type. */
const FILE_BODY: Node = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
}

function describeSecurity({ access, method }: Route): readonly Node[] {
  return ACCESS[access].security.map((schemes) => {
    const needed = schemes.filter((scheme) => scheme !== 'CsrfToken' || method !== 'GET')
    return Object.fromEntries(needed.map((scheme) => [scheme, []]))
  })
}

function withExample(parameter: Node, examples: DescriptionFacts['examples']): Node {
  const { name } = parameter as { readonly name: string }
  return 'example' in parameter || !Object.hasOwn(examples, name)
    ? parameter
    : { ...parameter, example: examples[name] }
}

function withBodyExample({ content, ...rest }: Node, example: object | undefined): Node {
  const json = (content as Readonly<Record<string, Node>>)['application/json']!
  return { ...rest, content: { 'application/json': { ...json, ...(example && { example }) } } }
}

/** Undoes `asAnswer`. */
function withoutWrapping(responses: unknown): Readonly<Record<string, Node>> {
  const unwrapped = Object.entries(responses as Readonly<Record<string, Node>>).map(([status, response]) => {
    const json = (response.content as Readonly<Record<string, Node>> | undefined)?.['application/json']
    const wrapped = (json?.schema as { readonly allOf?: readonly unknown[] } | undefined)?.allOf
    const content = wrapped === undefined ? response.content : { 'application/json': { schema: wrapped[0] } }
    return [status, { ...response, ...(content !== undefined && { content }) }]
  })
  return Object.fromEntries(unwrapped)
}

function securitySchemes(base: string): Node {
  return {
    ApiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `rok_…`' },
    Session: {
      ...{ type: 'apiKey', in: 'cookie', name: sessionCookieName(base) },
      description: 'Set by sign-up and login.',
    },
    CsrfToken: {
      ...{ type: 'apiKey', in: 'header', name: CSRF_HEADER },
      description: 'The `csrf_token` of the session, with every call that changes something.',
    },
  }
}

// The responses of an operation: what its declaration answers, and one per status of the errors it may answer
// with.
/** @param bodies the plugin's responses, with the schemas of the bodies */
function describeResponses(route: Route, bodies: Readonly<Record<string, Node>>): Node {
  const answers = Object.entries(route.described!.answers).map(([status, facts]) => [
    status,
    describeAnswer(route, facts, bodies[status]),
  ])
  return { ...describeErrors(route), ...Object.fromEntries(answers) }
}

function describeAnswer({ access }: Route, facts: AnswerFacts, body: Node | undefined): Node {
  const { says, types, headers = [] } = facts
  const limits = mayBeLimited(access) ? LIMIT_HEADERS : []
  return {
    description: says,
    headers: headerRefs([...EVERYWHERE, ...limits, ...headers]),
    ...((body?.content !== undefined || types !== undefined) && {
      content: Object.assign({}, body?.content, filesOf(types ?? [])),
    }),
  }
}

/** Whether answers to a key say what is left of its limits. */
function mayBeLimited(access: Access): boolean {
  return ACCESS[access].isCounted || ACCESS[access].takesKey === true
}

function filesOf(types: readonly string[]): Record<string, Node> {
  return Object.fromEntries(types.map((type) => [type, { schema: schemaOfType(type) }]))
}

function schemaOfType(type: string): Node {
  // Validators take it for the schema of one event.
  if (type === 'text/event-stream') return { type: 'object' }
  return /\bjson$/.test(type) && !type.startsWith('application/x-') ? { type: 'object' } : { type: 'string' }
}

/** Every code that a route may answer with. */
export function errorCodesOf({ access, method, described }: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([...ACCESS[access].errors, ...(described?.errors ?? [])])
  if (method === 'GET') codes.delete('csrf_failed')
  return [...codes]
}

function describeErrors(route: Route): Record<string, Node> {
  const byStatus = Map.groupBy(errorCodesOf(route), (code) => String(statusOf(code, ACCESS[route.access])))
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, describeError(route, status, codes)]),
  )
}

function describeError({ access }: Route, status: string, codes: readonly ErrorCode[]): Node {
  const wait: readonly HeaderName[] = ['429', '503'].includes(status) ? ['Retry-After'] : []
  const keyless = codes.some((code) => code.startsWith('api_key_'))
  const limits = mayBeLimited(access) && !keyless ? LIMIT_HEADERS : []
  const headers = [...EVERYWHERE, ...limits, ...wait, ...(keyless ? ['WWW-Authenticate'] : [])]
  return {
    description: codes.map((code) => `- \`${code}\`: ${ERROR_TABLE[code].meaning}.`).join('\n'),
    headers: { ...headerRefs(headers), Link: { $ref: '#/components/headers/HelpLink' } },
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${ACCESS[access].errorSchema ?? 'Error'}` },
      },
    },
  }
}
