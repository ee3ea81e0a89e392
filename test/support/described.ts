/** Compares the service's requests and answers with its OpenAPI description. */

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { formatTimestamp } from '../../src/base/text/timestamp.ts'
import type { Route } from '../../src/server/declaration/route.ts'
import { errorCodesOf } from '../../src/server/description/describe.ts'
import { describeService } from '../../src/server/description/service-description.ts'
import { ROUTES } from '../../src/server/routes.ts'
import { RouteMap } from '../../src/server/routing.ts'

// biome-ignore lint/suspicious/noExplicitAny: the description is read freely.
type Any = any

interface Exchanged {
  readonly method: string
  readonly path: string
  /** The request's body, where it was JSON. */
  readonly sent?: unknown
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const document: Any = await describeService(ROUTES, 'http://localhost')
const routes = new RouteMap(ROUTES)
const ajv = makeAjv(document)
const validators = new Map<string, ValidateFunction>()

function makeAjv(described: Any): Ajv2020 {
  const made = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  made.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)) && isTimestamp(text))
  made.addFormat('date', /^\d{4}-\d\d-\d\d$/)
  made.addFormat('password', true)
  made.addFormat('double', true)
  made.addSchema(described, 'document')
  return made
}

/** How a value does not fit a schema of a document. */
export function schemaErrors(described: Any, schema: Any, value: unknown): string[] {
  const known = checkers.get(described) ?? makeAjv(described)
  checkers.set(described, known)
  const validate = compiled.get(schema) ?? known.compile(withDocument(schema))
  compiled.set(schema, validate)
  return validate(value) ? [] : validate.errors!.map(explain)
}

const checkers = new WeakMap<object, Ajv2020>()
const compiled = new WeakMap<object, ValidateFunction>()

/** A reference in a part is resolved in the document that the part is from. */
function withDocument(schema: Any): Any {
  return JSON.parse(JSON.stringify(schema), (key, value) => (key === '$ref' ? `document${value}` : value))
}

function explain({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`
}

/** RFC 3339 in UTC, with a fraction only if it is not zero. */
function isTimestamp(text: string): boolean {
  return formatTimestamp(new Date(text)) === text.replace(/\.\d+Z$/, 'Z')
}

/**
 * Checks an answer in JSON of a described route: its status and body are described, a refusal has a code that the route
 * names, and an accepted request body fits as well.
 * @throws Error that says what does not fit
 */
export function requireDescribed(exchanged: Exchanged): void {
  const { method, path, status, headers, text } = exchanged
  if (text === '' || !headers.get('content-type')?.startsWith('application/json')) return
  const body = JSON.parse(text)
  const route = findRoute(method, path)
  const place = `${method} ${path} ${status}`
  if (body?.error !== undefined) requireRefusal(place, route, body)
  if (body?.error !== undefined || route?.described === undefined) return
  const { at, operation } = operationOf(route)
  if (operation.responses[status] === undefined) throw new Error(`${place} is not described`)
  const content = `/responses/${status}/content`
  require(place, `${at}${content}/application~1json/schema`, body)
  if (exchanged.sent !== undefined && operation.requestBody !== undefined)
    require(`${place}, request`, `${at}/requestBody/content/application~1json/schema`, exchanged.sent)
}

function findRoute(method: string, path: string): Route | undefined {
  const pattern = routes.patternOf(path.split('?')[0]!)
  return ROUTES.find(
    (route) => route.path === pattern && route.method === (method === 'HEAD' ? 'GET' : method),
  )
}

/** The operation of a route, and the JSON pointer to it. */
function operationOf({ method, path, described }: Route): { at: string; operation: Any } {
  const name = described!.describedAs ?? path.replace(/:(\w+)/g, '{$1}')
  const operation = document.paths[name][method.toLowerCase()]
  const pointer = name.replaceAll('~', '~0').replaceAll('/', '~1')
  return { at: `#/paths/${encodeURIComponent(pointer)}/${method.toLowerCase()}`, operation }
}

/** Codes of addresses and methods that no route has. */
const UNROUTED = ['not_found', 'method_not_allowed', 'payload_too_large', 'internal_error']

function requireRefusal(place: string, route: Route | undefined, body: Any): void {
  if (route?.access === 'ckan') {
    require(place, '#/components/schemas/CkanError', body)
    return
  }
  if (route?.access === 'mcp' || /^\S+ \/mcp\b/.test(place)) {
    // An answer of JSON-RPC to one message may be an error as well; it has the id of the message.
    if (body.id === null) require(place, '#/components/schemas/McpError', body)
    return
  }
  require(place, '#/components/schemas/Error', body)
  const codes: readonly string[] = route === undefined ? UNROUTED : errorCodesOf(route)
  const isKeyed = place.split(' ')[1]!.startsWith('/v1')
  if (codes.includes(body.error.code) || (route === undefined && isKeyed)) return
  if (route?.described === undefined) return
  throw new Error(`${place}: the description of the route lacks ${body.error.code}`)
}

function require(place: string, pointer: string, value: unknown): void {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `document${pointer}` })
  validators.set(pointer, validate)
  if (validate(value)) return
  const wrong = validate
    .errors!.slice(0, 5)
    .map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
  throw new Error(
    `${place} does not fit its description: ${wrong.join('; ')}\n${JSON.stringify(value).slice(0, 400)}`,
  )
}
